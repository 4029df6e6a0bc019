/** An upgrade: a backup of a former release is restored by this one, and its unfinished chats go on. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { restoreCommand } from "../../src/cli/restore.ts"
import { allJobs } from "../../src/jobs/allJobs.ts"
import { json, startPeer } from "../effects/peer.ts"
import { runAlone } from "../support/cluster.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { type Step, textsOf } from "../support/publish.ts"
import { run } from "../support/runCommand.ts"
import { sendTo, testServer } from "../support/server.ts"
import { testFolder } from "../support/testFolder.ts"
import { eventually } from "../support/waiting.ts"

type Chat = "onOne" | "onTwo" | "keyed" | "linked" | "listened" | "idle" | "ended"

/** What is known of the service that made the backup. */
type Former = {
  madeAt: string
  token: string
  /** Ids of bots. */
  bots: Record<"survey" | "loop", string>
  chats: Record<Chat, { sessionId: string; resultId: string }>
  /** The answer to the request with an `Idempotency-Key`. */
  keyedAnswer: object
  /** What it answered to GET requests, by path. */
  answers: Record<string, object>
}

const fixture = fileURLToPath(new URL("../fixtures/formerRelease", import.meta.url))
const former: Former = JSON.parse(await readFile(join(fixture, "before.json"), "utf8"))
const { bots, chats } = former

/** Tables whose rows expire or become due. */
const timedTables = [
  "chat_sessions",
  "conversations",
  "deliveries",
  "event_bodies",
  "idempotency",
  "kept_messages",
  "outbox",
  "session_events",
  "timers",
]

/** Moves all times of a table, as if the backup had been made a minute ago. */
const moveTimes = (table: string) => `do $$ declare c text; begin
  for c in select attname from pg_attribute
    where attrelid = '${table}'::regclass and atttypid = 'timestamptz'::regtype and attnum > 0
  loop
    execute format('update ${table} set %1$I = %1$I + (now() - interval ''1 minute'' - %2$L)',
      c, timestamptz '${former.madeAt}');
  end loop;
end $$`

const folder = await testFolder()
const receiver = await startPeer()
receiver.answers(json({ ok: true }))

const url = await testDatabaseUrl("empty")
vi.stubEnv("DATABASE_URL", url)
vi.stubEnv("PARLEY_DATA", folder)
vi.stubEnv("PARLEY_SECRET", "a secret that only tests know of")
const restored = await run(restoreCommand, join(fixture, "backup"))
expect(restored, restored.err).toMatchObject({ code: 0 })
for (const table of timedTables) await runAlone(url, moveTimes(table))
// Before the service starts: a recount would replace what the former release has counted.
const jobs = allJobs.map(({ name }) => `'${name}'`).join(", ")
await runAlone(url, `update jobs set run_at = '2100-01-01' where name in (${jobs})`)
await runAlone(url, `update webhook_endpoints set url = '${receiver.url}/'`)
await runAlone(url, "update deliveries set next_at = now()")
const server = await testServer({
  DATABASE_URL: url,
  PARLEY_DATA: folder,
  PARLEY_ALLOW_HOSTS: "127.0.0.1",
})
const send = sendTo(server.address, former.token)

const conversation = `/bots/${bots.loop}/conversations/telegram:42`

async function read(path: string): Promise<Record<string, unknown>> {
  const { status, body } = await send("GET", `/api/v1${path}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

async function reply(chat: Chat, message: string, headers: Record<string, string> = {}) {
  const path = `/api/v1/sessions/${chats[chat].sessionId}/continueChat`
  const body = { textBubbleContentFormat: "markdown", message }
  const { status, body: answer, ...rest } = await send("POST", path, { token: null, body, headers })
  expect(status, JSON.stringify(answer)).toBe(200)
  return { answer: answer as Step, headers: rest.headers }
}

const said = async (chat: Chat, message: string) => textsOf((await reply(chat, message)).answer)

/** Without what the former release did not say, and what depends on the present time. */
function timeless(answer: object): unknown {
  return JSON.parse(JSON.stringify(answer), (name, value) => {
    if (["endedAt", "durationSeconds"].includes(name)) return undefined
    if (["startedAt", "updatedAt", "expiresAt", "dropOffRate"].includes(name)) return undefined
    if (typeof value?.content === "string" && "blockId" in value) {
      const { name: _name, ...answer } = value
      return answer
    }
    // Open chats count as left later.
    if (typeof value?.dropped !== "number") return value
    const { open, dropped, ...block } = value
    return { ...block, unanswered: open + dropped }
  })
}

// Before chats go on, and change what is read.
describe("what a former release stored is read as it was:", () => {
  // By what the ids of results say of their time, which cannot be moved.
  beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: Date.parse(former.madeAt) }))
  afterEach(() => void vi.useRealTimers())

  test.each(Object.keys(former.answers))("%s", async (path) => {
    expect(timeless(await read(path))).toEqual(timeless(former.answers[path] ?? {}))
  })

  test("a transcript has the answers, and says that it lacks what was shown", async () => {
    const transcript = await read(`/bots/${bots.survey}/results/${chats.ended.resultId}/transcript`)
    expect(transcript).toMatchObject({
      lines: [{ text: "Bob" }, { text: "Blue" }, { text: "bob@example.com" }],
      isExact: false,
      reasons: [expect.stringContaining("an earlier version")],
    })
  })
})

describe("what a former release left unfinished goes on:", () => {
  test("a chat on version 1, after version 2 was published", async () => {
    expect(await said("onOne", "Red")).toEqual(["Your e-mail, ANN?"])
    expect(await said("onOne", "ann@example.com")).toEqual(["Thanks Ann, Red, ann@example.com"])
    expect(await said("onTwo", "Cid")).toEqual(["A colour, Cid?"])
  })

  test("a request is answered again to the key that it had, and the chat goes on", async () => {
    const { answer, headers } = await reply("keyed", "Kim", { "idempotency-key": "key 1" })
    expect(answer).toEqual(former.keyedAnswer)
    expect(headers.get("idempotent-replayed")).toBe("true")
    expect(await said("keyed", "Blue")).toEqual(["Your e-mail, KIM?"])
  })

  test("a chat inside a linked bot", async () => {
    expect(await said("linked", "there")).toEqual(["Heard there"])
  })

  test("a paused conversation, whose transcript has the message that was kept", async () => {
    const body = { state: "active" }
    expect(await send("PATCH", `/api/v1${conversation}`, { body })).toMatchObject({ status: 200 })
    const second = { textBubbleContentFormat: "markdown", message: "Second" }
    const path = `/api/v1${conversation}/messages`
    const { body: step } = await send("POST", path, { body: second })
    expect(textsOf(step as Step)).toEqual(["Say Second"])
    const { resultId } = step as Step
    const { lines } = await read(`/bots/${bots.loop}/results/${resultId}/transcript`)
    const texts = (lines as { text: string }[]).map(({ text }) => text)
    expect(texts).toEqual(["First", "Kept", "Second", "Say Second"])
  })

  test("the timer of a chat in which nobody speaks", async () => {
    await eventually(async () => {
      expect(await read(`/sessions/${chats.idle.sessionId}`)).toMatchObject({
        conversation: { waitsFor: { groupTitle: "Idle" } },
      })
    })
    expect(await said("idle", "Zed")).toEqual(["Welcome back Zed"])
  })

  test("deliveries of events that nobody took", async () => {
    const events = () =>
      receiver.received
        .map((request) => request.json as { type: string; data: Record<string, unknown> })
        .filter(({ data }) => data.resultId === chats.listened.resultId)
        .map(({ type, data }) => `${data.sequence} ${type}`)
    await eventually(() =>
      expect(events()).toEqual([
        "1 conversation.started",
        "2 answer.submitted",
        "3 answer.submitted",
        "4 answer.submitted",
      ]),
    )
  })
})
