/** Asks a model for the next message of a conversation, and keeps what it says. */
import { isFailure, type ModelAsk, type Outcome } from "../../calls.ts"
import { readNumber } from "../../variables/number.ts"
import { failureLog } from "../apiAnswer.ts"
import type { Step } from "../block.ts"
import type { CompletionOptions } from "./completionSchema.ts"
import { messagesOf, withPictures } from "./messages.ts"
import { mapItems, refusal, type Visit } from "./service.ts"
import { assignmentsOf, toolsOf } from "./tools.ts"

/** What differs from provider to provider. */
export type Provider = {
  /** For logs. */
  name: string
  protocol: ModelAsk["protocol"]
  /** Root of the API, unless options or credential have another. */
  baseUrl: string
  /** Whether a model looks at pictures. Absent: none does. */
  sees?(model: string): boolean
}

/** Answers of a model within one completion, those included that only call tools. */
const maxSteps = 6

/** The step that asks. */
export function complete(visit: Visit<CompletionOptions>, provider: Provider): Step<"model"> {
  const { options, raw, credential, context } = visit
  const model = options.model?.trim()
  if (!model) return refusal("No model is given")
  const system = options.systemMessage
  const said = messagesOf(options.messages, context)
  if (said.length === 0) return refusal("No messages are given")
  const messages = system ? [{ role: "system" as const, content: system }, ...said] : said
  const temperature = readNumber(options.temperature, context)
  const maxTokens = readNumber(options.maxTokens, context)
  const tools = toolsOf(raw.tools, context)
  return {
    next: {
      call: {
        kind: "model",
        protocol: provider.protocol,
        credential,
        baseUrl: options.baseUrl ?? provider.baseUrl,
        ...(options.apiVersion ? { apiVersion: options.apiVersion } : {}),
        model,
        messages: provider.sees?.(model) ? withPictures(messages) : messages,
        ...(temperature === undefined ? {} : { temperature }),
        ...(maxTokens === undefined ? {} : { maxTokens }),
        ...(tools.length > 0 ? { tools } : {}),
        maxSteps,
      },
    },
  }
}

/** What is kept of the answer; `withoutText`: the client has the text already. */
export function completed(
  { options, context }: Visit<CompletionOptions>,
  outcome: Outcome<"model">,
  { provider, withoutText = false }: { provider: Provider; withoutText?: boolean },
): Pick<Step, "set" | "log"> {
  if (isFailure(outcome)) return { log: [failureLog(outcome, `While asking ${provider.name}`)] }
  const { text, usage, assigned } = outcome
  const mapped = mapItems(renamed(options.responseMapping), "Message content", {
    ...(withoutText ? {} : { "Message content": text }),
    ...usageItems(usage),
  })
  return { set: [...mapped, ...assignmentsOf(assigned, context)] }
}

/** Numbers of tokens by the names that mappings know them by, as texts. */
export function usageItems(usage: { total?: number; prompt?: number; completion?: number } = {}) {
  const { total, prompt, completion } = usage
  return {
    "Total tokens": total?.toString(),
    "Prompt tokens": prompt?.toString(),
    "Completion tokens": completion?.toString(),
  }
}

/** The variable that receives the text of the answer; undefined: none does. */
export function textVariable(mapping: CompletionOptions["responseMapping"]): string | undefined {
  return renamed(mapping)?.find(
    ({ item = "Message content", variableId }) => item === "Message content" && variableId,
  )?.variableId
}

// Older bots spell it in capitals.
function renamed(mapping: CompletionOptions["responseMapping"]) {
  return mapping?.map((entry) =>
    entry.item === "Message Content" ? { ...entry, item: "Message content" } : entry,
  )
}
