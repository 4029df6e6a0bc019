/** Reads a stream of events by `fetch`: event sources of browsers send no headers, and Node has none. */
import { createParser } from "eventsource-parser"
import { readRefusal } from "./readRefusal.ts"
import type { Fetch } from "./requests.ts"

/** What listeners receive. A `MessageEvent` has no id in some runtimes, such as workerd until 2025. */
type Heard = { data: string; lastEventId: string } | Error
type Listener = (event: Heard) => void

/** Max characters of one event. */
const maxEventLength = 64 * 1024 * 1024

/** An event source, as `httpSubscriptionLink` uses it: it connects again until it is closed or refused. */
export class EventReader {
  readonly CONNECTING = 0
  readonly OPEN = 1
  readonly CLOSED = 2
  readyState: number = this.CONNECTING
  readonly #listeners = new Map<string, Set<Listener>>()
  readonly #closing = new AbortController()
  #lastEventId = ""
  /** Pause before the next connection, in milliseconds; streams may set another one. */
  #pauseMs = 3_000
  #pause: ReturnType<typeof setTimeout> | undefined

  constructor(url: string, { fetch: send }: { fetch: Fetch }) {
    void this.#follow(url, send)
  }

  addEventListener(type: string, listener: Listener): void {
    this.#listeners.set(type, (this.#listeners.get(type) ?? new Set()).add(listener))
  }

  removeEventListener(type: string, listener: Listener): void {
    this.#listeners.get(type)?.delete(listener)
  }

  close(): void {
    this.readyState = this.CLOSED
    this.#closing.abort()
    clearTimeout(this.#pause)
  }

  #emit(type: string, event: Heard): void {
    for (const listener of this.#listeners.get(type) ?? []) listener(event)
  }

  #isClosed(): boolean {
    return this.readyState === this.CLOSED
  }

  async #follow(url: string, send: Fetch): Promise<void> {
    while (!this.#isClosed()) {
      const lost = await this.#read(url, send).catch((error: Error) => error)
      if (this.#isClosed()) return
      this.readyState = this.CONNECTING
      this.#emit("error", lost)
      await new Promise<void>((resolve) => {
        this.#pause = setTimeout(resolve, this.#pauseMs)
      })
    }
  }

  /** Reads one connection. Returns why it ended. */
  async #read(url: string, send: Fetch): Promise<Error> {
    const { signal } = this.#closing
    const headers = {
      accept: "text/event-stream",
      ...(this.#lastEventId && { "last-event-id": this.#lastEventId }),
    }
    const response = await send(url, { headers, signal })
    const { status, body } = response
    const isBusy = status >= 500 || status === 429
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream")
    if (!isBusy && (status !== 200 || !isStream || !body)) {
      this.#fail(await readRefusal(response))
    }
    if (isBusy || !body || this.#isClosed()) {
      await body?.cancel()
      return new Error(`The stream was answered with status ${status}`)
    }
    this.readyState = this.OPEN
    const parser = createParser({
      onEvent: ({ id = this.#lastEventId, event = "message", data }) => {
        this.#lastEventId = id
        this.#emit(event, { data, lastEventId: id })
      },
      onRetry: (pauseMs) => {
        this.#pauseMs = pauseMs
      },
      onError: (error) => {
        if (error.type === "max-buffer-size-exceeded") this.#fail(error)
      },
      maxBufferSize: maxEventLength,
    })
    const decoder = new TextDecoder()
    const reader = body.getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return new Error("The connection of the stream was lost")
      parser.feed(decoder.decode(value, { stream: true }))
    }
  }

  /** Ends for good. */
  #fail(error: Error): void {
    this.close()
    this.#emit("error", error)
  }
}
