/** Plays a clip. */
import { interpolate, interpolateStructure } from "../../../variables/interpolate.ts"
import type { Bubble } from "../../block.ts"
import { type AudioBlock, audioBlockSchema } from "./schema.ts"

export const audioBlock: Bubble<AudioBlock> = {
  kind: "bubble",
  schema: audioBlockSchema,
  show: ({ content }, context) =>
    content && { type: "audio", content: interpolateStructure(content, context) },
  mentions: (block) => ({ texts: [block.content?.url] }),
  transcribe: (block, context) => {
    return { type: "audio", content: interpolate(block.content?.url, context) }
  },
}
