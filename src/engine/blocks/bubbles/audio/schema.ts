/** Shape of an audio bubble. */
import { z } from "zod"
import { optional } from "../../../schema/members.ts"
import { blockSchemaOf } from "../../blockSchema.ts"

const contentSchema = z
  .object({
    url: optional.template("Address of the clip"),
    isAutoplayEnabled: optional.flag("Whether to start at once; default true"),
  })
  .meta({ id: "AudioBubbleContent", description: "The clip to play" })

export const audioBlockSchema = blockSchemaOf("audio", "An audio bubble", {
  content: contentSchema.optional(),
}).meta({ id: "AudioBlock", description: "Plays a clip" })

export type AudioBlock = z.infer<typeof audioBlockSchema>
