/** A person who leaves traces wherever chats write: in every table with texts of people, and in files. */
import type { Dirent } from "node:fs"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { expect } from "vitest"
import { insertWebhookCall } from "../../src/db/chats/webhookCalls.ts"
import type { OpenDatabase } from "../../src/db/connection/openDatabase.ts"
import { handOut } from "../../src/jobs/deliveries/handOut.ts"
import { newUuid } from "../../src/lib/ids.ts"
import { ask, block, bot, group, groupIdOf, link, say, set } from "./bots.ts"
import { conversationOf } from "./conversations.ts"
import { runJob } from "./jobs.ts"
import { chatOver, publishBot } from "./publish.ts"
import type { TestServer } from "./server.ts"

/** Who is to be forgotten. */
export const person = "Ann.Secret@example.com"

/** The columns in which chats, and what they tell others, leave texts of people. */
export const columnsOfTraces = [
  "analytics_counts.counts",
  "answers.attached_file_urls",
  "answers.content",
  "answers.shown",
  "chat_sessions.state",
  "conversations.key",
  "deliveries.answer",
  "deliveries.body",
  "deliveries.error",
  "event_bodies.body",
  "idempotency.body",
  "idempotency.key",
  "kept_messages.message",
  "keyed_results.key",
  "logs.context",
  "logs.description",
  "logs.details",
  "outbox.payload",
  "preview_responses.body",
  "preview_responses.key",
  "preview_sessions.state",
  "preview_states.state",
  "result_steps.set_variables",
  "result_steps.shown",
  "result_texts.text",
  "results.variables",
  "session_events.data",
  "webhook_calls.body",
]

/** Other columns that hold only words of the service, or ids, though their names do not say so. */
export const columnsOfOurs = [
  "chat_sessions.claimed_by",
  "deliveries.state",
  "ended_chats.state",
  "logs.status",
  "result_steps.edge_ids",
  "result_steps.trace",
]

/** Where traces are left, and how long the bots keep results. */
export type Scene = { server: TestServer; db: OpenDatabase; retentionDays?: number }

/** Keeps processes that start later from delivering events, which empties the outbox. */
export async function holdEvents({ pool }: OpenDatabase): Promise<void> {
  await pool.query(`insert into jobs (name, claimed_by, claimed_until)
    values ('deliver_events', 'test', 'infinity')`)
}

const now = () => Date.now() + 4 * 86_400_000

/**
 * Has the person talk to several bots, until `columnsOfTraces` all hold who they are, after
 * `holdEvents`. Returns how many results of each bot hold it.
 */
export async function leaveTraces(scene: Scene): Promise<Record<string, number>> {
  const { server, db, retentionDays } = scene
  const settings = { sessions: { ...(retentionDays !== undefined && { retentionDays }) } }
  await wantEvents(server)
  const kid = bot({ settings }, group("Kid", ask.text({ saves: "Kid" }), say("Kid {{Kid}}")))
  const kids = { own: await publishBot(server, kid), merged: await publishBot(server, kid) }
  const main = await publishBot(server, flowOf(settings))
  const steered = await talkToAll(scene, main)
  const parents = [
    bot({ settings }, group("P", say("Hi"), link(kids.own.botId, { mergeResults: false }))),
    bot(
      { settings },
      group("P", say("Hi"), link(kids.merged.botId, { mergeResults: true }), ask.text()),
    ),
  ]
  const linking = await Promise.all(parents.map((flow) => publishBot(server, flow)))
  for (const { publicId } of linking) {
    const chat = await chatOver(server, publicId)
    await chat.say(person, { "idempotency-key": person })
  }
  const { keyed, unanswered } = await talkUnderKeys(scene, settings)
  await deleteAtOnce(scene)
  await handOut(db, 1_000)
  // A receiver that repeats what it gets, of deliveries that still have a body of their own.
  await db.pool.query(
    "update deliveries d set body = b.body, answer = b.body, error = b.body from event_bodies b where b.id = d.event_id",
  )
  await steered.say(person)
  await preview(scene, main.botId)
  await runJob(db, "count_analytics", { now })
  await runJob(db, "copy_texts", { now })
  const [, merging] = linking
  const counts = { [main.botId]: 1, [kids.own.botId]: 1, [keyed.botId]: 2 }
  return { ...counts, [String(merging?.botId)]: 1, [unanswered.botId]: 1 }
}

function flowOf(settings: Record<string, unknown>) {
  return bot(
    { settings, variables: { Mail: null, Copy: null } },
    group(
      "Ask",
      ask.text({ id: "mail", saves: "Mail", attachments: { isEnabled: true } }),
      set("Copy", "{{Mail}}", { id: "copy" }),
      say("Hi {{Copy}}"),
      block("hologram"),
      ask.choice([person, "Else"], { id: "choice" }),
      ask.file({ id: "file", isRequired: false }),
      ask.text({ id: "last" }),
      ask.text({ id: "more" }),
    ),
  )
}

/** One chat after the other of a bot, in all ways that do not need a key. */
async function talkToAll({ server, db }: Scene, { publicId }: { publicId: string }) {
  const chat = await chatOver(server, publicId)
  const { sessionId, resultId } = chat.step
  const attachedFileUrls = [`https://files.example/${person}.png`]
  await chat.say({ type: "text", text: person.toUpperCase(), attachedFileUrls })
  await chat.say(person)
  await upload(server, sessionId)
  const log = { description: person, details: { who: person }, context: person }
  const logged = await server.send("POST", `/api/v1/sessions/${sessionId}/clientLogs`, {
    token: null,
    body: { clientLogs: [log] },
  })
  expect(logged.status).toBe(200)
  const call = { resultId, id: newUuid(), sessionId, blockId: "hook" }
  await insertWebhookCall(db, { ...call, body: JSON.stringify({ who: person }) }, 1)
  const continueAt = { groupId: groupIdOf("Ask"), blockId: "copy" }
  const steered = await server.send("PATCH", `/api/v1/sessions/${sessionId}`, {
    body: { variables: { Mail: person }, continueAt },
  })
  expect(steered.status, JSON.stringify(steered.body)).toBe(200)
  return chat
}

/** Keys that are the person, and a chat in which that is said only while somebody has taken over. */
async function talkUnderKeys({ server }: Scene, settings: Record<string, unknown>) {
  const flow = bot(
    { settings, variables: { Much: null } },
    group("Keyed", ask.text(), ask.text({ id: "end" })),
  )
  const keyed = await publishBot(server, flow)
  const paused = conversationOf(server, keyed, "telegram:1")
  await paused.send("hello")
  await paused.change({ state: "paused" })
  await paused.send(person)
  await conversationOf(server, keyed, person).send("hello")
  // Too much for a chat: the key is known, and nothing else of it.
  const prefilledVariables = { Much: "x".repeat(1_200_000) }
  const unanswered = await publishBot(server, flow)
  const refused = await conversationOf(server, unanswered, person).send("hello", {
    prefilledVariables,
  })
  expect(refused.status).toBe(413)
  return { keyed, unanswered }
}

/** A result that was deleted by hand has left nothing. */
async function deleteAtOnce({ server }: Scene): Promise<void> {
  const { botId, publicId } = await publishBot(server, flowOf({}))
  const chat = await chatOver(server, publicId)
  await chat.say(person, { "idempotency-key": person })
  const { resultId } = chat.step
  const path = `/api/v1/bots/${botId}/results?resultIds=${resultId}`
  expect((await server.send("DELETE", path)).body).toMatchObject({ count: 1 })
}

async function preview({ server }: Scene, botId: string): Promise<void> {
  const headers = { "idempotency-key": person }
  const started = await server.send("POST", `/api/v1/bots/${botId}/preview/startChat`, {
    body: {},
    headers,
  })
  expect(started.status, JSON.stringify(started.body)).toBe(200)
  const path = `/api/v1/sessions/${started.body.sessionId}/continueChat`
  expect((await server.send("POST", path, { body: { message: person }, headers })).status).toBe(200)
  // So that the state in which that was said is one to go back to.
  expect((await server.send("POST", path, { body: { message: person } })).status).toBe(200)
}

async function wantEvents(server: TestServer): Promise<void> {
  const { body } = await server.send("GET", "/api/v1/workspaces")
  const [workspace] = body.workspaces as { id: string }[]
  const types = ["answer.submitted", "result.completed", "conversation.paused"]
  const made = await server.send("POST", `/api/v1/workspaces/${workspace?.id}/webhookEndpoints`, {
    body: { url: "https://events.example/", types },
  })
  expect(made.status, JSON.stringify(made.body)).toBe(200)
}

/** Sends a file whose name and content say who sent it. */
export async function upload(server: TestServer, sessionId: string): Promise<void> {
  const fileName = `${person}.txt`
  const asked = await server.send("POST", "/api/v1/generate-upload-url", {
    token: null,
    body: { sessionId, blockId: "file", fileName, fileType: "text/plain" },
  })
  expect(asked.status, JSON.stringify(asked.body)).toBe(200)
  const { presignedUrl, formData } = asked.body as {
    presignedUrl: string
    formData: Record<string, string>
  }
  const form = new FormData()
  for (const [name, value] of Object.entries(formData)) form.append(name, value)
  form.append("file", new Blob([`I am ${person}`], { type: "text/plain" }), fileName)
  // The service does not know the port that it got.
  const { pathname, search } = new URL(presignedUrl)
  const sent = await fetch(server.address + pathname + search, { method: "POST", body: form })
  expect(sent.status).toBeLessThan(300)
}

/** The files in a folder, however deep, whose path or content has a text. */
export async function filesWith(folder: string, text: string): Promise<string[]> {
  const all: Dirent[] = await readdir(folder, { recursive: true, withFileTypes: true })
  const found: string[] = []
  for (const each of all) {
    const path = join(each.parentPath, each.name)
    const content = each.isFile() ? await readFile(path, "utf8") : ""
    if (`${path}\n${decodeURIComponent(path)}\n${content}`.includes(text)) found.push(path)
  }
  return found
}
