/** Skips a block of a type that this service does not know, and says so in the log. */
import type { Action } from "../block.ts"
import { type UnknownBlock, unknownBlockSchema } from "./schema.ts"

export const unknownBlock: Action<UnknownBlock> = {
  kind: "action",
  schema: unknownBlockSchema,
  isUnknown: true,
  replay: "run",
  run: (block) => ({
    log: [
      {
        status: "error",
        description: `Blocks of type "${block.type}" are not supported and were skipped`,
      },
    ],
    next: "pass",
  }),
}
