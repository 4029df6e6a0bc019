/** Shape of an audio bubble. */
import type { z } from "zod"
import { namedObject, optional } from "../../../schema/members.ts"
import { blockSchemaOf } from "../../blockSchema.ts"

const contentSchema = namedObject("AudioBubbleContent", "The clip to play", {
  url: optional.template("Address of the clip"),
  isAutoplayEnabled: optional.flag("Whether to start at once; default true"),
})

export const audioBlockSchema = blockSchemaOf("audio", "An audio bubble", {
  content: contentSchema.optional(),
}).meta({ id: "AudioBlock", description: "Plays a clip" })

export type AudioBlock = z.infer<typeof audioBlockSchema>
