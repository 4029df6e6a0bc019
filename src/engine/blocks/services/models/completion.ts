/** Asks a model for the next message of a conversation, and stores its answer. */

import { nonEmpty } from "../../../../lib/presentMembers.ts"
import type { ModelAsk } from "../../../calls.ts"
import { namedAssignments } from "../../../variables/code.ts"
import { readNumber } from "../../../variables/interpolate.ts"
import type { ModelProvider } from "../../declared.ts"
import {
  type ActionContext,
  calling,
  mapItems,
  refusal,
  type ServiceAction,
  type ServiceStep,
  variableOfItem,
} from "../serviceBlock.ts"
import { messagesOf, withPictures } from "./modelMessages.ts"
import { mcpServersOf, toolsOf } from "./modelTools.ts"
import type { CompletionOptions } from "./schemas.ts"

/** The parts in which providers differ. */
export type Provider = ModelProvider & {
  /** For logs. */
  name: string
  /** Whether a model accepts pictures. Absent: none does. */
  sees?(model: string): boolean
}

type Asking = Pick<
  ActionContext<{ baseUrl?: string | undefined; apiVersion?: string | undefined }>,
  "options" | "credential"
>

export function askProvider(
  { options, credential }: Asking,
  { protocol, baseUrl }: Provider,
  question: Omit<ModelAsk, "protocol" | "credential" | "baseUrl" | "apiVersion">,
): ServiceStep {
  const address = {
    baseUrl: options.baseUrl ?? baseUrl,
    ...nonEmpty({ apiVersion: options.apiVersion }),
  }
  return calling({ kind: "model", protocol, credential, ...address, ...question })
}

/** Max answers of a model in one completion, including those that only call tools. */
const maxSteps = 6

const content = "Message content"

export function completion(provider: Provider): ServiceAction<CompletionOptions> {
  return {
    activity: `While asking ${provider.name}`,
    run: (action) => complete(action, provider),
    resume: {
      model: ({ options, context }, { text, usage, assigned }) => {
        const values = { [content]: text, ...usageItems(usage) }
        const mapped = mapItems(renamed(options.responseMapping), content, values)
        return { set: [...mapped, ...namedAssignments(assigned, context)] }
      },
    },
    streamsTo: ({ responseMapping }) => variableOfItem(renamed(responseMapping), content, content),
  }
}

function complete(action: ActionContext<CompletionOptions>, provider: Provider): ServiceStep {
  const { options, raw, context } = action
  const model = options.model?.trim()
  if (!model) return refusal("No model is given")
  const said = messagesOf(options.messages, context)
  if (said.length === 0) return refusal("No messages are given")
  const { systemMessage } = options
  const messages = systemMessage?.trim()
    ? [{ role: "system" as const, content: systemMessage }, ...said]
    : said
  return askProvider(action, provider, {
    model,
    messages: provider.sees?.(model) ? withPictures(messages) : messages,
    ...nonEmpty({
      temperature: readNumber(options.temperature, context),
      maxTokens: readNumber(options.maxTokens, context),
      tools: toolsOf(raw.tools, context),
      mcpServers: mcpServersOf(raw.mcpServers),
    }),
    maxSteps,
  })
}

/** Token counts as texts, under the names that mappings use. */
export function usageItems(usage: { total?: number; prompt?: number; completion?: number } = {}) {
  const { total, prompt, completion } = usage
  return {
    "Total tokens": total?.toString(),
    "Prompt tokens": prompt?.toString(),
    "Completion tokens": completion?.toString(),
  }
}

// Older bots use title case.
function renamed(mapping: CompletionOptions["responseMapping"]) {
  return mapping?.map((entry) =>
    entry.item === "Message Content" ? { ...entry, item: content } : entry,
  )
}
