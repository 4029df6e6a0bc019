/** Speech from text and text from speech, by OpenAI. */

import { pickText } from "../../../../lib/foreignJson.ts"
import { nonEmpty } from "../../../../lib/presentMembers.ts"
import { assignTo } from "../../../calls.ts"
import { mp3, request } from "../../api.ts"
import { openAiPost, speechRequest } from "../models/openAiApi.ts"
import {
  type ActionContext,
  refusal,
  type ServiceAction,
  type ServiceStep,
} from "../serviceBlock.ts"
import type { OpenAiOptions } from "./schema.ts"

const timeoutMs = 120_000

/** Creates speech as an MP3 and stores its address. */
export const speech: ServiceAction<OpenAiOptions> = {
  activity: "While creating speech",
  run: speak,
  resume: {
    http: ({ options }, { fileUrl }) => ({ set: assignTo(options.saveUrlInVariableId, fileUrl) }),
  },
}

function speak(action: ActionContext<OpenAiOptions>): ServiceStep {
  const { input, voice, model = "tts-1", instructions, saveUrlInVariableId } = action.options
  if (!input) return refusal("No text to speak is given")
  if (!voice) return refusal("No voice is given")
  if (!saveUrlInVariableId) return refusal("No variable for the speech is given")
  const spoken = { model, input, voice, ...nonEmpty({ instructions }) }
  return request(action, speechRequest(action.options, spoken), { timeoutMs, savesFile: mp3 })
}

/** Transcribes a recording and stores the text. */
export const transcription: ServiceAction<OpenAiOptions> = {
  activity: "While creating a transcription",
  run: transcribe,
  resume: {
    http: ({ options }, { data }) => ({
      set: assignTo(options.transcriptionVariableId, pickText(data, "text")),
    }),
  },
}

function transcribe(action: ActionContext<OpenAiOptions>): ServiceStep {
  const { url, model = "whisper-1", prompt } = action.options
  if (!url) return refusal("No recording is given")
  const httpRequest = openAiPost(action.options, "/audio/transcriptions", {
    multipart: [
      ["model", model],
      ["response_format", "json"],
      ...(prompt ? [["prompt", prompt] satisfies [string, string]] : []),
    ],
    file: { name: "file", url },
  })
  return request(action, httpRequest, { timeoutMs })
}
