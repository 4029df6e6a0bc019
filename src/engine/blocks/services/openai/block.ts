/** OpenAI: chats, questions, assistants, generated variables, speech and transcriptions. */
import { isFailure } from "../../../calls.ts"
import type { Action } from "../../block.ts"
import { complete, completed, type Provider, textVariable } from "../completion.ts"
import { extract, extracted } from "../extraction.ts"
import { openAiBaseUrl, openAiKeyAddress, seesPictures } from "../openAiApi.ts"
import { actWithCredential, callOf, needsAccount, type Visit } from "../service.ts"
import { receiveStream, startStream } from "../streaming.ts"
import { askAssistant, assistantAnswered, functionsAnswered } from "./askAssistant.ts"
import { askModel, modelAnswered } from "./askModel.ts"
import { speak, spoken, transcribe, transcribed } from "./audio.ts"
import { actions, type OpenAiOptions, type OpenaiBlock, openaiBlockSchema } from "./schema.ts"

type Kinds = "model" | "http" | "script"

const provider: Provider = {
  name: "OpenAI",
  protocol: "chatCompletions",
  baseUrl: openAiBaseUrl,
  sees: seesPictures,
}

const ask = {
  [actions.complete]: (visit: Visit<OpenAiOptions>) => complete(visit, provider),
  [actions.extract]: (visit: Visit<OpenAiOptions>) => extract(visit, provider),
  [actions.askModel]: askModel,
  [actions.askAssistant]: askAssistant,
  [actions.speak]: speak,
  [actions.transcribe]: transcribe,
}

export const openaiBlock: Action<OpenaiBlock, Kinds> = {
  kind: "action",
  schema: openaiBlockSchema,
  needsCredentials: needsAccount,
  sendsKeyTo: openAiKeyAddress,
  run: (block, context) =>
    startStream(target(block), context) ??
    actWithCredential<OpenAiOptions, Kinds>(block, context, ask),
  resume: {
    model: (block, outcome, context) =>
      actWithCredential<OpenAiOptions, Kinds>(block, context, {
        [actions.complete]: (visit) => completed(visit, outcome, { provider }),
        [actions.extract]: (visit) => extracted(visit, outcome, provider),
        [actions.askModel]: (visit) => modelAnswered(visit, outcome),
      }),
    http: (block, outcome, context) =>
      actWithCredential<OpenAiOptions, Kinds>(block, context, {
        [actions.askAssistant]: (visit) => assistantAnswered(visit, outcome),
        [actions.speak]: (visit) => spoken(visit, outcome),
        [actions.transcribe]: (visit) => transcribed(visit, outcome),
      }),
    script: (block, outcome, context) =>
      actWithCredential<OpenAiOptions, Kinds>(block, context, {
        [actions.askAssistant]: (visit) => functionsAnswered(visit, outcome),
      }),
  },
  receive: (block, text) => receiveStream(target(block), text),
  stream: (block, context) =>
    target(block)
      ? callOf(actWithCredential<OpenAiOptions, Kinds>(block, context, ask))
      : undefined,
  streamed: (block, outcome, context) => {
    if (!isFailure(outcome) && (!("text" in outcome) || "status" in outcome)) return {}
    const { set, log } = actWithCredential<OpenAiOptions, never>(block, context, {
      [actions.complete]: (visit) => completed(visit, outcome, { provider, withoutText: true }),
      [actions.askModel]: (visit) => modelAnswered(visit, outcome, true),
    })
    return { ...(set ? { set } : {}), ...(log ? { log } : {}) }
  },
}

/** The variable that receives the text of an answer that can be streamed. */
function target({ options }: OpenaiBlock): string | undefined {
  if (options?.action === actions.complete) return textVariable(options.responseMapping)
  if (options?.action !== actions.askModel) return undefined
  return options.responseMapping?.find(
    ({ item = "Message", variableId }) => item === "Message" && variableId,
  )?.variableId
}
