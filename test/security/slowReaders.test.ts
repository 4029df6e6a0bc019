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
