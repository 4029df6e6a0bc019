/** Previews are bounded when they are stored: by owner and in all, strangers apart from members. */
import { createHash } from "node:crypto"
import { beforeEach, expect, test } from "vitest"
import {
  insertPreviewSession,
  type PreviewOwner,
  savePreviewFlow,
} from "../../src/db/chats/previews.ts"
import { newPreviewSessionId } from "../../src/lib/ids.ts"
import { ask, bot, group, say } from "../support/bots.ts"
import { testDatabase } from "../support/database.ts"
import { publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"

const db = await testDatabase()
const server = await testServer({
  DATABASE_URL: db.url,
  PARLEY_RATE_LIMITS: "off",
  PARLEY_TRUSTED_PROXIES: "1",
})
const flowOf = (text: string) => bot(group("A", say(text), ask.text(), say("Bye")))
const { botId } = await publishBot(server, flowOf("published"))

beforeEach(async () => {
  await db.pool.query("truncate preview_flows, preview_sessions cascade")
})

const stranger = (address: string): PreviewOwner => ({ name: address, isAnonymous: true })
const member: PreviewOwner = { name: "user:ann", isAnonymous: false }

async function store(owner: PreviewOwner, text: string): Promise<void> {
  const hash = createHash("sha256").update(`${owner.name} ${text}`).digest()
  await savePreviewFlow(db, { hash, payload: JSON.stringify(text), owner })
}

async function open(owner: PreviewOwner): Promise<string> {
  const id = newPreviewSessionId()
  const rest = { botId: null, workspaceId: null, ownerUserId: null, state: "{}", owner }
  await insertPreviewSession(db, { id, flowHash: createHash("sha256").digest(), ...rest })
  return id
}

/** How many flows, or sessions, an owner has; of all strangers without one. */
async function count(table: string, owner?: PreviewOwner): Promise<number> {
  const { rows } = await db.pool.query(
    `select count(*)::int as n from ${table}
     where case when $1::text is null then is_anonymous else owner = $1 end`,
    [owner?.name],
  )
  return rows[0].n
}

async function bytes(owner?: PreviewOwner): Promise<number> {
  const { rows } = await db.pool.query(
    `select coalesce(sum(octet_length(payload)), 0)::int as n from preview_flows
     where case when $1::text is null then is_anonymous else owner = $1 end`,
    [owner?.name],
  )
  return rows[0].n
}

const megabytes = (n: number) => n * 1024 * 1024

test("an address keeps its latest flows, also when many come at once", async () => {
  const one = stranger("address:1")
  await Promise.all(Array.from({ length: 60 }, (_, n) => store(one, `flow ${n}`)))
  expect(await count("preview_flows", one)).toBe(20)
  await store(one, "the last")
  const { rows } = await db.pool.query("select 1 from preview_flows where payload = '\"the last\"'")
  expect(rows).toHaveLength(1)
  expect(await count("preview_flows", one)).toBe(20)
})

test("an address keeps as many bytes as it may", async () => {
  const one = stranger("address:1")
  for (let n = 0; n < 6; n++) await store(one, String(n).repeat(megabytes(4) - 2))
  expect(await bytes(one)).toBe(megabytes(16))
})

test("all strangers together keep a limited number, and never push out what a member tries", async () => {
  await store(member, "of a member")
  const kept = await open(member)
  for (let n = 0; n < 540; n++) await store(stranger(`address:${n}`), "flow")
  expect(await count("preview_flows")).toBe(500)
  for (let n = 0; n < 270; n++) await open(stranger(`address:${n}`))
  expect(await count("preview_sessions")).toBe(250)
  expect(await count("preview_flows", member)).toBe(1)
  const { rows } = await db.pool.query("select 1 from preview_sessions where id = $1", [kept])
  expect(rows).toHaveLength(1)
})

test("addresses that begin many previews push out none of an address that has one", async () => {
  const calm = stranger("address:calm")
  const kept = await open(calm)
  await store(calm, "x".repeat(megabytes(1)))
  for (let n = 0; n < 30; n++) {
    for (let time = 0; time < 20; time++) await store(stranger(`address:${n}`), `flow ${time}`)
    for (let time = 0; time < 10; time++) await open(stranger(`address:${n}`))
  }
  const one = "y".repeat(megabytes(8) - 2)
  for (let n = 0; n < 9; n++) {
    for (let time = 0; time < 2; time++) await store(stranger(`address:${n}`), `${time}${one}`)
  }
  expect(await count("preview_flows", calm)).toBe(1)
  const { rows } = await db.pool.query("select 1 from preview_sessions where id = $1", [kept])
  expect(rows).toHaveLength(1)
})

test("all strangers together keep a limited number of bytes", async () => {
  await db.pool.query(
    `insert into preview_flows (hash, payload, owner, is_anonymous, last_used_at)
    select sha256(n::text::bytea), repeat('x', $1), 'address:' || n, true, now() - n * interval '1 s'
    from generate_series(1, 35) n`,
    [megabytes(4)],
  )
  await store(stranger("address:new"), "x")
  expect(await bytes()).toBe(megabytes(4) * 31 + 3)
  expect(await count("preview_flows", stranger("address:new"))).toBe(1)
  expect(await count("preview_flows", stranger("address:31"))).toBe(1)
})

test("an address keeps its latest sessions, also when many come at once; a user keeps more", async () => {
  const one = stranger("address:1")
  await Promise.all(Array.from({ length: 50 }, () => open(one)))
  expect(await count("preview_sessions", one)).toBe(20)
  for (let n = 0; n < 105; n++) await open(member)
  expect(await count("preview_sessions", member)).toBe(100)
  for (let n = 0; n < 105; n++) await store(member, `flow ${n}`)
  expect(await count("preview_flows", member)).toBe(100)
})

test("over HTTP a stranger's older previews end, and a member's go on although the flow is the same", async () => {
  const start = async (text: string, token: string | null, ip: string) => {
    const path = `/api/v1/bots/${botId}/preview/startChat`
    const headers = { "x-forwarded-for": ip }
    const sent = await server.send("POST", path, { token, headers, body: { bot: flowOf(text) } })
    expect(sent.status).toBe(200)
    return String(sent.body.sessionId)
  }
  const reply = async (sessionId: string) => {
    const path = `/api/v1/sessions/${sessionId}/continueChat`
    return server.send("POST", path, { token: null, body: { message: "Ann" } })
  }
  const mine = await start("same", server.token, "192.0.2.1")
  const theirs = await start("same", null, "192.0.2.2")
  const neighbours = await start("same", null, "192.0.2.3")
  for (let n = 0; n < 20; n++) await start(`flow ${n}`, null, "192.0.2.2")
  expect((await reply(mine)).status).toBe(200)
  expect((await reply(neighbours)).status).toBe(200)
  const gone = await reply(theirs)
  expect([gone.status, gone.body.message]).toEqual([404, "Session not found: start a new chat"])
})
