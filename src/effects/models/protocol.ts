/** What every way of speaking to a model provider has in common: one dialogue, step by step. */
import type { ModelAnswer, ModelAsk } from "../../engine/calls.ts"

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

/** What a function came to, as text. */
export type ToolResult = { call: ToolCall; text: string }

/** One answer of a model: the end, or a wish to have functions run. */
export type Reply = Pick<ModelAnswer, "text" | "usage" | "conversationId"> & {
  toolCalls: ToolCall[]
}

/** A request to a provider. */
export type ModelRequest = { url: string; headers: Record<string, string>; body: object }

/** A conversation with one provider, in its own words. */
export type Dialogue = {
  /** True: the provider only answers bit by bit. */
  alwaysStreams?: boolean
  /** The next request. */
  request(isStreamed: boolean): ModelRequest
  /** Reads a whole answer. Throws a `ProviderError` when it is none. */
  read(data: unknown): Reply
  /** Begins to read an answer that comes bit by bit. */
  reader(): StreamReader
  /** Goes on after functions were run. */
  add(reply: Reply, results: readonly ToolResult[]): void
}

/** Reads an answer that comes bit by bit. */
export type StreamReader = {
  /** The text that an event adds, perhaps none. Throws a `ProviderError` when it tells of one. */
  take(event: unknown): string
  /** Everything so far. */
  reply(): Reply
}

/** The provider said, in its own words, that it could not answer. */
export class ProviderError extends Error {}

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

/** Instructions apart from what was said, for providers that take them apart. */
export function splitSystem(messages: readonly PreparedMessage[]): {
  system: string
  said: PreparedMessage[]
} {
  const texts = messages
    .filter(({ role }) => role === "system")
    .map(({ content }) => textOf(content))
  return { system: texts.join("\n\n"), said: messages.filter(({ role }) => role !== "system") }
}

/** The texts of a message without its pictures. */
export function textOf(content: PreparedMessage["content"]): string {
  if (typeof content === "string") return content
  return content.flatMap((part) => ("text" in part ? [part.text] : [])).join("\n\n")
}

/** A picture as an address (RFC 2397). */
export function dataUrl({ mediaType, base64 }: Picture): string {
  return `data:${mediaType};base64,${base64}`
}
