/** Stored form of the ElevenLabs block. */
import { z } from "zod"
import { blockShape } from "../../blockShape.ts"
import { actionOption, credentialsOption, text, variableOption } from "../serviceSchema.ts"

const optionsSchema = z
  .object({
    credentialsId: credentialsOption,
    action: actionOption(["Convert text to speech"]),
    text: text("What to say"),
    voiceId: text("Id of the voice"),
    modelId: text("Id of the model"),
    saveUrlInVariableId: variableOption("Variable for the address of the MP3"),
  })
  .meta({ id: "ElevenlabsOptions", description: "What ElevenLabs shall say" })

export type ElevenlabsOptions = z.infer<typeof optionsSchema>

export const elevenlabsBlockSchema = z
  .object({
    ...blockShape,
    type: z.literal("elevenlabs").describe("ElevenLabs"),
    options: optionsSchema.optional(),
  })
  .meta({ id: "ElevenlabsBlock", description: "Makes speech of a text" })

export type ElevenlabsBlock = z.infer<typeof elevenlabsBlockSchema>
