/** The contract of all protocols of model providers: a dialogue, step by step. */
import type { ModelAnswer, ModelAsk, ModelTool } from "../../engine/calls.ts"
import { isMembers } from "../../lib/json.ts"
import { defined } from "../../lib/presentMembers.ts"
import type { GuardedFetch } from "../network/guardedFetch.ts"

/** A tool as a model sees it. */
export type OfferedTool = Pick<ModelTool, "name" | "description" | "parameters">

/** A question with its secrets and pictures filled in. */
export type PreparedAsk = Omit<ModelAsk, "messages" | "credential" | "tools" | "mcpServers"> & {
  apiKey: string
  tools?: readonly OfferedTool[]
  messages: PreparedMessage[]
}

export type PreparedMessage = {
  role: "system" | "user" | "assistant"
  content: string | PreparedPart[]
  name?: string
}

/** Text, or the bytes of a picture. */
export type PreparedPart = { text: string } | { picture: { mediaType: string; base64: string } }

/** A function call of the model; `arguments` is JSON as the model wrote it. */
export type ToolCall = { id: string; name: string; arguments: string }

/** Parses the arguments of a call. Returns undefined if they are not a JSON object. */
export function readArguments(call: ToolCall): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(call.arguments || "{}")
    return isMembers(value) ? value : undefined
  } catch {
    return undefined
  }
}

export type ToolResult = { call: ToolCall; text: string }

/** An answer of the model: the final one, or one that calls functions. */
export type Reply = Pick<ModelAnswer, "text" | "usage" | "conversationId"> & {
  toolCalls: ToolCall[]
}

/** A dialogue with a provider, in its protocol. */
export type Dialogue = {
  /**
   * Asks the model. Yields the texts of a streamed answer as they arrive, and returns the answer. Throws
   * a `ProviderError` or a network error.
   */
  ask(signal: AbortSignal): AsyncGenerator<string, Reply>
  add(reply: Reply, results: readonly ToolResult[]): void
}

export type DialogueOptions = {
  fetch: GuardedFetch
  isStreamed: boolean
}

/** The provider refused, in its own words, or its answer is unusable. */
export class ProviderError extends Error {
  /** The status of a refusal. */
  readonly status: number | undefined
  /** Tokens of an answer that cannot be used, if the provider has reported them. */
  usage?: Reply["usage"]

  constructor(message: string, { status, cause }: { status?: number; cause?: unknown } = {}) {
    super(message, { cause })
    this.status = status
  }
}

/** Adds up tokens; a count that both lack stays absent. */
export function addUsage(a: Reply["usage"], b: Reply["usage"]): Reply["usage"] {
  if (!a || !b) return a ?? b
  return defined({
    total: sum(a.total, b.total),
    prompt: sum(a.prompt, b.prompt),
    completion: sum(a.completion, b.completion),
  })
}

function sum(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined ? b : a + (b ?? 0)
}

/** Reads the counts of tokens. Without a total it is their sum. */
export function usageOf(prompt: unknown, completion: unknown, total?: unknown): Reply["usage"] {
  const given = [prompt, completion, total]
  const [p, c, t] = given.map((count) => (typeof count === "number" ? count : undefined))
  if ((p ?? c ?? t) === undefined) return undefined
  return { total: t ?? (p ?? 0) + (c ?? 0), ...defined({ prompt: p, completion: c }) }
}

/** The text of a message, without its pictures. */
export function textOf(content: PreparedMessage["content"]): string {
  if (typeof content === "string") return content
  return content.flatMap((part) => ("text" in part ? [part.text] : [])).join("\n\n")
}
