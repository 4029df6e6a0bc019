/** Sends server-sent events as they happen. */
import { passedOn, sendStream } from "../answer.ts"
import type { Exchange } from "../exchange.ts"

type EventStream = {
  /** Events as they are on the wire; reading the first one may still fail with a status of its own. */
  events: AsyncGenerator<string, void>
  /** Aborts when the client leaves, or the service stops. */
  signal: AbortSignal
  /** The time between two keep-alive comments, 15 seconds by default. */
  heartbeatMs?: number | undefined
}

/** How long a browser waits before it reconnects. */
const retryMs = 2_000

/** Sends events until there are no more. The next one is read once the client has taken the last. */
export async function sendEvents(
  exchange: Exchange,
  { events, signal, heartbeatMs = 15_000 }: EventStream,
): Promise<void> {
  const { response } = exchange
  const beat = () => {
    // A client that does not read even these is gone.
    if (response.writableNeedDrain) response.destroy()
    else response.write(":\n\n")
  }
  const parts = async function* () {
    const first = await events.next()
    const heartbeat = setInterval(beat, heartbeatMs)
    try {
      yield `retry: ${retryMs}\n\n`
      if (!first.done) yield first.value
      yield* events
    } finally {
      clearInterval(heartbeat)
      await events.return()
    }
  }
  const headers = {
    ...passedOn,
    "content-type": "text/event-stream; charset=utf-8",
    // A connection kept alive would hold up a service that stops.
    connection: "close",
  }
  await sendStream(exchange, { parts: parts(), headers, ended: signal })
}
