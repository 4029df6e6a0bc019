/** Events of bots, which are stored in the transaction of the change. */
import type { BotEvent, EventType } from "../../chat/events/eventSchemas.ts"
import type { BotEventRow } from "../../db/events/outbox.ts"
import { newUuid } from "../../lib/ids.ts"
import type { Context } from "../context.ts"

/** Makes the event of a version that goes live. Returns undefined without subscriptions. */
export function botEventFor(
  { chat }: Pick<Context, "chat">,
  { id: botId, workspaceId }: { id: string; workspaceId: string },
  type: BotEvent["type"] & EventType,
  note?: string,
): ((version: { number: number }) => BotEventRow) | undefined {
  if (!chat.subscriptions.wants({ workspaceId, botId, type })) return undefined
  return ({ number }) => {
    const payload: BotEvent["data"] = { version: number, ...(note !== undefined && { note }) }
    return { id: newUuid(), routeId: newUuid(), workspaceId, botId, type, payload }
  }
}
