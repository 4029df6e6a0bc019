/** Plays a clip. */
import type { z } from "zod"
import { optional } from "../../../schema/members.ts"
import { interpolateStructure } from "../../../variables/interpolate.ts"
import type { Bubble } from "../../block.ts"
import { blockSchemaOf } from "../../blockSchema.ts"

const audioBlockSchema = blockSchemaOf("audio", "An audio bubble", {
  content: optional.named("AudioBubbleContent", "The clip to play", {
    url: optional.template("Address of the clip"),
    isAutoplayEnabled: optional.flag("Whether to start at once; default true"),
  }),
}).meta({ id: "AudioBlock", description: "Plays a clip" })

export type AudioBlock = z.infer<typeof audioBlockSchema>

export const audioBlock: Bubble<AudioBlock> = {
  kind: "bubble",
  schema: audioBlockSchema,
  show: ({ content }, context) =>
    content && { type: "audio", content: interpolateStructure(content, context) },
  mentions: (block) => ({ texts: [block.content?.url] }),
}
