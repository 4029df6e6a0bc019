/** Ask Model: one question to a model of OpenAI that remembers the conversation (Responses API). */
import { isFailure, type Outcome } from "../../../calls.ts"
import { readNumber } from "../../../variables/number.ts"
import { failureLog } from "../../apiAnswer.ts"
import type { Step } from "../../block.ts"
import { openAiBaseUrl } from "../openAiApi.ts"
import { mapItems, refusal, type Visit } from "../service.ts"
import { assignmentsOf, toolsOf } from "../tools.ts"
import type { OpenAiOptions } from "./schema.ts"

/** The step that asks. */
export function askModel(visit: Visit<OpenAiOptions>): Step<"model"> {
  const { options, raw, credential, context } = visit
  const model = options.model?.trim()
  if (!model) return refusal("No model is given")
  if (!options.message) return refusal("No message is given")
  const temperature = readNumber(options.temperature, context)
  const tools = toolsOf(raw.functions, context)
  const conversationId =
    options.responseIdVariableId === undefined
      ? undefined
      : context.variables.value(options.responseIdVariableId)
  const hosted = hostedTools(visit)
  return {
    next: {
      call: {
        kind: "model",
        protocol: "responses",
        credential,
        baseUrl: options.baseUrl ?? openAiBaseUrl,
        ...(options.apiVersion ? { apiVersion: options.apiVersion } : {}),
        model,
        messages: [
          ...(options.instructions
            ? [{ role: "system" as const, content: options.instructions }]
            : []),
          { role: "user", content: options.message },
        ],
        ...(typeof conversationId === "string" ? { conversationId } : {}),
        ...(temperature === undefined ? {} : { temperature }),
        ...(tools.length > 0 ? { tools } : {}),
        ...(Object.keys(hosted).length > 0 ? { hosted } : {}),
        maxSteps: 10,
      },
    },
  }
}

function hostedTools({ options, context }: Visit<OpenAiOptions>) {
  const vectorStoreIds = (options.fileSearchVectorStoreIds ?? []).filter(Boolean)
  const maxResults = readNumber(options.fileSearchMaxNumResults, context)
  const scoreThreshold = readNumber(options.fileSearchScoreThreshold, context)
  const fileSearch = {
    vectorStoreIds,
    ...(maxResults === undefined ? {} : { maxResults }),
    ...(scoreThreshold === undefined ? {} : { scoreThreshold }),
  }
  return {
    ...(vectorStoreIds.length > 0 ? { fileSearch } : {}),
    ...(options.webSearchEnabled ? { webSearch: true } : {}),
    ...(options.codeInterpreterEnabled ? { codeInterpreter: true } : {}),
  }
}

/** What is kept of the answer; `withoutText`: the client has the text already. */
export function modelAnswered(
  { options, context }: Visit<OpenAiOptions>,
  outcome: Outcome<"model">,
  withoutText = false,
): Pick<Step, "set" | "log"> {
  if (isFailure(outcome)) return { log: [failureLog(outcome, "While asking OpenAI")] }
  const { text, conversationId, assigned } = outcome
  const mapped = mapItems(options.responseMapping, "Message", {
    ...(withoutText ? {} : { Message: text }),
    "Response ID": conversationId,
  })
  const isMapped = options.responseMapping?.some(
    ({ item, variableId }) => item === "Response ID" && variableId,
  )
  const { responseIdVariableId: variableId } = options
  const kept =
    variableId && conversationId && !isMapped ? [{ variableId, value: conversationId }] : []
  return { set: [...mapped, ...kept, ...assignmentsOf(assigned, context)] }
}
