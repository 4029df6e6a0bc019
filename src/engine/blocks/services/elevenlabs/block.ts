/** ElevenLabs: makes speech of a text and keeps its address. */
import { json, keepFile, mp3, request } from "../../api.ts"
import { refusal, serviceBlock } from "../service.ts"
import { elevenlabsBlockSchema } from "./schema.ts"

export const elevenlabsBlock = serviceBlock(elevenlabsBlockSchema, {
  "Convert text to speech": {
    run: (action) => {
      const { text, voiceId, modelId, saveUrlInVariableId } = action.options
      if (!text || !voiceId || !modelId || !saveUrlInVariableId) {
        return refusal("Speech needs a text, a voice, a model and a variable")
      }
      const speech = {
        method: "POST",
        url: `https://api.elevenlabs.io/v1/text-to-speech/${encodeURIComponent(voiceId)}`,
        headers: [["xi-api-key", [{ secret: "apiKey" }]] satisfies [string, object[]]],
        body: json({ text, model_id: modelId }),
      }
      return request(action, speech, { timeoutMs: 120_000, savesFile: mp3 })
    },
    resume: {
      http: ({ options }, outcome) =>
        keepFile(outcome, options.saveUrlInVariableId, "While creating speech"),
    },
  },
})
