/** Receives the events of the drill of conversations, and checks that their turns are stored. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import type { Pool } from "../../src/db/connection/connectionPool.ts"

/** An event as it arrived. */
export type ReceivedEvent = {
  /** The `webhook-id`. */
  id: string
  type: string
  resultId: string
  sequence: number
  /** Of an answer. */
  content: string | undefined
}

export type Receiver = {
  url: string
  received: readonly ReceivedEvent[]
  /** Sentences about events whose turns were not stored when they arrived. */
  early: readonly string[]
  close(): void
}

/** Types of events that the receiver wants. */
export const wantedTypes = ["conversation.started", "answer.submitted", "conversation.idle"]

/** Queries that find a row if the turn of such an event is stored. */
const storedTurns: Record<string, string> = {
  "conversation.started": "select from chat_sessions where result_id = $1 and $2::text is null",
  "answer.submitted": "select from answers where result_id = $1 and content = $2",
  "conversation.idle": `select from session_events
    where result_id = $1 and type = 'conversation.idle' and $2::text is null`,
}

/** Starts the receiver, which looks into the database of the product. */
export async function openReceiver(pool: Pool): Promise<Receiver> {
  const received: ReceivedEvent[] = []
  const early: string[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { type, data } = JSON.parse(Buffer.concat(chunks).toString())
    const { resultId, sequence, answer } = data
    const id = String(request.headers["webhook-id"])
    const event = { id, type, resultId, sequence, content: answer?.content }
    if (!(await isStored(pool, event))) early.push(`${type} ${sequence} came before its turn`)
    received.push(event)
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, received, early, close: () => server.close() }
}

/** Asks again while the database restarts; false: the turn is not stored, or there was no answer in ten seconds. */
async function isStored(
  pool: Pool,
  { type, resultId, content = null }: { type: string; resultId: string; content?: string | null },
): Promise<boolean> {
  for (let asked = 0; asked < 200; asked++) {
    try {
      const { rowCount } = await pool.query(storedTurns[type] ?? "", [resultId, content])
      return rowCount !== null && rowCount > 0
    } catch {
      await sleep(50)
    }
  }
  return false
}
