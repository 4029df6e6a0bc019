/** Where the story of the examples happens: a service, who is there, and what they make for it. */

import { expect } from "vitest"
import { newUuid } from "../../src/lib/ids.ts"
import { createAccount } from "../../src/people/createAccount.ts"
import { exampleIds, exampleOrders } from "../../src/routers/examples.ts"
import { events, json, startPeer } from "../effects/peer.ts"
import { ask, block, bot, group, say } from "../support/bots.ts"
import { testDatabase } from "../support/database.ts"
import { webhooksDocument } from "../support/documentExamples.ts"
import { Bindings } from "../support/likeness.ts"
import { startMcpServer, toolOf } from "../support/mcpServer.ts"
import { chatOver, publishBot } from "../support/publish.ts"
import { sendTo, testServer } from "../support/server.ts"
import { testFolder } from "../support/testFolder.ts"
import { eventually } from "../support/waiting.ts"
import { openZone } from "../support/zone.ts"

const folder = await testFolder()
export const database = await testDatabase()
export const publicUrl = "https://parley.example.com"
export const server = await testServer({
  DATABASE_URL: database.url,
  PARLEY_DATA: folder,
  PARLEY_PUBLIC_URL: publicUrl,
  PARLEY_DNS_SERVERS: (await openZone()).address,
  PARLEY_ALLOW_HOSTS: "127.0.0.1",
})
/** Receives what is sent to an endpoint. */
const receiver = await startPeer()
receiver.answers(json({ ok: true }))

type Event = {
  type: string
  data: { botId?: string; conversationKey?: string }
}

/** The events that were received, oldest first. */
export const received = () => receiver.received.map(({ json: event }) => event as Event)

/** The first events of the bot and of its conversation, by type. */
export const told: Record<string, Event> = {}
const model = await startPeer()

/** What stands for the values of the examples. */
export const bindings = new Bindings()
bindings.bind("https://crm.example.com", receiver.url)
const { botId, workspaceId, resultId, sessionId, userId, blockId } = exampleIds
/** The value that stands for one of the examples. */
export const live = (example: string) => bindings.filled(example)

export const dora = await createAccount(database, {
  email: "dora@example.com",
  workspaceName: "Bakery",
})
const asDora = sendTo(server.address, dora.token)
await database.pool.query(
  "insert into users (id, email, name) values ($1, 'carol@example.com', 'Carol')",
  [userId],
)

/** Sends a request that the story needs and no example shows. */
export async function post(path: string, body: object, send = server.send) {
  const reply = await send("POST", `/api/v1${path}`, { body })
  expect(reply.status, `${path} ${JSON.stringify(reply.body)}`).toBe(200)
  return reply.body
}

/** Ann has a server with tools. */
export async function connectTools(): Promise<Record<string, string>> {
  const number = { type: "integer", description: "As on the invoice" }
  const description = "Finds an order by its number"
  const { url } = await startMcpServer({
    tools: [{ ...toolOf("find_order", { number }), description }],
  })
  const credentials = { type: "mcp", name: "Orders", data: { url } }
  const made = await post("/credentials", { workspaceId: live(workspaceId), credentials })
  return { [exampleIds.credentialsId]: String(made.credentialsId) }
}

/** Dora invites Ann. */
export async function invite(): Promise<Record<string, string>> {
  const path = `/workspaces/${dora.workspaceId}/invitations`
  const { invitation } = await post(path, { email: "ann@example.com", type: "GUEST" }, asDora)
  return { [exampleIds.invitationId]: (invitation as { id: string }).id }
}

/** Dora shares a bot with Ann. */
export async function share(): Promise<Record<string, string>> {
  const wanted = { workspaceId: dora.workspaceId, bot: { name: exampleOrders.name } }
  const { id } = (await post("/bots", wanted, asDora)).bot as { id: string }
  const body = { email: "ann@example.com", type: "READ" }
  const { collaborator } = await post(`/bots/${id}/collaborators`, body, asDora)
  const invitationId = (collaborator as { id: string }).id
  return { [exampleOrders.id]: id, [exampleIds.invitationId]: invitationId }
}

export async function emptyBot(): Promise<Record<string, string>> {
  const { bot: made } = await post("/bots", { workspaceId: live(workspaceId), bot: {} })
  return { [botId]: (made as { id: string }).id }
}

/** A chat of a bot of its own. */
export async function chatWith(flow: ReturnType<typeof bot>, start: object = {}) {
  const published = await publishBot(server, flow)
  const chat = await chatOver(server, published.publicId, start)
  const { sessionId: session, resultId: result } = chat.step
  return {
    ...published,
    ...chat,
    session,
    bound: {
      [botId]: published.botId,
      [sessionId]: session,
      [resultId]: result,
    },
  }
}

export const conversation = () => `/bots/${live(botId)}/conversations/${exampleIds.key}`

/** Ann is in charge of the conversation. */
export async function assign(): Promise<void> {
  const { body } = await server.send("GET", "/api/v1/users/me")
  await server.send("PATCH", `/api/v1${conversation()}`, { body: { assigneeId: body.id } })
}

export const waitingForCall = bot(group("A", block("webhook", {}, { id: blockId }), ask.text()))

export async function uploaded(): Promise<Record<string, string>> {
  const chat = await chatWith(bot(group("A", ask.file({ visibility: "Private" }))))
  const file = { sessionId: chat.session, fileName: exampleIds.fileName, fileType: "text/plain" }
  const prepared = await post("/generate-upload-url", file)
  const form = new FormData()
  for (const [name, value] of Object.entries(prepared.formData as object)) form.append(name, value)
  form.append("file", new Blob(["Hello"]), exampleIds.fileName)
  const url = String(prepared.presignedUrl).replace(publicUrl, server.address)
  expect((await fetch(url, { method: "POST", body: form })).ok).toBe(true)
  const [name = "", found = ""] = String(prepared.fileUrl).split("/").toReversed()
  return { ...chat.bound, [exampleIds.folder]: found, [exampleIds.fileName]: name }
}

export async function waitingForModel(): Promise<Record<string, string>> {
  model.answers(
    events(
      { choices: [{ delta: { content: "Hi " } }] },
      { choices: [{ delta: { content: "Ann" } }] },
      "[DONE]",
    ),
  )
  const { body } = await server.send("GET", "/api/v1/workspaces")
  const data = { apiKey: "sk", baseUrl: `${model.url}/v1` }
  const credentials = { type: "openai", name: "AI", data }
  const [first] = body.workspaces as { id: string }[]
  const { credentialsId } = await post("/credentials", { workspaceId: first?.id, credentials })
  const options = {
    credentialsId,
    action: "Create chat completion",
    model: "gpt-4o",
    messages: [{ role: "user", content: "Hello" }],
    responseMapping: [{ item: "Message content", variableId: "vReply" }],
  }
  const flow = bot(group("A", ask.text(), block("openai", options), say("{{Reply}}")))
  const variables = [...(flow.variables ?? []), { id: "vReply", name: "Reply" }]
  const chat = await chatWith({ ...flow, variables }, { isStreamEnabled: true })
  await chat.say("Ann")
  return chat.bound
}

/** The workspace has its groups named by a model. */
export async function nameGroups(): Promise<void> {
  model.answers(json({ choices: [{ message: { content: '{"title":"Ask for the name"}' } }] }))
  const data = { apiKey: "sk", baseUrl: `${model.url}/v1` }
  const credentials = { type: "openai", name: "AI", data }
  const { credentialsId } = await post("/credentials", {
    workspaceId: live(workspaceId),
    credentials,
  })
  const titles = { isEnabled: true, provider: "openai", credentialsId, model: "gpt-4.1" }
  const body = { settings: { groupTitlesAutoGeneration: titles } }
  const path = `/api/v1/workspaces/${live(workspaceId)}`
  expect((await server.send("PATCH", path, { body })).status).toBe(200)
}

export async function keepDelivery(): Promise<void> {
  await database.kysely
    .insertInto("deliveries")
    .values({
      endpointId: live(exampleIds.endpointId),
      id: exampleIds.deliveryId,
      eventId: newUuid(),
      resultId: newUuid(),
      type: "result.completed",
      body: "{}",
      state: "delivered",
      attempts: 1,
      status: 200,
      durationMs: 85,
      answer: '{"ok":true}',
      attemptedAt: new Date(),
    })
    .execute()
}

const listener = "l1i3s5t7e9n0e2r4x6y8z1a3"

/** Somebody listens, and a bot is published. */
export async function listen(): Promise<Record<string, string>> {
  const path = `/workspaces/${live(workspaceId)}/webhookEvents`
  const { listenerId } = await post(path, { types: ["bot.published"] })
  await post(`/bots/${live(botId)}/publish`, { note: "Asks for the name" })
  await eventually(async () => {
    expect((await post(path, { listenerId })).events).toHaveLength(1)
  })
  return { [listener]: String(listenerId) }
}

/** What nobody can make happen here, and what is sent by hand below. */
const untold = ["conversation.idle", "conversation.expired", "ping"]
export const toldTypes = Object.keys(webhooksDocument.webhooks).filter(
  (type) => !untold.includes(type),
)

/** An endpoint that gets every event, until it is deleted. */
let collector = ""

export async function subscribe(): Promise<void> {
  const path = `/workspaces/${live(workspaceId)}/webhookEndpoints`
  const { endpoint } = await post(path, { url: `${receiver.url}/all`, types: toldTypes })
  collector = `/api/v1${path}/${(endpoint as { id: string }).id}`
}

export async function collectEvents(): Promise<void> {
  await eventually(() => {
    for (const event of received()) {
      const { botId: of = "", conversationKey } = event.data
      const isOfStory = of === live(botId) && (conversationKey ?? "") !== ""
      const isOfBot = of === live(botId) && event.type.startsWith("bot.")
      if (isOfStory || isOfBot) told[event.type] ??= event
    }
    expect(Object.keys(told).sort()).toEqual(toldTypes.toSorted())
  })
  await server.send("DELETE", collector)
}
