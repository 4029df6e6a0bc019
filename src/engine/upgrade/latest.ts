/** Brings a flow of any version to the latest. */
import { type Flow, hasEvents } from "../bot.ts"
import { from3 } from "./from3.ts"
import { from5 } from "./from5.ts"

/**
 * The flow as the latest version; one of version 6 counts as up to date and stays as it is, because
 * the default look of 6.1 differs. Undefined when an old flow has no start. `newId` makes ids of new
 * parts.
 */
export function toLatest(flow: Flow, newId: () => string): Flow | undefined {
  if (hasEvents(flow.version)) return flow
  return from5(flow.version === "3" ? from3(flow) : flow, newId)
}
