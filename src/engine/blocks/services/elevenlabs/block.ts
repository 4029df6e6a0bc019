/** ElevenLabs: turns a text into speech and stores the address of the file. */
import { assignTo } from "../../../calls.ts"
import { optional } from "../../../schema/sharedMembers.ts"
import { json, mp3, request, segment } from "../../api.ts"
import { blockSchemaOf } from "../../defineBlock.ts"
import { actionOption, credentialsOption, refusal, serviceBlock } from "../serviceBlock.ts"

const elevenlabsBlockSchema = blockSchemaOf("elevenlabs", {
  options: optional.named("ElevenlabsOptions", "Options of the speech", {
    credentialsId: credentialsOption,
    action: actionOption(["Convert text to speech"]),
    text: optional.template("Text to speak"),
    voiceId: optional.template("Id of the voice"),
    modelId: optional.template("Id of the model"),
    saveUrlInVariableId: optional.variableId("Variable for the address of the MP3"),
  }),
}).meta({ id: "ElevenlabsBlock" })

export const elevenlabsBlock = serviceBlock(elevenlabsBlockSchema, {
  catalogue: {
    label: "ElevenLabs",
    description: "Turns a text into speech and keeps the address of the recording",
    category: "ai",
    icon: "audio-lines",
  },
  actions: {
    "Convert text to speech": {
      activity: "While creating speech",
      run: (action) => {
        const { text, voiceId, modelId, saveUrlInVariableId } = action.options
        if (!text || !voiceId || !modelId || !saveUrlInVariableId) {
          return refusal("Speech needs a text, a voice, a model and a variable")
        }
        const speech = {
          method: "POST",
          url: `https://api.elevenlabs.io/v1/text-to-speech/${segment(voiceId)}`,
          headers: [["xi-api-key", [{ secret: "apiKey" }]] satisfies [string, object[]]],
          body: json({ text, model_id: modelId }),
        }
        return request(action, speech, { timeoutMs: 120_000, savesFile: mp3 })
      },
      resume: {
        http: ({ options }, { fileUrl }) => ({
          set: assignTo(options.saveUrlInVariableId, fileUrl),
        }),
      },
    },
  },
})
