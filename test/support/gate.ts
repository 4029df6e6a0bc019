/** A door in front of the tests' PostgreSQL that can behave like poolers and like networks do. */
import { once } from "node:events"
import { createServer, connect as dial, type Socket } from "node:net"

/** How a gate treats what passes. */
export type Gate = {
  /** The URL of the database, through the gate. */
  url: string
  /** Startup parameters that it refuses, as PgBouncer does with those it does not know. */
  refused: Set<string>
  /** False: nothing passes any more, in either direction, and neither side is told. */
  isOpen: boolean
  /** Connections that were let through so far. */
  passed: number
  /** Breaks the connections that are open now. */
  breakAll(): void
  close(): Promise<void>
}

/** Opens a gate in front of a database. */
export async function openGate(databaseUrl: string): Promise<Gate> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  // While it is shut, it does not even answer a goodbye.
  const server = createServer({ allowHalfOpen: true }, (client) => {
    sockets.add(client)
    client.on("error", () => {})
    client.once("data", (startup: Buffer) => {
      const refusal = [...gate.refused].find((name) => startup.includes(`\0${name}\0`))
      if (refusal !== undefined) {
        client.end(refusalOf(refusal))
        return
      }
      gate.passed += 1
      const inside = dialTo(target)
      sockets.add(inside)
      inside.on("error", () => client.destroy())
      inside.on("close", () => client.destroy())
      client.on("close", () => inside.destroy())
      inside.write(startup)
      client.on("data", (chunk) => gate.isOpen && inside.write(chunk))
      client.on("end", () => gate.isOpen && client.end())
      inside.on("data", (chunk) => gate.isOpen && client.write(chunk))
    })
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  const gate: Gate = {
    url: `postgres://${target.username}:${target.password}@127.0.0.1:${port}${target.pathname}`,
    refused: new Set(),
    isOpen: true,
    passed: 0,
    breakAll() {
      for (const socket of sockets) socket.destroy()
      sockets.clear()
    },
    async close() {
      gate.breakAll()
      server.close()
      await once(server, "close")
    },
  }
  return gate
}

function dialTo(target: URL): Socket {
  const host = decodeURIComponent(target.hostname)
  const port = Number(target.port || 5432)
  return host.startsWith("/") ? dial(`${host}/.s.PGSQL.${port}`) : dial(port, host)
}

/** An ErrorResponse of the protocol (PostgreSQL 18, chapter 54.7), in PgBouncer's words. */
function refusalOf(parameter: string): Buffer {
  const fields = `SFATAL\0C08P01\0Munsupported startup parameter: ${parameter}\0\0`
  const message = Buffer.alloc(5 + fields.length)
  message.write("E")
  message.writeInt32BE(4 + fields.length, 1)
  message.write(fields, 5)
  return message
}
