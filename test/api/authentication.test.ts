/** Tests of the check of tokens: what is refused, what is remembered, and what is noted. */
import { expect, test, vi } from "vitest"
import type { Statement } from "../../src/db/connection/hotQuery.ts"
import type { Db } from "../../src/db/connection/openDatabase.ts"
import { insertToken, revokeTokens } from "../../src/db/people/tokens.ts"
import { newId } from "../../src/lib/ids.ts"
import { hashToken, hintOf, newToken } from "../../src/people/apiTokens.ts"
import { openAuthentication } from "../../src/people/authentication.ts"
import { createAccount } from "../../src/people/createAccount.ts"
import { silentLog } from "../../src/telemetry/log.ts"
import { bot, group, say } from "../support/bots.ts"
import { testDatabase } from "../support/database.ts"
import { insertPerson } from "../support/people.ts"
import { publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"
import { eventually } from "../support/waiting.ts"

const database = await testDatabase()
const log = silentLog()

test("a token acts as its owner", async () => {
  const person = await insertPerson(database)
  const { token, tokenId } = await give(person.id)
  const { findCaller } = openAuthentication(database, { log })
  expect(await findCaller(token)).toEqual({
    id: person.id,
    email: person.email,
    isPlatformAdmin: false,
    tokenId,
  })
})

test("only whole mail addresses make platform admins", async () => {
  const admin = await insertPerson(database, { email: "root@example.com" })
  const other = await insertPerson(database, { email: "groot@example.com" })
  const { findCaller } = openAuthentication(database, { log, adminEmails: [" Root@Example.com"] })
  expect((await findCaller((await give(admin.id)).token))?.isPlatformAdmin).toBe(true)
  expect((await findCaller((await give(other.id)).token))?.isPlatformAdmin).toBe(false)
})

test("the operator names platform admins, who read bots of others and change none", async () => {
  const PARLEY_ADMIN_EMAILS = "boss@example.com, chief@example.com"
  const db = await testDatabase()
  const server = await testServer({ DATABASE_URL: db.url, PARLEY_ADMIN_EMAILS })
  const { botId } = await publishBot(server, bot(group("g", say("Hi"))))
  const path = `/api/v1/bots/${botId}`
  const statusesFor = async (email: string) => {
    const { token } = await createAccount(db, { email })
    const asked = [
      server.send("GET", path, { token }),
      server.send("GET", `${path}/results`, { token }),
    ]
    const changed = server.send("PATCH", path, { token, body: { bot: { name: "Mine" } } })
    return (await Promise.all([...asked, changed])).map(({ status }) => status)
  }
  expect(await statusesFor("Chief@example.com")).toEqual([200, 200, 404])
  expect(await statusesFor("chef@example.com")).toEqual([404, 404, 404])
})

test("a garbled token is refused without asking the database", async () => {
  const { db, reads } = counted(database)
  const { findCaller } = openAuthentication(db, { log })
  const token = newToken()
  const garbled = token.replace(/.$/, token.endsWith("x") ? "y" : "x")
  expect(await findCaller(garbled)).toBeUndefined()
  expect(await findCaller("any")).toBeUndefined()
  expect(reads()).toBe(0)
})

test("a stored hash is no token", async () => {
  const person = await insertPerson(database)
  const { token } = await give(person.id)
  const { findCaller } = openAuthentication(database, { log })
  expect(await findCaller(hashToken(token).toString("hex"))).toBeUndefined()
})

test("a token is asked for once in 30 seconds, however many ask at once", async () => {
  const person = await insertPerson(database)
  const { token } = await give(person.id)
  const clock = createClock()
  const { db, reads } = counted(database)
  const { findCaller } = openAuthentication(db, { log, now: clock.now })
  await Promise.all([findCaller(token), findCaller(token), findCaller(token)])
  clock.pass(29_000)
  expect(await findCaller(token)).toBeDefined()
  expect(reads()).toBe(1)
  clock.pass(2_000)
  expect(await findCaller(token)).toBeDefined()
  expect(reads()).toBe(2)
})

test("an unknown token is remembered for 5 seconds", async () => {
  const clock = createClock()
  const { db, reads } = counted(database)
  const { findCaller } = openAuthentication(db, { log, now: clock.now })
  const token = newToken()
  expect(await findCaller(token)).toBeUndefined()
  clock.pass(4_000)
  expect(await findCaller(token)).toBeUndefined()
  expect(reads()).toBe(1)
  const person = await insertPerson(database)
  await give(person.id, { token })
  clock.pass(2_000)
  expect((await findCaller(token))?.id).toBe(person.id)
})

test("an expired token is refused, also while it is remembered", async () => {
  const person = await insertPerson(database)
  const past = await give(person.id, { expiresAt: new Date(Date.now() - 1_000) })
  const soon = await give(person.id, { expiresAt: new Date(Date.now() + 10_000) })
  const clock = createClock()
  const { findCaller } = openAuthentication(database, { log, now: clock.now })
  expect(await findCaller(past.token)).toBeUndefined()
  expect(await findCaller(soon.token)).toBeDefined()
  clock.pass(11_000)
  expect(await findCaller(soon.token)).toBeUndefined()
})

test("a forgotten token is refused at once, elsewhere after 30 seconds", async () => {
  const person = await insertPerson(database)
  const { token, tokenId } = await give(person.id)
  const clock = createClock()
  const here = openAuthentication(database, { log, now: clock.now })
  const elsewhere = openAuthentication(database, { log, now: clock.now })
  await here.findCaller(token)
  await elsewhere.findCaller(token)
  await revokeTokens(database, { tokenId })
  here.forget(tokenId)
  expect(await here.findCaller(token)).toBeUndefined()
  expect(await elsewhere.findCaller(token)).toBeDefined()
  clock.pass(31_000)
  expect(await elsewhere.findCaller(token)).toBeUndefined()
})

test("a token that is revoked while it is read is refused", async () => {
  const person = await insertPerson(database)
  const { token, tokenId } = await give(person.id)
  const { db, hold } = counted(database)
  const { findCaller, forget } = openAuthentication(db, { log })
  const release = hold()
  const answer = findCaller(token)
  await revokeTokens(database, { tokenId })
  forget(tokenId)
  release()
  expect(await answer).toBeUndefined()
  expect(await findCaller(token)).toBeUndefined()
})

test("tokens end with their owner", async () => {
  const person = await insertPerson(database)
  const { token } = await give(person.id)
  await database.kysely.deleteFrom("users").where("id", "=", person.id).execute()
  expect(await openAuthentication(database, { log }).findCaller(token)).toBeUndefined()
})

test("a lost database refuses callers only while it is lost", async () => {
  const person = await insertPerson(database)
  const { token } = await give(person.id)
  const run = vi.fn<Db["run"]>().mockRejectedValueOnce(new Error("Connection terminated"))
  run.mockImplementation(database.run)
  const { findCaller } = openAuthentication({ ...database, run } as Db, { log })
  await expect(findCaller(token)).rejects.toThrow("Connection terminated")
  expect((await findCaller(token))?.id).toBe(person.id)
})

test("the last use is noted once a minute, whichever process sees it", async () => {
  const person = await insertPerson(database)
  const { token, tokenId } = await give(person.id)
  const clock = createClock()
  const first = openAuthentication(database, { log, now: clock.now })
  const second = openAuthentication(database, { log, now: clock.now })
  const started = clock.now()
  await first.findCaller(token)
  expect(await lastUse(tokenId)).toBeNull()
  await first.close()
  expect(await lastUse(tokenId)).toBe(started)
  clock.pass(20_000)
  await first.findCaller(token)
  await second.findCaller(token)
  await Promise.all([first.close(), second.close()])
  expect(await lastUse(tokenId)).toBe(started)
  clock.pass(41_000)
  await first.findCaller(token)
  await first.close()
  expect(await lastUse(tokenId)).toBe(started + 61_000)
})

test("uses are stored together by themselves", async () => {
  const person = await insertPerson(database)
  const tokens = await Promise.all([give(person.id), give(person.id), give(person.id)])
  const { db, statements } = counted(database)
  const { findCaller } = openAuthentication(db, { log, flushMs: 20 })
  for (const { token } of tokens) await findCaller(token)
  await eventually(async () => {
    for (const { tokenId } of tokens) expect(await lastUse(tokenId)).not.toBeNull()
  })
  const saved = statements().filter((name) => name === "save_api_tokens_uses")
  expect([1, 2]).toContain(saved.length)
})

async function give(ownerId: string, wishes: { token?: string; expiresAt?: Date } = {}) {
  const token = wishes.token ?? newToken()
  const { id } = await insertToken(database, {
    id: newId(),
    ownerId,
    name: "Test",
    tokenHash: hashToken(token),
    hint: hintOf(token),
    expiresAt: wishes.expiresAt ?? null,
  })
  return { token, tokenId: id }
}

async function lastUse(tokenId: string): Promise<number | null> {
  const { lastUsedAt } = await database.kysely
    .selectFrom("apiTokens")
    .select("lastUsedAt")
    .where("id", "=", tokenId)
    .executeTakeFirstOrThrow()
  return lastUsedAt?.getTime() ?? null
}

test.each([
  ["ahead", 86_400_000],
  ["behind", -86_400_000],
])("tokens end by the database's clock, however far %s that of the process", async (_, offMs) => {
  const person = await insertPerson(database)
  const soon = await give(person.id, { expiresAt: new Date(Date.now() + 60_000) })
  const past = await give(person.id, { expiresAt: new Date(Date.now() - 1_000) })
  const { findCaller } = openAuthentication(database, { log })
  vi.useFakeTimers({ now: Date.now() + offMs, toFake: ["Date"] })
  const found = [await findCaller(soon.token), await findCaller(past.token)]
  vi.useRealTimers()
  expect(found).toEqual([expect.objectContaining({ id: person.id }), undefined])
})

function createClock(): { now(): number; pass(ms: number): void } {
  let time = Date.now()
  return {
    now: () => time,
    pass: (ms) => {
      time += ms
    },
  }
}

/** A database that counts its hot statements, and can hold back their answers. */
function counted(inner: Db) {
  const names: string[] = []
  let held: Promise<void> = Promise.resolve()
  const run = async <Row>(statement: Statement, values: unknown[]): Promise<Row[]> => {
    names.push(statement.name)
    const rows = await inner.run<Row>(statement, values)
    await held
    return rows
  }
  return {
    db: { kysely: inner.kysely, run } satisfies Db,
    reads: () => names.filter((name) => name === "find_token_owner").length,
    statements: () => names,
    hold: () => {
      let release = () => {}
      held = new Promise((resolve) => {
        release = resolve
      })
      return release
    },
  }
}
