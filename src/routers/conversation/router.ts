/** Operations on conversations: for gateways, and for people who take over from the bot. */
import { router } from "../trpc.ts"
import { getProcedure } from "./get.ts"
import { listProcedure } from "./list.ts"
import { sendMessageProcedure } from "./sendMessage.ts"
import { getSessionProcedure, updateSessionProcedure } from "./session.ts"
import { updateProcedure } from "./update.ts"

export const conversationRouter = router({
  sendMessage: sendMessageProcedure,
  list: listProcedure,
  get: getProcedure,
  update: updateProcedure,
  getSession: getSessionProcedure,
  updateSession: updateSessionProcedure,
})
