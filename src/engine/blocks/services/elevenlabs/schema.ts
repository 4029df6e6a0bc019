/** Stored form of the ElevenLabs block. */
import type { z } from "zod"
import { namedObject, optional } from "../../../schema/members.ts"
import { blockSchemaOf } from "../../blockSchema.ts"
import { actionOption, credentialsOption } from "../serviceSchema.ts"

const optionsSchema = namedObject("ElevenlabsOptions", "What ElevenLabs shall say", {
  credentialsId: credentialsOption,
  action: actionOption(["Convert text to speech"]),
  text: optional.template("What to say"),
  voiceId: optional.template("Id of the voice"),
  modelId: optional.template("Id of the model"),
  saveUrlInVariableId: optional.variableId("Variable for the address of the MP3"),
})

export type ElevenlabsOptions = z.infer<typeof optionsSchema>

export const elevenlabsBlockSchema = blockSchemaOf("elevenlabs", "ElevenLabs", {
  options: optionsSchema.optional(),
}).meta({ id: "ElevenlabsBlock", description: "Makes speech of a text" })

export type ElevenlabsBlock = z.infer<typeof elevenlabsBlockSchema>
