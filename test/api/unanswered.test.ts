/** Chats that never get an answer live for a short while, and one address cannot fill the disk with them. */
import { beforeEach, describe, expect, test, vi } from "vitest"
import { emptyUnanswered } from "../../src/db/chats/unanswered.ts"
import { chatScopeOf } from "../../src/db/chats/uploads.ts"
import { ask, block, bot, group, link, say } from "../support/bots.ts"
import { testDatabase } from "../support/database.ts"
import { failDeletions } from "../support/failingDeletions.ts"
import { noFiles, runJob } from "../support/jobs.ts"
import { publishBot, type Step } from "../support/publish.ts"
import { testServer } from "../support/server.ts"
import { tablesWith } from "../support/tablesWith.ts"

const db = await testDatabase()
const { pool } = db
const variables = {
  DATABASE_URL: db.url,
  PARLEY_TRUSTED_PROXIES: "1",
  PARLEY_RATES: "unansweredKilobytes=1/100",
}
const server = await testServer(variables)
const flow = {
  ...bot(group("A", say("Name?"), ask.text({ saves: "Name" }), ask.text({ saves: "More" }))),
  settings: { general: { rememberUser: { isEnabled: true } } },
}
const { publicId, botId } = await publishBot(server, flow)
const minuteMs = 60_000

beforeEach(async () => {
  await pool.query("truncate chat_sessions, results, logs, result_steps, answers")
})

let addresses = 0
const newAddress = () => `192.0.2.${++addresses}`

type Start = {
  ip?: string
  token?: string | null
  body?: object
  headers?: Record<string, string>
  at?: typeof server
  to?: string
}

async function start(options: Start = {}) {
  const { ip = newAddress(), token = null, body = {}, headers = {}, at = server } = options
  const path = `/api/v1/bots/${options.to ?? publicId}/startChat`
  const sent = { token, body, headers: { "x-forwarded-for": ip, ...headers } }
  const reply = await at.send("POST", path, sent)
  return { ...reply, step: reply.body as Step }
}

const answer = (sessionId: string, message: string, ip = newAddress()) =>
  server.send("POST", `/api/v1/sessions/${sessionId}/continueChat`, {
    token: null,
    body: { message },
    headers: { "x-forwarded-for": ip },
  })

/** Minutes that a session has left; null: it need not be answered soon. */
async function minutesLeft(sessionId: string): Promise<number | null> {
  const { rows } = await pool.query("select expires_at from chat_sessions where id = $1", [
    sessionId,
  ])
  const expiresAt: Date | null = rows[0].expires_at
  return expiresAt && Math.round((expiresAt.getTime() - Date.now()) / minuteMs)
}

const expire = () =>
  pool.query(
    "update chat_sessions set expires_at = now() - interval '1 s' where expires_at > now()",
  )

const count = async (table: string) =>
  (await pool.query(`select count(*)::int as n from ${table}`)).rows[0].n

describe("2.5 a chat without an answer", () => {
  test("has two hours for it, a keyed one too, and any time once it is there", async () => {
    const { step } = await start()
    expect(await minutesLeft(step.sessionId)).toBe(120)
    const keyed = await start({ headers: { "idempotency-key": "k" } })
    expect(await minutesLeft(keyed.step.sessionId)).toBe(120)
    expect((await answer(step.sessionId, "Ann")).status).toBe(200)
    expect(await minutesLeft(step.sessionId)).toBeNull()
    await answer(step.sessionId, "More")
  })

  test("has as long as any when a token comes with the start, and not with one that is none", async () => {
    const { step } = await start({ token: server.token })
    expect(await minutesLeft(step.sessionId)).toBeNull()
    const nonsense = await start({ token: "nonsense" })
    expect(await minutesLeft(nonsense.step.sessionId)).toBe(120)
  })

  test("gains no time by turns that bring no answer", async () => {
    const registered = await start({ body: { isOnlyRegistering: true } })
    const { sessionId } = registered.step
    await pool.query("update chat_sessions set expires_at = now() + interval '1 hour'")
    expect((await answer(sessionId, "")).status).toBe(200)
    expect(await minutesLeft(sessionId)).toBe(60)
  })

  test("may wait two days for the call of another system", async () => {
    const hooked = await publishBot(
      server,
      bot(group("A", say("Wait"), block("webhook", {}, { id: "hook" }), ask.text())),
    )
    const { step } = await start({ to: hooked.publicId })
    expect(await minutesLeft(step.sessionId)).toBe(48 * 60)
  })

  test.each([
    -72, 72,
  ])("ends by the clock of the database: its machine is %i hours off", async (hours) => {
    const hooked = await publishBot(
      server,
      bot(group("A", say("Wait"), block("webhook", {}, { id: "hook" }), ask.text())),
    )
    const expiring = await publishBot(server, {
      ...bot(group("A", ask.text(), ask.text())),
      settings: { sessions: { expiresAfter: 3_600 } },
    })
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + hours * 60 * minuteMs })
    const { step } = await start()
    const keyed = await start({ headers: { "idempotency-key": `off ${hours}` } })
    const waiting = await start({ to: hooked.publicId })
    const spoken = await start({ to: expiring.publicId })
    expect((await answer(spoken.step.sessionId, "Ann")).status).toBe(200)
    const path = `/api/v1/bots/${expiring.botId}/conversations/off${hours}/messages`
    const told = await server.send("POST", path, { body: { message: "Ann" } })
    vi.useRealTimers()
    expect(await minutesLeft(step.sessionId)).toBe(120)
    expect(await minutesLeft(keyed.step.sessionId)).toBe(120)
    expect(await minutesLeft(waiting.step.sessionId)).toBe(48 * 60)
    expect(await minutesLeft(spoken.step.sessionId)).toBe(60)
    expect(await minutesLeft(String(told.body.sessionId))).toBe(60)
  })

  test("is gone after its time, for its client at once", async () => {
    const { step } = await start()
    await expire()
    const late = await answer(step.sessionId, "Ann")
    expect([late.status, late.body.message]).toEqual([404, "Session not found: start a new chat"])
  })
})

describe("the purge of unanswered chats", () => {
  // Chats begin now; the job looks from two hours later.
  const later = { now: () => Date.now() + 121 * minuteMs }

  test("takes what belongs to them and leaves the view; answered chats stay whole", async () => {
    const gone = await start({ body: { prefilledVariables: { Name: "x".repeat(5_000) } } })
    const answered = await start()
    await answer(answered.step.sessionId, "Ann")
    const waiting = await start({ token: server.token })
    const resultId = gone.step.resultId ?? ""
    for (const { step } of [gone, answered]) {
      await pool.query(
        `insert into logs (result_id, id, status, description)
        values ($1, gen_random_uuid(), 'info', 'x')`,
        [step.resultId],
      )
    }
    const idle = await start()
    // As if it had been given leave to upload.
    await pool.query(
      "insert into upload_tallies (scope, files, bytes, expires_at) values ($1, 1, 1, now())",
      [chatScopeOf(gone.step.sessionId)],
    )
    await expire()
    const deleteResultFiles = vi.fn(async () => {})
    const files = { ...noFiles, deleteResultFiles }
    expect(await runJob(db, "purge_unanswered", { files, ...later })).toEqual({ sessions: 2 })
    expect(idle.status).toBe(200)
    expect(deleteResultFiles.mock.calls).toEqual([[{ resultId, botId }]])
    const { rows } = await pool.query("select id from chat_sessions")
    const left = [answered, waiting].map(({ step }) => step.sessionId)
    expect(rows.map(({ id }) => id).sort()).toEqual(left.sort())
    expect([await count("results"), await count("logs")]).toEqual([4, 1])
    const kept = await pool.query(
      `select variables, (select sum(octet_length(set_variables::text))::int from result_steps s
        where s.result_id = r.result_id) as steps from results r where result_id = $1`,
      [resultId],
    )
    expect(kept.rows).toEqual([{ variables: [], steps: null }])
  })

  test("leaves chats with a lifetime of their own to the timer, which reports that they have expired", async () => {
    const expiring = await publishBot(server, {
      ...bot(group("A", say("Hi {{Name}}"), ask.text(), ask.text())),
      settings: { sessions: { expiresAfter: 3_600 } },
    })
    const spoken = await start({ to: expiring.publicId })
    await answer(spoken.step.sessionId, "Ann")
    const path = `/api/v1/bots/${expiring.botId}/conversations/silent/messages`
    expect((await server.send("POST", path, { body: {} })).status).toBe(200)
    await expire()
    expect(await runJob(db, "purge_unanswered", later)).toEqual({ sessions: 0 })
    expect(await count("chat_sessions")).toBe(2)
  })

  test("leaves a result alone that was answered in an earlier chat, or that another chat goes on with", async () => {
    const first = await start()
    await answer(first.step.sessionId, "Ann")
    await start({ body: { resultId: first.step.resultId } })
    const twice = await start({ body: { prefilledVariables: { Name: "Bob" } } })
    await start({ body: { resultId: twice.step.resultId } })
    await pool.query(
      `update chat_sessions set expires_at = now() - interval '1 s'
      where expires_at is not null and id <> $1`,
      [twice.step.sessionId],
    )
    const deleteResultFiles = vi.fn(async () => {})
    const files = { ...noFiles, deleteResultFiles }
    expect(await runJob(db, "purge_unanswered", { files, ...later })).toEqual({ sessions: 2 })
    expect(deleteResultFiles).not.toHaveBeenCalled()
    const { rows } = await pool.query("select variables from results order by result_id")
    expect(rows.map(({ variables }) => variables[0].value)).toEqual(["Ann", "Bob"])
    const linked = { resultIds: [], sessionIds: [] }
    expect(await emptyUnanswered(db, [first.step.resultId ?? ""], linked)).toEqual([])
  })

  test("takes what they left in linked bots with results of their own", async () => {
    const named = { variables: { Name: null } }
    const kid = await publishBot(server, bot(named, group("K", say("Hi {{Name}}"), ask.text())))
    const flow = bot(named, group("P", link(kid.botId, { mergeResults: false }), ask.text()))
    const { publicId: to } = await publishBot(server, flow)
    const body = { prefilledVariables: { Name: "Ann Secret" } }
    await start({ to, body })
    const answered = await start({ to, body: { prefilledVariables: { Name: "Bob" } } })
    await answer(answered.step.sessionId, "Hello")
    await expire()
    expect(await tablesWith(db, "Ann Secret")).toContain("results")
    expect(await runJob(db, "purge_unanswered", later)).toEqual({ sessions: 1 })
    expect(await tablesWith(db, "Ann Secret")).toEqual([])
    expect(await tablesWith(db, "Bob")).toContain("result_steps")
  })

  test("takes all or nothing of them: what fails half-way is done by the next one", async () => {
    const gone = await start({ body: { prefilledVariables: { Name: "Half Way" } } })
    await pool.query(
      `insert into logs (result_id, id, status, description)
      values ($1, gen_random_uuid(), 'info', 'Half Way')`,
      [gone.step.resultId],
    )
    await expire()
    const goOn = await failDeletions(pool, "logs")
    await expect(runJob(db, "purge_unanswered", later)).rejects.toThrow("No more")
    await goOn()
    expect(await runJob(db, "purge_unanswered", later)).toEqual({ sessions: 1 })
    expect(await tablesWith(db, "Half Way")).toEqual([])
  })

  test("takes more than one batch, and neither claimed chats nor those whose time is not over", async () => {
    const prefix = "00000000-0000-7000-8000-"
    const at = Date.now().toString(16).padStart(12, "0")
    const ids = Array.from(
      { length: 2_300 },
      (_, n) =>
        `${at.slice(0, 8)}-${at.slice(8)}${prefix.slice(13)}${n.toString(16).padStart(12, "0")}`,
    )
    await pool.query(
      `insert into chat_sessions (result_id, id, bot_id, version_id, state, expires_at)
      select id, id::text, 'bot', id, '{}', now() - interval '1 s' from unnest($1::uuid[]) id`,
      [ids],
    )
    await pool.query(
      "update chat_sessions set claimed_until = now() + interval '1 hour' where id = $1",
      [ids[7]],
    )
    await start()
    expect(await runJob(db, "purge_unanswered", later)).toEqual({ sessions: 2_299 })
    expect(await count("chat_sessions")).toBe(2)
  })
})

describe("what an address has stored of chats without an answer", () => {
  const large = { prefilledVariables: { Name: "x".repeat(30_000) } }

  test("is bounded for each bot; the refusal says when to come back, and stores nothing", async () => {
    const ip = newAddress()
    const statuses = []
    for (let n = 0; n < 5; n++) statuses.push((await start({ ip, body: large })).status)
    expect(statuses).toEqual([200, 200, 200, 429, 429])
    expect([await count("chat_sessions"), await count("results")]).toEqual([3, 3])
    const refused = await start({ ip })
    expect(refused.body).toMatchObject({ code: "TOO_MANY_REQUESTS" })
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0)
    expect((await start({ body: large })).status).toBe(200)
    const second = await publishBot(server, flow)
    expect((await start({ ip, body: large, to: second.publicId })).status).toBe(200)
    expect((await start({ ip, body: large, token: server.token })).status).toBe(200)
  })

  test("is counted apart of what pages of other origins have the browser start", async () => {
    const ip = newAddress()
    const statuses = []
    for (const site of [1, 2, 3, 4]) {
      const headers = { origin: `https://site${site}.example` }
      statuses.push((await start({ ip, body: large, headers })).status)
    }
    expect(statuses).toEqual([200, 200, 200, 429])
    expect((await start({ ip, body: large })).status).toBe(200)
  })

  test("is two kilobytes for an ordinary start", async () => {
    const ip = newAddress()
    const statuses = []
    for (let n = 0; n < 51; n++) statuses.push((await start({ ip })).status)
    expect(statuses.indexOf(429)).toBe(50)
  })

  test("is bounded however many start at once", async () => {
    const ip = newAddress()
    const all = await Promise.all(Array.from({ length: 12 }, () => start({ ip, body: large })))
    expect(all.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(3)
    expect((await start({ ip, body: large })).status).toBe(429)
  })

  test("counts chats in any state, and not their answers", async () => {
    const ip = newAddress()
    const statuses = []
    for (let n = 0; n < 4; n++) {
      const { status, step } = await start({ ip, body: large })
      statuses.push(status)
      if (status === 200) statuses.push((await answer(step.sessionId, "Ann", ip)).status)
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429])
  })

  test("counts nothing for a chat that was answered as it started", async () => {
    const ip = newAddress()
    const asks = await publishBot(server, bot(group("A", ask.text({ saves: "Name" }))))
    for (let n = 0; n < 5; n++) {
      const body = { message: "x".repeat(40_000) }
      expect((await start({ ip, body, to: asks.publicId })).status).toBe(200)
    }
  })

  test("grows with what turns set that bring no answer", async () => {
    const ip = newAddress()
    const sets = { variableId: "vName", expressionToEvaluate: "x".repeat(30_000) }
    const grows = await publishBot(
      server,
      bot(group("A", block("Set variable", sets), say("Hi"), ask.text({ saves: "Name" }))),
    )
    const chats = []
    for (let n = 0; n < 4; n++) {
      chats.push(await start({ ip, to: grows.publicId, body: { isOnlyRegistering: true } }))
    }
    const replies = []
    for (const { step } of chats) replies.push((await answer(step.sessionId, "", ip)).status)
    expect(replies).toEqual([200, 200, 429, 429])
  })

  test("is counted before a keyed start is stored that calls another system", async () => {
    const ip = newAddress()
    const url = "https://upstream.invalid"
    const calls = await publishBot(
      server,
      bot(group("A", block("Webhook", { webhook: { url } }), ask.text({ saves: "Name" }))),
    )
    const keyed = (key: string) =>
      start({ ip, body: large, headers: { "idempotency-key": `${ip} ${key}` }, to: calls.publicId })
    let key = 0
    while ((await keyed(`${++key}`)).status === 200);
    const before = await count("chat_sessions")
    expect((await keyed("last")).status).toBe(429)
    expect([key, await count("chat_sessions")]).toEqual([2, before])
  })

  test("is counted together where limits are shared", async () => {
    const shared = { ...variables, PARLEY_RATE_LIMIT_STORE: "postgres" }
    const [one, two] = [await testServer(shared), await testServer(shared)]
    const ip = newAddress()
    const statuses = []
    for (const at of [one, two, one, two]) {
      statuses.push((await start({ ip, body: large, at })).status)
    }
    expect(statuses).toEqual([200, 200, 200, 429])
  })

  test("is not bounded where limits are off", async () => {
    const free = await testServer({ ...variables, PARLEY_RATE_LIMITS: "off" })
    const ip = newAddress()
    for (let n = 0; n < 5; n++) {
      expect((await start({ ip, body: large, at: free })).status).toBe(200)
    }
  })
})
