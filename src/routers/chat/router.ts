/** The procedures of chats. */
import { router } from "../trpc.ts"
import { clientLogsProcedure } from "./clientLogs.ts"
import { continueProcedure } from "./continue.ts"
import { executeTestWebhookProcedure } from "./executeTestWebhook.ts"
import { executeWebhookProcedure } from "./executeWebhook.ts"
import { listenProcedure } from "./listen.ts"
import { startProcedure } from "./start.ts"
import { startPreviewProcedure } from "./startPreview.ts"
import { streamAnswerProcedure } from "./streamAnswer.ts"

export const chatRouter = router({
  start: startProcedure,
  continue: continueProcedure,
  startPreview: startPreviewProcedure,
  executeWebhook: executeWebhookProcedure,
  executeTestWebhook: executeTestWebhookProcedure,
  addClientLogs: clientLogsProcedure,
  listen: listenProcedure,
  streamAnswer: streamAnswerProcedure,
})
