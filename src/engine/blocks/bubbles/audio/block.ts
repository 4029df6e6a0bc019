/** Plays a clip. */
import { optional } from "../../../schema/sharedMembers.ts"
import { interpolateStructure } from "../../../variables/interpolateStructure.ts"
import { blockSchemaOf, bubble } from "../../defineBlock.ts"

const audioBlockSchema = blockSchemaOf("audio", {
  content: optional.named("AudioBubbleContent", "The clip to play", {
    url: optional.template("Address of the clip"),
    isAutoplayEnabled: optional.flag("Whether to start at once", true),
  }),
}).meta({ id: "AudioBlock" })

export const audioBlock = bubble(audioBlockSchema, {
  catalogue: {
    label: "Audio",
    description: "Plays an audio clip",
    category: "messages",
    icon: "volume-2",
  },
  show: ({ content }, context) =>
    content && { type: "audio", content: interpolateStructure(content, context) },
  mentions: (block) => ({ texts: [block.content?.url] }),
})
