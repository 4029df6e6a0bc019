/** What every way of speaking to a model provider has in common: one dialogue, step by step. */
import type { ModelAnswer, ModelAsk } from "../../engine/calls.ts"
import type { GuardedFetch } from "../network/guardedFetch.ts"

/** A question whose secrets and pictures are in place. */
export type PreparedAsk = Omit<ModelAsk, "messages" | "credential"> & {
  apiKey: string
  messages: PreparedMessage[]
}

/** A message as it is going to be said. */
export type PreparedMessage = {
  role: "system" | "user" | "assistant"
  content: string | PreparedPart[]
  name?: string
}

/** Text, or a picture by its bytes. */
export type PreparedPart = { text: string } | { picture: Picture }

/** A picture in base64. */
export type Picture = { mediaType: string; base64: string }

/** A function that the model wants to have run; `arguments` is JSON as the model wrote it. */
export type ToolCall = { id: string; name: string; arguments: string }

/** The arguments of a call; undefined when they are no JSON object. */
export function readArguments(call: ToolCall): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(call.arguments || "{}")
    return typeof value === "object" && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}

/** What a function came to, as text. */
export type ToolResult = { call: ToolCall; text: string }

/** One answer of a model: the end, or a wish to have functions run. */
export type Reply = Pick<ModelAnswer, "text" | "usage" | "conversationId"> & {
  toolCalls: ToolCall[]
}

/** A bit of an answer. */
export type TextEvent = { type: "text"; text: string }

/** A conversation with one provider, in its own words. */
export type Dialogue = {
  /**
   * Asks, and gives the texts of the answer as they come, where that is wanted; it returns the
   * answer. Throws a `ProviderError`, or what the network says.
   */
  ask(signal: AbortSignal): AsyncGenerator<TextEvent, Reply>
  /** Goes on after functions were run. */
  add(reply: Reply, results: readonly ToolResult[]): void
}

/** How a conversation with a provider is held. */
export type Opening = {
  fetch: GuardedFetch
  /** Whether the texts are wanted bit by bit. */
  isStreamed: boolean
}

/** The provider said, in its own words, that it could not answer, or its answer is none. */
export class ProviderError extends Error {
  /** The status of its refusal, where there was one. */
  readonly status: number | undefined

  constructor(message: string, { status, cause }: { status?: number; cause?: unknown } = {}) {
    super(message, { cause })
    this.status = status
  }
}

/** Adds up tokens; what neither side counted stays unknown. */
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

/** Tokens by the names that a provider gives them; `total` is their sum where it gives none. */
export function usageOf(prompt: unknown, completion: unknown, total?: unknown): Reply["usage"] {
  const usage = {
    ...(typeof prompt === "number" ? { prompt } : {}),
    ...(typeof completion === "number" ? { completion } : {}),
  }
  if (typeof total === "number") return { total, ...usage }
  const { prompt: p, completion: c } = usage
  if (p === undefined && c === undefined) return undefined
  return { total: (p ?? 0) + (c ?? 0), ...usage }
}

/** The texts of a message without its pictures. */
export function textOf(content: PreparedMessage["content"]): string {
  if (typeof content === "string") return content
  return content.flatMap((part) => ("text" in part ? [part.text] : [])).join("\n\n")
}
