/** What all protocols of model providers have in common: one dialogue, step by step. */
import type { ModelAnswer, ModelAsk } from "../../engine/calls.ts"
import { defined } from "../../engine/presentMembers.ts"
import type { GuardedFetch } from "../network/guardedFetch.ts"

/** A question with its secrets and pictures in place. */
export type PreparedAsk = Omit<ModelAsk, "messages" | "credential"> & {
  apiKey: string
  messages: PreparedMessage[]
}

/** A message as it is sent. */
export type PreparedMessage = {
  role: "system" | "user" | "assistant"
  content: string | PreparedPart[]
  name?: string
}

/** Text, or a picture by its bytes. */
export type PreparedPart = { text: string } | { picture: Picture }

/** A picture in base64. */
type Picture = { mediaType: string; base64: string }

/** A function call by the model; `arguments` is JSON as the model wrote it. */
export type ToolCall = { id: string; name: string; arguments: string }

/** The arguments of a call. Returns undefined when they are not a JSON object. */
export function readArguments(call: ToolCall): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(call.arguments || "{}")
    return typeof value === "object" && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}

/** The result of a function, as text. */
export type ToolResult = { call: ToolCall; text: string }

/** One answer of a model: the final one, or one that calls functions. */
export type Reply = Pick<ModelAnswer, "text" | "usage" | "conversationId"> & {
  toolCalls: ToolCall[]
}

/** A piece of an answer. */
export type TextEvent = { type: "text"; text: string }

/** A conversation with one provider, in its protocol. */
export type Dialogue = {
  /**
   * Asks. Yields the texts of a streamed answer as they come, and returns the answer. Throws a
   * `ProviderError` or a network error.
   */
  ask(signal: AbortSignal): AsyncGenerator<TextEvent, Reply>
  /** Adds the results of functions. */
  add(reply: Reply, results: readonly ToolResult[]): void
}

/** How a dialogue is opened. */
export type DialogueOptions = {
  fetch: GuardedFetch
  /** Whether the answer is streamed. */
  isStreamed: boolean
}

/** The provider refused, in its own words, or its answer cannot be used. */
export class ProviderError extends Error {
  /** The status of a refusal. */
  readonly status: number | undefined

  constructor(message: string, { status, cause }: { status?: number; cause?: unknown } = {}) {
    super(message, { cause })
    this.status = status
  }
}

/** Adds up tokens; counts that both lack stay absent. */
export function addUsage(a: Reply["usage"], b: Reply["usage"]): Reply["usage"] {
  if (!a || !b) return a ?? b
  return {
    ...sum("total", a, b),
    ...sum("prompt", a, b),
    ...sum("completion", a, b),
  }
}

type Usage = NonNullable<Reply["usage"]>

function sum(name: keyof Usage, a: Usage, b: Usage): Usage {
  const [x, y] = [a[name], b[name]]
  return x === undefined && y === undefined ? {} : { [name]: (x ?? 0) + (y ?? 0) }
}

/** Counts of tokens; without a `total` it is their sum. */
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
