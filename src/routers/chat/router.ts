/** The procedures of chats. */
import { router } from "../trpc.ts"
import { continueProcedure } from "./continue.ts"
import { startProcedure } from "./start.ts"
import { startPreviewProcedure } from "./startPreview.ts"

export const chatRouter = router({
  start: startProcedure,
  continue: continueProcedure,
  startPreview: startPreviewProcedure,
})
