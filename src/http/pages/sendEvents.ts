/** Sends server-sent events as they happen. */
import { once } from "node:events"
import type { Exchange } from "../exchange.ts"

/** What is sent. */
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
  const first = await events.next()
  const heartbeat = setInterval(() => {
    // A client that does not read even these is gone.
    if (response.writableNeedDrain) response.destroy()
    else response.write(":\n\n")
  }, heartbeatMs)
  try {
    begin(exchange)
    if (exchange.method === "HEAD") return void response.end()
    for (let step = first; !step.done; step = await events.next()) {
      const isRead = response.write(step.value)
      if (!isRead) await once(response, "drain", { signal }).catch(() => {})
    }
    response.end()
  } catch (error) {
    // The status is sent: a client that loses the connection comes back.
    response.destroy()
    throw error
  } finally {
    clearInterval(heartbeat)
    await events.return()
  }
}

function begin({ response, headers }: Exchange): void {
  headers["content-type"] = "text/event-stream; charset=utf-8"
  // Proxies must pass each event on at once.
  headers["x-accel-buffering"] = "no"
  // A connection kept alive would hold up a service that stops.
  headers.connection = "close"
  response.writeHead(200, headers)
  response.write(`retry: ${retryMs}\n\n`)
}
