/** Talks with a model until it has answered, running the author's functions in between. */
import type { Response } from "undici"
import { pick, pickText } from "../../engine/blocks/json.ts"
import { type Failure, isFailure, type ModelAnswer, type ModelTool } from "../../engine/calls.ts"
import type { OpenCredential } from "../credentials.ts"
import type { GuardedFetch } from "../guardedFetch.ts"
import { networkFailure } from "../networkFailure.ts"
import { readBytes } from "../readBytes.ts"
import { readEvents } from "./eventStream.ts"
import {
  addUsage,
  type Dialogue,
  type PreparedAsk,
  ProviderError,
  type Reply,
  type ToolCall,
  type ToolResult,
} from "./protocol.ts"

/** What happens while a model answers. */
export type ModelEvent = { type: "step" } | { type: "text"; text: string } | { type: "stepEnd" }

/** Runs a function of the author with these arguments; text and variables are what it came to. */
export type RunTool = (
  tool: ModelTool,
  args: Record<string, unknown>,
) => Promise<{ text: string; assigned?: Record<string, unknown> | undefined }>

/** What a conversation is held with. */
export type Conversation = {
  fetch: GuardedFetch
  ask: PreparedAsk
  dialogue: Dialogue
  credential: OpenCredential
  runTool: RunTool
  /** Whether the text is wanted bit by bit. */
  isStreamed: boolean
  signal: AbortSignal
}

const maxAnswerBytes = 10_000_000
const maxRefusalBytes = 64_000

/** The events of a conversation; it returns what the model came to, or why it did not. */
export async function* converse(
  conversation: Conversation,
): AsyncGenerator<ModelEvent, ModelAnswer | Failure> {
  const { ask, dialogue } = conversation
  const answer: ModelAnswer = { text: "" }
  for (let step = 0; step < ask.maxSteps; step++) {
    yield { type: "step" }
    const reply = yield* askOnce(conversation)
    if (isFailure(reply)) return reply
    yield { type: "stepEnd" }
    const usage = addUsage(answer.usage, reply.usage)
    Object.assign(answer, { text: reply.text }, usage && { usage })
    if (reply.conversationId !== undefined) answer.conversationId = reply.conversationId
    if (reply.toolCalls.length === 0) break
    dialogue.add(reply, await runTools(conversation, reply.toolCalls, answer))
  }
  return answer
}

async function* askOnce(conversation: Conversation): AsyncGenerator<ModelEvent, Reply | Failure> {
  const { dialogue, isStreamed, signal, credential } = conversation
  const streams = isStreamed || dialogue.alwaysStreams === true
  const { url, headers, body } = dialogue.request(streams)
  try {
    const response = await conversation.fetch(url, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify(body),
      // A key must not be carried to another place.
      redirect: "manual",
      signal,
    })
    if (!response.ok) return refused(await refusalOf(response), credential, response.status)
    if (!streams) return dialogue.read(await readAnswer(response))
    return yield* readStream(dialogue, response)
  } catch (error) {
    if (error instanceof ProviderError) return refused(error.message, credential)
    return networkFailure(error, "The provider of the model")
  }
}

async function* readStream(
  dialogue: Dialogue,
  { body }: Response,
): AsyncGenerator<ModelEvent, Reply> {
  const reader = dialogue.reader()
  if (body === null) throw new ProviderError("The answer is empty")
  for await (const event of readEvents(body)) {
    const text = reader.take(event)
    if (text !== "") yield { type: "text", text }
  }
  return reader.reply()
}

async function readAnswer(response: Response): Promise<unknown> {
  const bytes = await readBytes(response, maxAnswerBytes)
  if (bytes === undefined) throw new ProviderError("The answer is too long")
  try {
    return JSON.parse(bytes.toString())
  } catch (cause) {
    throw new ProviderError("The answer is no JSON", { cause })
  }
}

/** What the provider says of why it refuses, wherever it says it. */
async function refusalOf(response: Response): Promise<string> {
  const text = (await readBytes(response, maxRefusalBytes))?.toString() ?? ""
  try {
    const data: unknown = JSON.parse(text)
    const error = pick(data, "error")
    const words = pickText(data, "error", "message") ?? pickText(data, "message")
    return words ?? (typeof error === "string" ? error : text)
  } catch {
    return text
  }
}

function refused(words: string, credential: OpenCredential, status?: number): Failure {
  const about = status === undefined ? "" : ` with status ${status}`
  return {
    failed: true,
    description: `The provider of the model refused${about}`,
    ...(words === "" ? {} : { details: credential.redact(words).slice(0, 1_000) }),
    ...(status === undefined ? {} : { status }),
    ...(status === 401 || status === 403 ? { reason: "credentials" as const } : {}),
  }
}

async function runTools(
  { ask, runTool }: Conversation,
  calls: readonly ToolCall[],
  answer: ModelAnswer,
): Promise<ToolResult[]> {
  const results: ToolResult[] = []
  for (const call of calls) {
    const tool = ask.tools?.find(({ name }) => name === call.name)
    const args = readArguments(call)
    if (!tool) results.push({ call, text: "There is no function of this name" })
    else if (!args) results.push({ call, text: "The arguments are no JSON object" })
    else {
      const { text, assigned } = await runTool(tool, args)
      if (assigned) answer.assigned = { ...answer.assigned, ...assigned }
      results.push({ call, text })
    }
  }
  return results
}

function readArguments(call: ToolCall): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(call.arguments || "{}")
    return typeof value === "object" && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}
