/** Comes back from a jump or from an event. */
import type { Action } from "../../block.ts"
import { type ReturnBlock, returnBlockSchema } from "./schema.ts"

export const returnBlock: Action<ReturnBlock> = {
  kind: "action",
  schema: returnBlockSchema,
  replay: "run",
  run: () => ({ next: "back" }),
}
