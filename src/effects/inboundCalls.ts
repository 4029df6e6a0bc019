/** Answers calls of the kind `inboundCall`: what other systems brought to a chat that waits. */

import { takeWebhookCall } from "../db/chats/webhookCalls.ts"
import type { Db } from "../db/connection/open.ts"
import { callsId } from "../shared/ids.ts"
import type { Performer } from "./perform.ts"

/** Gives a waiting block the oldest call that came for it. */
export function openInboundCalls(db: Db): Performer<"inboundCall"> {
  return {
    // A call that one turn has taken is gone for every other, so the turn must own its session.
    isOutside: () => true,
    async perform({ blockId, step }, { sessionId }) {
      const wait = { resultId: callsId(sessionId), sessionId, blockId, step }
      const taken = await takeWebhookCall(db, wait)
      return taken ? { body: taken.body } : {}
    },
  }
}
