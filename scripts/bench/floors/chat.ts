/** The floor of a chat call: bare node:http and pg, the same two statements, the same bytes. */
import { createServer } from "node:http"
import pg from "pg"

/** What the bench gives it. */
export type ChatFloorArgument = {
  url: string
  poolSize: number
  /** Statements word for word. */
  read: { name: string; text: string }
  start: { name: string; text: string; values: unknown[] }
  write: { name: string; text: string }
  /** The write's values after result id, session id and revision; "INDEX" stands for a counter. */
  values: { state: string; rows: string; startRows: string }
  /** The answers to a start and to a message, byte for byte. */
  answers: { start: Answer; message: Answer }
}

/** A whole answer, but for the headers that Node adds by itself. */
export type Answer = { headers: Record<string, string>; body: string }

const argument: ChatFloorArgument = JSON.parse(process.argv[2] ?? "{}")
const { read, start, write, values } = argument
const [rowsBefore, rowsAfter] = values.rows.split('"INDEX"')
let index = 1_000_000
const pool = new pg.Pool({ connectionString: argument.url, max: argument.poolSize })

const server = createServer((request, response) => {
  const parts: Buffer[] = []
  request.on("data", (part: Buffer) => parts.push(part))
  request.on("end", () => {
    JSON.parse(Buffer.concat(parts).toString())
    turn(request.url ?? "").then(
      ({ headers, body }) => response.writeHead(200, headers).end(body),
      (error: unknown) => {
        console.error(error)
        response.writeHead(500).end("{}")
      },
    )
  })
})

async function turn(path: string): Promise<Answer> {
  const [, resultId, sessionId] = path.split("/")
  if (sessionId === "start") {
    await pool.query(start)
    await save({ resultId, sessionId: `${resultId}s`, revision: null, rows: values.startRows })
    return argument.answers.start
  }
  const { rows } = await pool.query({ ...read, values: [resultId, sessionId] })
  JSON.parse(rows[0].state)
  const saved = `${rowsBefore}${index++}${rowsAfter}`
  await save({ resultId, sessionId, revision: rows[0].revision, rows: saved })
  return argument.answers.message
}

type Turn = {
  resultId: string | undefined
  sessionId: string | undefined
  revision: number | null
  rows: string
}

async function save({ resultId, sessionId, revision, rows }: Turn): Promise<void> {
  const all = [resultId, sessionId, revision, values.state, rows, null, null, null]
  const saved = await pool.query({ ...write, values: all })
  if (saved.rows[0].saved !== true) throw new Error("not saved")
}

server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  if (typeof address === "object" && address) console.log(`http://127.0.0.1:${address.port}`)
})
