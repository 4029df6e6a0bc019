/** Every POST either carries out requests with the same Idempotency-Key once, or refuses the header by name. */
import type { AnyTRPCProcedure, AnyTRPCRouter } from "@trpc/server"
import type { OpenApiMeta } from "trpc-to-openapi"
import { expect, test } from "vitest"
import { createParleyClient } from "../../src/client.ts"
import { flowKeyPrefix } from "../../src/effects/httpRequest.ts"
import { appRouter } from "../../src/routers/app.ts"
import type { ProcedureMeta } from "../../src/routers/trpc.ts"
import { ask, bot, group, say } from "../support/bots.ts"
import { chatOver, publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"

const server = await testServer()
const flow = bot(group("A", say("Your name?"), ask.text({ saves: "Name" }), ask.text()))
const { botId, publicId } = await publishBot(server, flow)

const router: AnyTRPCRouter = appRouter
const procedures: Record<string, AnyTRPCProcedure> = router._def.procedures
const operations = Object.values(procedures).flatMap(({ _def }) => {
  const { openapi, ...meta } = (_def.meta ?? {}) as OpenApiMeta<ProcedureMeta>
  if (openapi === undefined) return []
  const id = String(openapi.operationId)
  const { method, path, protect } = openapi
  return [{ id, method, path, isForVisitors: protect === false, ...meta }]
})

/** What is sent to the operations that take a key: the end of the path below `/api/v1`, and a body. */
const requests: Record<string, () => Promise<{ method?: string; path: string; body: object }>> = {
  startChat: async () => ({ path: `/bots/${publicId}/startChat`, body: {} }),
  startPreviewChat: async () => ({ path: `/bots/${botId}/preview/startChat`, body: {} }),
  continueChat: async () => {
    const { sessionId } = (await chatOver(server, publicId)).step
    return { path: `/sessions/${sessionId}/continueChat`, body: { message: "Ann" } }
  },
  sendConversationMessage: async () => ({
    path: `/bots/${botId}/conversations/one/messages`,
    body: { message: "Ann" },
  }),
  updateConversation: async () => {
    await server.send("POST", `/api/v1/bots/${botId}/conversations/two/messages`, { body: {} })
    const path = `/bots/${botId}/conversations/two`
    return { method: "PATCH", path, body: { variables: { Name: "Ann" } } }
  },
  replyToConversation: async () => {
    await server.send("POST", `/api/v1/bots/${botId}/conversations/three/messages`, { body: {} })
    const path = `/bots/${botId}/conversations/three/replies`
    return { path, body: { text: "Hello", pause: true } }
  },
  replyInSession: async () => {
    const { sessionId } = (await chatOver(server, publicId)).step
    return { path: `/sessions/${sessionId}/replies`, body: { text: "Hello", pause: true } }
  },
  updateSession: async () => {
    const { sessionId } = (await chatOver(server, publicId)).step
    const body = { variables: { Name: "Ann" } }
    return { method: "PATCH", path: `/sessions/${sessionId}`, body }
  },
}

test("the operations that take a key are those below", () => {
  const taking = operations.filter(({ takesKey }) => takesKey).map(({ id }) => id)
  expect(taking.sort()).toEqual(Object.keys(requests).sort())
})

test.each(
  Object.entries(requests),
)("2.9 %s with a key is carried out once", async (id, request) => {
  const { method = "POST", path, body } = await request()
  const send = (sent: object) =>
    server.send(method, `/api/v1${path}`, { body: sent, headers: { "idempotency-key": id } })
  const first = await send(body)
  expect([first.status, first.headers.get("idempotent-replayed")]).toEqual([200, null])
  const second = await send(body)
  const another = "text" in body ? { text: "Bye" } : { textBubbleContentFormat: "markdown" }
  expect([second.status, second.headers.get("idempotent-replayed")]).toEqual([200, "true"])
  expect(second.body).toEqual(first.body)
  expect((await send({ ...body, ...another })).status).toBe(422)
})

/** What other systems send to a chat that waits for them has headers of their own. */
const foreign = ["executeWebhook", "executeTestWebhook"]

test("only calls of other systems may ignore a key", () => {
  const ignoring = operations.filter(({ takesWholeBody }) => takesWholeBody).map(({ id }) => id)
  expect(ignoring).toEqual(foreign)
})

const others = operations.filter(
  ({ id, method, takesKey }) => method === "POST" && !takesKey && !foreign.includes(id),
)
const refusing = others.filter(({ isForVisitors }) => !isForVisitors)

test("chat pages of former releases send a key with every call, and go on", async () => {
  const ofPages = others.filter(({ isForVisitors }) => isForVisitors)
  // The last is newer than the pages that send keys.
  const visitors = ["addClientLogs", "generateUploadUrl", "signTypingOfPerson"]
  expect(ofPages.map(({ id }) => id).sort()).toEqual(visitors)
  const upload = bot(group("A", ask.file({ id: "ask" })))
  const { sessionId } = (await chatOver(server, (await publishBot(server, upload)).publicId)).step
  const headers = { "idempotency-key": "mine" }
  const line = { status: "info", description: "Seen" }
  for (const [path, body] of [
    [
      "generate-upload-url",
      { sessionId, blockId: "ask", fileName: "a.txt", fileType: "text/plain" },
    ],
    [`sessions/${sessionId}/clientLogs`, { clientLogs: [line] }],
  ] as const) {
    const { status } = await server.send("POST", `/api/v1/${path}`, { token: null, body, headers })
    expect([path, status]).toEqual([path, 200])
  }
})

test.each(refusing)("2.9 $id refuses a key by name", async ({ id, path }) => {
  const at = path.replaceAll(/\{\w+\}/g, "0")
  const send = (key: string) =>
    server.send("POST", at, { body: {}, headers: { "idempotency-key": key } })
  const { status, body } = await send("mine")
  expect([status, body.code]).toEqual([400, "BAD_REQUEST"])
  expect(body.message).toMatch(new RegExp(`^${id} does not take the header Idempotency-Key`))
  // Flows add keys to all their requests.
  expect((await send(`${flowKeyPrefix}mine`)).body.message).not.toContain("Idempotency-Key")
})

test("tRPC refuses it, too", async () => {
  const client = createParleyClient({
    url: server.address,
    token: server.token,
    fetch: (input, init) => {
      const headers = new Headers(init?.headers)
      headers.set("idempotency-key", "mine")
      return fetch(input as string, { ...init, headers } as RequestInit)
    },
  })
  const create = client.workspace.create.mutate({ name: "Shop" })
  await expect(create).rejects.toThrow("createWorkspace does not take the header Idempotency-Key")
  await expect(client.workspace.list.query()).resolves.toHaveProperty("workspaces")
})
