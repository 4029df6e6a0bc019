/** Speech from text and text from speech, by OpenAI. */
import type { Outcome } from "../../../calls.ts"
import { readApiAnswer } from "../../apiAnswer.ts"
import type { Step } from "../../block.ts"
import { pickText } from "../../json.ts"
import { request } from "../api.ts"
import { mp3, openAiPost, speechRequest } from "../openAiApi.ts"
import { refusal, type Visit } from "../service.ts"
import type { OpenAiOptions } from "./schema.ts"

/** Asks for an MP3. */
export function speak(visit: Visit<OpenAiOptions>): Step<"http"> {
  const { input, voice, model = "tts-1", instructions, saveUrlInVariableId } = visit.options
  if (!input) return refusal("No text to speak is given")
  if (!voice) return refusal("No voice is given")
  if (!saveUrlInVariableId) return refusal("No variable for the speech is given")
  const speech = { model, input, voice, ...(instructions ? { instructions } : {}) }
  const call = request(visit, speechRequest(visit.options, speech), {
    timeoutMs: 120_000,
    savesFile: mp3,
  })
  return { next: { call } }
}

/** Keeps its address. */
export function spoken({ options }: Visit<OpenAiOptions>, outcome: Outcome<"http">): Step {
  const answer = readApiAnswer(outcome, "While creating speech")
  if ("log" in answer) return { log: [answer.log] }
  const { saveUrlInVariableId: variableId } = options
  return variableId ? { set: [{ variableId, value: answer.fileUrl }] } : {}
}

/** Asks for the words of a recording. */
export function transcribe(visit: Visit<OpenAiOptions>): Step<"http"> {
  const { url, model = "whisper-1", prompt } = visit.options
  if (!url) return refusal("No recording is given")
  const made = openAiPost(visit.options, "/audio/transcriptions", {
    multipart: [
      ["model", model],
      ["response_format", "json"],
      ...(prompt ? [["prompt", prompt] satisfies [string, string]] : []),
    ],
    file: { name: "file", url },
  })
  return { next: { call: request(visit, made, { timeoutMs: 120_000 }) } }
}

/** Keeps them. */
export function transcribed({ options }: Visit<OpenAiOptions>, outcome: Outcome<"http">): Step {
  const answer = readApiAnswer(outcome, "While creating a transcription")
  if ("log" in answer) return { log: [answer.log] }
  const { transcriptionVariableId: variableId } = options
  return variableId ? { set: [{ variableId, value: pickText(answer.data, "text") }] } : {}
}
