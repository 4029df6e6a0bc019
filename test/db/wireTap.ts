/**
 * A door in front of the tests' PostgreSQL that reads what passes: statements, round trips and
 * notices (PostgreSQL 18, chapter 54).
 */
import { once } from "node:events"
import { createServer, connect as dial, type Socket } from "node:net"

/** A statement that was run. */
export type Ran = {
  /** Under which it was prepared; empty: unnamed. */
  name: string
  text: string
}

/** What passed since the last `clear`. */
export type WireTap = {
  /** The URL of the database, through the tap. */
  url: string
  ran: Ran[]
  /** Times that the server was asked to answer and did so, whatever it was asked for. */
  roundTrips: number
  /** Answers that left a transaction open. */
  openTransactions: number
  /** Messages beside the results, such as the plans of auto_explain. */
  notices: string[]
  clear(): void
  close(): Promise<void>
}

/** Opens a tap; the parameters are added to the query of the URL. */
export async function openWireTap(
  databaseUrl: string,
  parameters: Record<string, string> = {},
): Promise<WireTap> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const inside = dialTo(target)
    for (const [socket, other] of [
      [client, inside],
      [inside, client],
    ] as const) {
      sockets.add(socket)
      socket.on("error", () => other.destroy())
      socket.on("close", () => other.destroy())
      socket.on("data", (chunk: Buffer) => other.write(chunk))
    }
    listenIn(tap, client, inside)
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  const query = new URLSearchParams(parameters)
  const tap: WireTap = {
    url: `postgres://${target.username}:${target.password}@127.0.0.1:${port}${target.pathname}?${query}`,
    ran: [],
    roundTrips: 0,
    openTransactions: 0,
    notices: [],
    clear() {
      Object.assign(tap, { ran: [], roundTrips: 0, openTransactions: 0, notices: [] })
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, "close")
    },
  }
  return tap
}

function dialTo(target: URL): Socket {
  const host = decodeURIComponent(target.hostname)
  const port = Number(target.port || 5432)
  return host.startsWith("/") ? dial(`${host}/.s.PGSQL.${port}`) : dial(port, host)
}

function listenIn(tap: WireTap, client: Socket, inside: Socket): void {
  const prepared = new Map<string, string>()
  const fromClient = openReader(false, (type, body) => {
    const [first = "", second = ""] = body.toString("utf8").split("\0", 2)
    if (type === "P") prepared.set(first, second)
    // Bind names the portal first, then the statement.
    if (type === "B") tap.ran.push({ name: second, text: prepared.get(second) ?? "" })
    if (type === "Q") tap.ran.push({ name: "", text: first })
  })
  const fromServer = openReader(true, (type, body) => {
    if (type === "N") tap.notices.push(messageOf(body))
    if (type !== "Z") return
    tap.roundTrips += 1
    if (body.toString() !== "I") tap.openTransactions += 1
  })
  client.on("data", fromClient)
  inside.on("data", fromServer)
}

type Reader = (chunk: Buffer) => void

/** Cuts a stream into messages; the first one of a client has a length, but no type. */
function openReader(isTyped: boolean, hear: (type: string, body: Buffer) => void): Reader {
  let held: Buffer = Buffer.alloc(0)
  let skipsType = !isTyped
  return (chunk) => {
    held = Buffer.concat([held, chunk])
    for (;;) {
      const start = skipsType ? 0 : 1
      if (held.length < start + 4) return
      const end = start + held.readInt32BE(start)
      if (held.length < end) return
      if (!skipsType) hear(held.toString("latin1", 0, 1), held.subarray(start + 4, end))
      skipsType = false
      held = held.subarray(end)
    }
  }
}

/** The field M of a notice. */
function messageOf(body: Buffer): string {
  const fields = body.toString("utf8").split("\0")
  return fields.find((field) => field.startsWith("M"))?.slice(1) ?? ""
}
