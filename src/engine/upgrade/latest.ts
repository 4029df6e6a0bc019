/** Brings a flow of any version to the latest. */

import { typeOf } from "../blocks/registry.ts"
import { type Flow, hasEvents, mapBlocks } from "../bot.ts"
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

/** The flow as version 4: requests that used to be stored apart live in their blocks. */
function from3(flow: Flow): Flow {
  const groups = mapBlocks(flow.groups, (block) => typeOf(block).upgrade?.from3?.(block) ?? block)
  return { ...flow, version: "4", groups }
}
