/** Ask Model: one question to a model of OpenAI that remembers the conversation (Responses API). */

import { nonEmpty } from "../../../../lib/presentMembers.ts"
import { assignTo } from "../../../calls.ts"
import { namedAssignments } from "../../../variables/code.ts"
import { readNumber } from "../../../variables/interpolate.ts"
import { askProvider } from "../models/completion.ts"
import { mcpServersOf, toolsOf } from "../models/modelTools.ts"
import { openAiBaseUrl } from "../models/openAiApi.ts"
import {
  type ActionContext,
  mapItems,
  type Results,
  refusal,
  type ServiceAction,
  type ServiceStep,
  savedText,
  variableOfItem,
} from "../serviceBlock.ts"
import type { OpenAiOptions } from "./schema.ts"

export const askModel: ServiceAction<OpenAiOptions> = {
  activity: "While asking OpenAI",
  run: ask,
  resume: { model: keep },
  streamsTo: ({ responseMapping }) => variableOfItem(responseMapping, "Message", "Message"),
}

const provider = { name: "OpenAI", protocol: "responses", baseUrl: openAiBaseUrl } as const

function ask(action: ActionContext<OpenAiOptions>): ServiceStep {
  const { options, raw, context } = action
  const model = options.model?.trim()
  if (!model) return refusal("No model is given")
  if (!options.message) return refusal("No message is given")
  const { instructions, responseIdVariableId } = options
  const hosted = hostedTools(action)
  return askProvider(action, provider, {
    model,
    messages: [
      ...(instructions ? [{ role: "system" as const, content: instructions }] : []),
      { role: "user", content: options.message },
    ],
    ...nonEmpty({
      conversationId: savedText(responseIdVariableId, context),
      temperature: readNumber(options.temperature, context),
      tools: toolsOf(raw.functions, context),
      mcpServers: mcpServersOf(raw.mcpServers),
    }),
    ...(Object.keys(hosted).length > 0 ? { hosted } : {}),
    maxSteps: 10,
  })
}

function hostedTools({ options, context }: ActionContext<OpenAiOptions>) {
  const vectorStoreIds = (options.fileSearchVectorStoreIds ?? []).filter(Boolean)
  const limits = nonEmpty({
    maxResults: readNumber(options.fileSearchMaxNumResults, context),
    scoreThreshold: readNumber(options.fileSearchScoreThreshold, context),
  })
  return {
    ...(vectorStoreIds.length > 0 ? { fileSearch: { vectorStoreIds, ...limits } } : {}),
    ...(options.webSearchEnabled ? { webSearch: true } : {}),
    ...(options.codeInterpreterEnabled ? { codeInterpreter: true } : {}),
  }
}

function keep(
  { options, context }: ActionContext<OpenAiOptions>,
  { text, conversationId, assigned }: Results["model"],
): ServiceStep {
  const { responseMapping, responseIdVariableId } = options
  const mapped = mapItems(responseMapping, "Message", {
    Message: text,
    "Response ID": conversationId,
  })
  const isMapped = variableOfItem(responseMapping, "Response ID") !== undefined
  const kept = conversationId && !isMapped ? assignTo(responseIdVariableId, conversationId) : []
  return { set: [...mapped, ...kept, ...namedAssignments(assigned, context)] }
}
