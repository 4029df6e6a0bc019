/** Does nothing: the chat begins at this block's edge, not at the block. */
import type { Action } from "../block.ts"
import { type StartBlock, startBlockSchema } from "./schema.ts"

export const startBlock: Action<StartBlock> = {
  kind: "action",
  schema: startBlockSchema,
  isStart: true,
  replay: "run",
  run: () => ({ next: "pass" }),
}
