/** Stops of the service while a model's answer is read: it ends in form, and holds nothing up. */

import { Agent, type IncomingMessage, request } from "node:http"
import { expect, test } from "vitest"
import { startPeer } from "../effects/peer.ts"
import { ask, block, bot, group, idOf, say } from "../support/bots.ts"
import { chatOver, publishBot } from "../support/publish.ts"
import { type TestServer, testServer } from "../support/server.ts"
import { testFolder } from "../support/testFolder.ts"
import { eventually, until } from "../support/waiting.ts"

const provider = await startPeer()
const folder = await testFolder()

const delta = (content: string) =>
  `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`

/** A chat that waits for its client to read what the model answers. */
async function waitingChat(server: TestServer): Promise<string> {
  const { body: listed } = await server.send("GET", "/api/v1/workspaces")
  const [workspace] = listed.workspaces as { id: string }[]
  const data = { apiKey: "sk", baseUrl: `${provider.url}/v1` }
  const { body: made } = await server.send("POST", "/api/v1/credentials", {
    body: { workspaceId: workspace?.id, credentials: { type: "openai", name: "AI", data } },
  })
  const completion = block("openai", {
    credentialsId: made.credentialsId,
    action: "Create chat completion",
    model: "gpt-4o",
    messages: [{ role: "user", content: "Hello" }],
    responseMapping: [{ item: "Message content", variableId: idOf("Reply") }],
  })
  const flow = bot(group("A", ask.text({ saves: "Name" }), completion, say("{{Reply}}")))
  const { publicId } = await publishBot(server, flow)
  const { step, say: reply } = await chatOver(server, publicId, { isStreamEnabled: true })
  await reply("Ann")
  return step.sessionId
}

/** Begins to read a stream over a connection that is kept; resolves with its first part. */
async function read(server: TestServer, sessionId: string) {
  const agent = new Agent({ keepAlive: true })
  const url = `${server.address}/api/v1/sessions/${sessionId}/streamMessage`
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { agent, method: "POST" }, resolve).once("error", reject).end()
  })
  let text = ""
  response.on("data", (data: Buffer) => {
    text += data
  })
  const ended = new Promise<string>((resolve, reject) => {
    response.once("error", reject).once("end", () => resolve(text))
  })
  await until(() => text.includes('0:"So"'))
  return { response, ended }
}

test("a stream that ends by itself is read to its end, and its connection is closed", async () => {
  const server = await testServer({
    PARLEY_ALLOW_HOSTS: "127.0.0.1",
    PARLEY_DATA: folder,
    // Longer than this test may take.
    PARLEY_STOP_TIMEOUT_MS: "600000",
  })
  let goOn: () => void = () => {}
  provider.answers((response) => {
    response.writeHead(200, { "content-type": "text/event-stream" })
    response.write(delta("So"))
    goOn = () => response.end(`${delta(" what")}data: [DONE]\n\n`)
  })
  const { response, ended } = await read(server, await waitingChat(server))
  expect(response.headers.connection).toBe("keep-alive")
  const stopped = server.stop()
  // The stop has begun.
  await eventually(() => expect(fetch(`${server.address}/healthz`)).rejects.toThrow())
  goOn()
  const lines = (await ended).trim().split("\n")
  expect(lines.slice(1)).toEqual([
    '0:"So"',
    '0:" what"',
    'e:{"finishReason":"stop","isContinued":false}',
    'd:{"finishReason":"stop"}',
  ])
  await stopped
})

test("a stream that would outlast the stop ends with an error line, not in the middle", async () => {
  const server = await testServer({
    PARLEY_ALLOW_HOSTS: "127.0.0.1",
    PARLEY_DATA: folder,
    PARLEY_STOP_TIMEOUT_MS: "5000",
  })
  let isLeft = false
  provider.answers((response) => {
    response.once("close", () => {
      isLeft = true
    })
    response.writeHead(200, { "content-type": "text/event-stream" })
    response.write(delta("So"))
  })
  const { ended } = await read(server, await waitingChat(server))
  const stopped = server.stop()
  const lines = (await ended).trim().split("\n")
  expect(lines[1]).toBe('0:"So"')
  expect(lines[2]).toMatch(/^3:"/)
  expect(lines.at(-1)).toBe('d:{"finishReason":"error"}')
  await stopped
  expect(isLeft).toBe(true)
})
