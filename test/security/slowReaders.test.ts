/** Readers of a file fill no memory, however many they are and however slowly they read. */
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { ask, bot, group } from "../support/bots.ts"
import { heldBuffers } from "../support/heap.ts"
import { chatOver, publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"
import { eventually } from "../support/waiting.ts"
import { whenOver } from "../support/whenOver.ts"

const folder = await mkdtemp(join(tmpdir(), "parley-readers-"))
whenOver(() => rm(folder, { recursive: true }))
const publicUrl = "http://chat.example"
const server = await testServer({ PARLEY_DATA: folder, PARLEY_PUBLIC_URL: publicUrl })
const megabyte = 1024 * 1024

/** The path of a file that a visitor has uploaded. */
async function uploaded(bytes: number): Promise<string> {
  const { publicId } = await publishBot(server, bot(group("A", ask.file({ id: "files" }))))
  const { step } = await chatOver(server, publicId)
  const asked = { sessionId: step.sessionId, blockId: "files", fileName: "a.mp4" }
  const { body } = await server.send("POST", "/api/v1/generate-upload-url", { body: asked })
  const to = String(body.presignedUrl).replace(publicUrl, server.address)
  const sent = await fetch(to, { method: "PUT", body: new Uint8Array(bytes).fill(1) })
  expect(sent.status).toBe(204)
  return new URL(String(body.fileUrl)).pathname
}

/** Asks for a file, and takes no more than the beginning of the answer. */
async function beginToRead(path: string): Promise<void> {
  const { hostname, port } = new URL(server.address)
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`)
  await once(socket, "readable")
}

test("those who read nothing keep no file in memory", async () => {
  const path = await uploaded(9 * megabyte)
  const before = heldBuffers()
  await Promise.all(Array.from({ length: 20 }, () => beginToRead(path)))
  // What was sent goes in the background, once it is collected.
  await eventually(() => expect(heldBuffers() - before).toBeLessThan(20 * megabyte))
})

/** The path of a bot of 3.6 MB over REST, and its id. */
const large = await makeLarge()

async function makeLarge() {
  const workspace = await server.send("GET", "/api/v1/workspaces")
  const [{ id: workspaceId = "" } = {}] = workspace.body.workspaces as { id: string }[]
  const value = "x".repeat(90_000)
  const variables = Array.from({ length: 40 }, (_, at) => ({ id: `${at}`, name: `${at}`, value }))
  const events = [{ id: "start", type: "start" }]
  const made = await server.send("POST", "/api/v1/bots/import", {
    body: { workspaceId, bot: { name: "Large", events, groups: [], variables } },
  })
  const { id } = made.body.bot as { id: string }
  return { id, path: `/api/v1/bots/${id}` }
}

/** The path of some equal queries over tRPC, in a batch. */
function batchOf(name: string, json: object, count: number): string {
  const inputs = Object.fromEntries(Array.from({ length: count }, (_, at) => [at, { json }]))
  const names = Array(count).fill(name).join(",")
  return `/api/trpc/${names}?batch=1&input=${encodeURIComponent(JSON.stringify(inputs))}`
}

const body = JSON.stringify({ bot: { name: "Large" } })
test.each([
  ["REST", `GET ${large.path}`, "", ""],
  ["a change", `PATCH ${large.path}`, "", body],
  ["a batch", `GET ${batchOf("bot.get", { botId: large.id }, 1)}`, "", ""],
  [
    "a streamed batch",
    `GET ${batchOf("bot.get", { botId: large.id }, 2)}`,
    "application/jsonl",
    "",
  ],
])("those who read no answer hold what one address may, and then get a 503 until they have left: %s", async (...[
  ,
  line,
  accept,
  sent,
]) => {
  const headers = { host: "a", authorization: `Bearer ${server.token}`, accept }
  const lines = Object.entries({ ...headers, "content-length": sent.length })
  if (sent) lines.push(["content-type", "application/json"])
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")
  const request = `${line} HTTP/1.1\r\n${head}\r\n${sent}`
  const readers = Array.from({ length: 4 }, () => neverRead(request, accept === "" ? 6 : 3))
  await eventually(async () => {
    const refused = await server.send("GET", large.path)
    expect(refused.status).toBe(503)
    expect(refused.body.message).toMatch(/^Too many answers .*wait to be read$/)
  })
  // Those who watch the service see it as before.
  expect((await server.send("GET", "/healthz")).status).toBe(200)
  for (const reader of readers) reader.destroy()
  await eventually(async () => expect((await server.send("GET", large.path)).status).toBe(200))
})

test.each([
  "application/json",
  "application/jsonl",
])("the answers of a batch are bounded together, and the calls beyond are not made: %s", async (accept) => {
  const response = await fetch(server.address + batchOf("bot.get", { botId: large.id }, 8), {
    headers: { authorization: `Bearer ${server.token}`, accept },
  })
  const text = await response.text()
  expect(text.length).toBeGreaterThan(16 * megabyte)
  expect(text.length).toBeLessThan(20 * megabyte)
  expect(text.match(/fill the batch/g)).toHaveLength(3)
  expect(text.match(/"reason":"PAYLOAD_TOO_LARGE"/g)).toHaveLength(3)
})

test("answers that never change are the same bytes for all who read none of them", async () => {
  const rest = await server.send("GET", "/api/v1/blocks")
  const path = batchOf("catalogue.list", {}, 20)
  const response = await fetch(server.address + path)
  const each = { result: { data: { json: rest.body } } }
  expect(await response.json()).toEqual(Array(20).fill(each))
  const mixed = await fetch(server.address + path.replace("list,", "list,nothing,"))
  expect(mixed.status).toBe(400)
  const before = heldBuffers()
  for (let count = 0; count < 20; count++) neverRead(`GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`, 6)
  const fresh = await fetch(`${server.address}${path}`)
  await fresh.arrayBuffer()
  await eventually(() => expect(heldBuffers() - before).toBeLessThan(20 * megabyte))
})

test("a streamed batch makes one of the calls whose answers never change", async () => {
  const response = await fetch(server.address + batchOf("catalogue.list", {}, 20), {
    headers: { accept: "application/jsonl" },
  })
  const text = await response.text()
  expect(text.length).toBeLessThan(megabyte)
  expect(text.match(/fill the batch/g)).toHaveLength(19)
})

/** Asks several times at once, because connections hold some megabytes themselves; reads nothing of the answers. */
function neverRead(request: string, times: number) {
  const { hostname, port } = new URL(server.address)
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  socket.write(request.repeat(times))
  return socket
}
