/** OpenAI as older bots know it: chat completions and speech. */

import { readJson } from "../../../../lib/foreignJson.ts"
import { nonEmpty } from "../../../../lib/presentMembers.ts"
import { spend } from "../../../budget/fuel.ts"
import {
  type Assignment,
  assignTo,
  type Failure,
  isFailure,
  type ModelAsk,
  type ModelMessage,
  type Outcome,
} from "../../../calls.ts"
import { readNumber } from "../../../variables/interpolate.ts"
import { interpolateStructure } from "../../../variables/interpolateStructure.ts"
import { asList } from "../../../variables/variables.ts"
import { failureLog, mp3, readApiAnswer, request } from "../../api.ts"
import type { BlockContext, Step } from "../../block.ts"
import { action } from "../../defineBlock.ts"
import { usageItems } from "../../services/models/completion.ts"
import { messagesOf, messageUnits } from "../../services/models/modelMessages.ts"
import { openAiBaseUrl, openAiKeyAddress, speechRequest } from "../../services/models/openAiApi.ts"
import {
  callOf,
  carried,
  mapItems,
  outcomeSet,
  refusal,
  startStream,
  variableOfItem,
} from "../../services/serviceBlock.ts"
import {
  type LegacyMessage,
  type LegacyOptions,
  type OpenAiLegacyBlock,
  openAiLegacyBlockSchema,
} from "./schema.ts"

type Kinds = "model" | "http"

/** The number of messages asked and dropped, and whether it was retried after a wait. */
type Attempt = { asked: number; dropped: number; hasWaited: boolean }

const firstAttempt: Attempt = { asked: 0, dropped: 0, hasWaited: false }

const activity = "While asking OpenAI"
const content = "Message content"
const busy = new Set([403, 500, 503])

export const openAiLegacyBlock = action<OpenAiLegacyBlock, Kinds>(openAiLegacyBlockSchema, {
  catalogue: {
    label: "Old OpenAI",
    description: "Asks models of OpenAI for an answer or for speech, as older flows do",
    category: "ai",
    icon: "sparkles",
    isLegacy: true,
  },
  needsCredentials: ({ options }) =>
    options?.task === "Create chat completion" || options?.task === "Create speech",
  sendsKeyTo: openAiKeyAddress,
  run,
  resume: { model: answered, http: spoken },
  receive: ({ options }, text, context) => {
    const value = readJson(text)
    const said = typeof value === "string" ? value : text
    return { set: contentSet(options, said, context), skipsNextBubble: true }
  },
  stream: ({ options }, context) =>
    options?.task === "Create chat completion" && options.credentialsId
      ? callOf(complete(options, context))
      : undefined,
  streamed: ({ options }, outcome) => {
    if (isFailure(outcome)) return failedStep(options, outcome)
    const tokens = "usage" in outcome ? tokensSet(options, outcome.usage) : []
    return { set: [...tokens, ...outcomeSet(mappingOf(options), false)] }
  },
})

function run({ options }: OpenAiLegacyBlock, context: BlockContext): Step<Kinds> {
  if (!options?.task || options.task === "Create image") return {}
  if (!options.credentialsId) return refusal("OpenAI has no account to use")
  if (options.task === "Create speech") return speak(options, context)
  const set = listsOf(options.messages, context)
  const step =
    startStream(variableOfItem(mappingOf(options), content, content), context) ??
    complete(options, context)
  return { ...step, set }
}

function complete(
  raw: LegacyOptions,
  context: BlockContext,
  attempt = firstAttempt,
): Step<"model"> {
  const { advancedSettings, ...options } = interpolateStructure(raw, context, { dropsEmpty: true })
  const messages = spellOut(options.messages, context).slice(attempt.dropped)
  if (messages.length === 0) return refusal("No messages are given")
  const ask: ModelAsk = {
    protocol: "chatCompletions",
    credential: { id: raw.credentialsId ?? "", type: "openai" },
    baseUrl: options.baseUrl ?? openAiBaseUrl,
    model: options.model?.trim() ?? "gpt-3.5-turbo",
    messages,
    maxSteps: 1,
    ...nonEmpty({
      apiVersion: options.apiVersion,
      temperature: readNumber(advancedSettings?.temperature, context),
      delayMs: attempt.hasWaited ? 3000 : undefined,
    }),
  }
  const carry = { ...attempt, asked: messages.length }
  return { next: { call: { kind: "model", carry, ...ask } } }
}

function answered(
  { options }: OpenAiLegacyBlock,
  outcome: Outcome<"model">,
  context: BlockContext,
): Step<Kinds> {
  if (isFailure(outcome)) return tryAgain(options ?? {}, outcome, context)
  const set = [...contentSet(options, outcome.text, context), ...tokensSet(options, outcome.usage)]
  return { set: [...set, ...outcomeSet(mappingOf(options), false)] }
}

/** Drops the first messages of a conversation that is too long; retries a busy provider once. */
function tryAgain(options: LegacyOptions, failure: Failure, context: BlockContext): Step<Kinds> {
  const attempt = carried<Attempt>(context) ?? firstAttempt
  const last = failedStep(options, failure)
  if (failure.status === 400) {
    // Drops one, two, four and so on, at most half: bounds the attempts.
    const more = Math.min(attempt.dropped + 1, Math.ceil(attempt.asked / 2))
    const fewer = complete(options, context, { ...attempt, dropped: attempt.dropped + more })
    if (!fewer.next) return last
    const description = "OpenAI refused the conversation; asking without its first messages"
    return { ...fewer, log: [{ status: "info", description }] }
  }
  const isBusy = failure.status !== undefined && busy.has(failure.status)
  return isBusy && !attempt.hasWaited
    ? complete(options, context, { ...attempt, hasWaited: true })
    : last
}

function failedStep(options: LegacyOptions | undefined, failure: Failure) {
  const set = outcomeSet(mappingOf(options), true, failure)
  return { log: [failureLog(failure, activity)], ...nonEmpty({ set }) }
}

function speak(raw: LegacyOptions, context: BlockContext): Step<"http"> {
  const options = interpolateStructure(raw, context, { dropsEmpty: true })
  const { model, input, voice, saveUrlInVariableId } = options
  if (!model || !input || !voice || !saveUrlInVariableId) {
    return refusal("Speech needs a model, a text, a voice and a variable")
  }
  const credential = { id: raw.credentialsId ?? "", type: "openai" }
  const httpRequest = speechRequest(options, { model, input, voice })
  return request({ credential }, httpRequest, { timeoutMs: 120_000, savesFile: mp3 })
}

function spoken({ options }: OpenAiLegacyBlock, outcome: Outcome<"http">): Step<Kinds> {
  const answer = readApiAnswer(outcome, "While creating speech")
  if ("log" in answer) return { log: [answer.log] }
  return { set: assignTo(options?.saveUrlInVariableId, answer.fileUrl) }
}

const mappingOf = (options: LegacyOptions | undefined) =>
  options?.responseMapping?.map(({ valueToExtract, variableId }) => ({
    item: valueToExtract,
    variableId,
  }))

/** Appends the text to a list; sets any other variable. */
function contentSet(options: LegacyOptions | undefined, text: string, context: BlockContext) {
  const mapped = mapItems(mappingOf(options), content, { [content]: text })
  return mapped.map(({ variableId, value }) => {
    const present = context.variables.value(variableId)
    return { variableId, value: Array.isArray(present) ? [...present, value] : value }
  })
}

function tokensSet(options: LegacyOptions | undefined, usage: Parameters<typeof usageItems>[0]) {
  return mapItems(mappingOf(options), content, usageItems(usage))
}

/** The messages; their variables are already filled in. */
function spellOut(
  messages: readonly LegacyMessage[] | undefined,
  context: BlockContext,
): ModelMessage[] {
  return (messages ?? []).flatMap((message): ModelMessage[] => {
    const { role, content, name } = message
    if (typeof content === "object") return sequenceOf(content, context)
    if (role !== "system" && role !== "user" && role !== "assistant") {
      return messagesOf(role === "Dialogue" ? [{ ...message, role, content }] : [], context)
    }
    return content ? [{ role, content, ...(name ? { name } : {}) }] : []
  })
}

/** Turns the variables of sequences into lists where they are not lists yet. */
function listsOf(
  messages: readonly LegacyMessage[] | undefined,
  { variables }: BlockContext,
): Assignment[] {
  return (messages ?? []).flatMap(({ content }): Assignment[] => {
    if (typeof content !== "object") return []
    const ids = [content.assistantMessagesVariableId, content.userMessagesVariableId]
    return ids.flatMap((variableId) => {
      const value = variables.value(variableId)
      return Array.isArray(value) ? [] : assignTo(variableId, asList(value))
    })
  })
}

type Sequence = Exclude<LegacyMessage["content"], string | undefined>

function sequenceOf(content: Sequence, { variables, fuel }: BlockContext): ModelMessage[] {
  const assistant = asList(variables.value(content.assistantMessagesVariableId))
  const user = asList(variables.value(content.userMessagesVariableId))
  const turns = Math.max(assistant.length, user.length)
  spend(fuel, 2 * messageUnits * turns)
  const startsWithUser = user.length > assistant.length
  return Array.from({ length: turns }, (_, index): ModelMessage[] => {
    const pair: ModelMessage[] = [
      { role: "assistant", content: assistant[index] ?? "" },
      { role: "user", content: user[index] ?? "" },
    ]
    return startsWithUser ? pair.reverse() : pair
  })
    .flat()
    .filter(({ content: said }) => said !== "")
}
