/** Plays a clip. */
import { interpolateStructure } from "../../../variables/interpolate.ts"
import type { Bubble } from "../../block.ts"
import { transcribeUrl } from "../transcribeUrl.ts"
import { type AudioBlock, audioBlockSchema } from "./schema.ts"

export const audioBlock: Bubble<AudioBlock> = {
  kind: "bubble",
  schema: audioBlockSchema,
  show: ({ content }, context) =>
    content && { type: "audio", content: interpolateStructure(content, context) },
  mentions: (block) => ({ texts: [block.content?.url] }),
  transcribe: (block, context) => transcribeUrl("audio", block.content?.url, context),
}
