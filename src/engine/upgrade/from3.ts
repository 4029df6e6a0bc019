/** Version 3 to 4: requests that used to be stored apart live in their blocks. */
import { typeOf } from "../blocks/registry.ts"
import type { Flow } from "../bot.ts"
import { eachBlock } from "./eachBlock.ts"

/** The flow as version 4. */
export function from3(flow: Flow): Flow {
  const groups = eachBlock(flow.groups, (block) => typeOf(block).upgrade?.from3?.(block) ?? block)
  return { ...flow, version: "4", groups }
}
