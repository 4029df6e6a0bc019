/** ElevenLabs: makes speech of a text and keeps its address. */
import type { Outcome } from "../../../calls.ts"
import { readApiAnswer } from "../../apiAnswer.ts"
import type { Action, Step } from "../../block.ts"
import { json, request } from "../api.ts"
import { mp3 } from "../openAiApi.ts"
import { actWithCredential, needsAccount, refusal, type Visit } from "../service.ts"
import { type ElevenlabsBlock, type ElevenlabsOptions, elevenlabsBlockSchema } from "./schema.ts"

export const elevenlabsBlock: Action<ElevenlabsBlock, "http"> = {
  kind: "action",
  schema: elevenlabsBlockSchema,
  needsCredentials: needsAccount,
  run: (block, context) => actWithCredential(block, context, { "Convert text to speech": speak }),
  resume: {
    http: (block, outcome, context) =>
      actWithCredential<ElevenlabsOptions, "http">(block, context, {
        "Convert text to speech": (visit) => spoken(visit, outcome),
      }),
  },
}

function speak(visit: Visit<ElevenlabsOptions>): Step<"http"> {
  const { text, voiceId, modelId, saveUrlInVariableId } = visit.options
  if (!text || !voiceId || !modelId || !saveUrlInVariableId) {
    return refusal("Speech needs a text, a voice, a model and a variable")
  }
  const made = {
    method: "POST",
    url: `https://api.elevenlabs.io/v1/text-to-speech/${encodeURIComponent(voiceId)}`,
    headers: [["xi-api-key", [{ secret: "apiKey" }]] satisfies [string, object[]]],
    body: json({ text, model_id: modelId }),
  }
  return { next: { call: request(visit, made, { timeoutMs: 120_000, savesFile: mp3 }) } }
}

function spoken({ options }: Visit<ElevenlabsOptions>, outcome: Outcome<"http">): Step {
  const answer = readApiAnswer(outcome, "While creating speech")
  if ("log" in answer) return { log: [answer.log] }
  const { saveUrlInVariableId: variableId } = options
  return variableId ? { set: [{ variableId, value: answer.fileUrl }] } : {}
}
