/** Tests of the operations on the caller and their tokens, and of the first account. */
import { expect, test } from "vitest"
import { hasUsers } from "../../src/db/people/users.ts"
import { newId } from "../../src/lib/ids.ts"
import { hashToken, newToken } from "../../src/people/apiTokens.ts"
import { openAuthentication } from "../../src/people/authentication.ts"
import type { Caller } from "../../src/people/caller.ts"
import { createAccount, ensureFirstUser } from "../../src/people/createAccount.ts"
import { appRouter } from "../../src/routers/app.ts"
import type { Context } from "../../src/routers/context.ts"
import { createCallerFactory } from "../../src/routers/trpc.ts"
import { invitedEmailSchema } from "../../src/routers/workspace/memberOperations.ts"
import { silentLog } from "../../src/telemetry/log.ts"
import { refusalOf } from "../support/callers.ts"
import { testDatabase } from "../support/database.ts"
import { contextBy, contextOf, insertPerson } from "../support/people.ts"
import { testServer } from "../support/server.ts"

const empty = await testDatabase()
const database = await testDatabase()
const server = await testServer({ DATABASE_URL: database.url })
const createCaller = createCallerFactory(appRouter)
const callUser = (context: Context) => createCaller(context).user
const as = (caller: Caller) => callUser(contextBy(database, caller))

test("of several first starts at once one makes the first account", async () => {
  expect(await hasUsers(empty)).toBe(false)
  const starts = await Promise.all(
    [1, 2, 3, 4, 5].map((number) => ensureFirstUser(empty, { email: `p${number}@example.com` })),
  )
  expect(starts.filter((made) => made !== undefined)).toHaveLength(1)
  const users = await empty.kysely.selectFrom("users").select("email").execute()
  const workspaces = await empty.kysely.selectFrom("workspaces").select("name").execute()
  const tokens = await empty.kysely.selectFrom("apiTokens").select("id").execute()
  expect(users).toHaveLength(1)
  expect(workspaces).toEqual([{ name: "My workspace" }])
  expect(tokens).toHaveLength(1)
  expect(await ensureFirstUser(empty)).toBeUndefined()
})

test("the first user has an address that invitations accept", async () => {
  await empty.kysely.deleteFrom("users").execute()
  const first = await ensureFirstUser(empty)
  expect(first?.email).toBe("admin@parley.local")
  expect(invitedEmailSchema.parse(first?.email)).toBe(first?.email)
})

test("the first account works with the printed token", async () => {
  await empty.kysely.deleteFrom("users").execute()
  const token = newToken()
  const made = await ensureFirstUser(empty, { email: " Ann@Example.com", token, plan: "PRO" })
  expect(made).toMatchObject({ email: "ann@example.com", token })
  const caller = await openAuthentication(empty, { log: silentLog() }).findCaller(token)
  expect(caller?.email).toBe("ann@example.com")
  const members = await empty.kysely
    .selectFrom("workspaceMembers")
    .innerJoin("workspaces", "workspaces.id", "workspaceMembers.workspaceId")
    .select(["workspaceId", "userId", "role", "plan"])
    .where("userId", "=", caller?.id ?? "")
    .execute()
  expect(members).toEqual([
    { workspaceId: made?.workspaceId, userId: caller?.id, role: "ADMIN", plan: "PRO" },
  ])
})

test("a first token that is mistyped is refused before anything is made", async () => {
  await empty.kysely.deleteFrom("users").execute()
  const token = `parley_pat_${"0".repeat(46)}`
  await expect(ensureFirstUser(empty, { token })).rejects.toThrow("PARLEY_BOOTSTRAP_TOKEN")
  expect(await hasUsers(empty)).toBe(false)
})

test("an address gets one account", async () => {
  const first = await createAccount(database, { email: "Bob@example.com", workspaceName: "Bob's" })
  expect(first).toMatchObject({ email: "bob@example.com", workspaceId: expect.any(String) })
  const second = createAccount(database, { email: "bob@EXAMPLE.com", tokenName: "Other" })
  await expect(second).rejects.toThrow("bob@example.com has an account already")
})

test("every operation needs a valid token", async () => {
  const anonymous = callUser(contextOf(database))
  const unknown = callUser(contextOf(database, {}, `Bearer ${newToken()}`))
  const wrongScheme = contextOf(database, { findCaller: async () => never }, "Basic abc")
  for (const caller of [anonymous, unknown, callUser(wrongScheme)]) {
    for (const call of [
      caller.getMe(),
      caller.updateMe({ updates: {} }),
      caller.listTokens(),
      caller.createToken({ name: "T" }),
      caller.revokeToken({ tokenId: newId() }),
    ]) {
      expect(await refusalOf(call)).toMatchObject({ code: "UNAUTHORIZED" })
    }
  }
})

test("failed authentications are counted by address", async () => {
  const counted: string[] = []
  const count = async (key: string) => void counted.push(key)
  const services = { limits: new Map([["failedAuthentication", count] as const]) }
  await expect(callUser(contextOf(database, services, "Bearer x")).getMe()).rejects.toThrow()
  expect(counted).toEqual(["127.0.0.1"])
})

test("users read and change themselves", async () => {
  const person = await insertPerson(database)
  const me = as(person)
  expect(await me.getMe()).toEqual({
    id: person.id,
    email: person.email,
    name: null,
    image: null,
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  })
  await me.updateMe({ updates: { name: " Ann ", company: "Parley", preferredLanguage: "pt-BR" } })
  const { user } = await me.updateMe({
    updates: { image: "https://example.com/a.png", company: null },
  })
  expect(user).toMatchObject({
    name: "Ann",
    image: "https://example.com/a.png",
    preferredLanguage: "pt-BR",
  })
  expect(user).not.toHaveProperty("company")
  expect(await me.getMe()).toEqual(user)
  expect((await me.updateMe({ updates: { name: null } })).user.name).toBeNull()
})

test("changes that make no sense are refused", async () => {
  const me = as(await insertPerson(database))
  for (const updates of [
    { name: "  " },
    { image: "javascript:alert(1)" },
    { preferredLanguage: "not a language" },
  ]) {
    expect(await refusalOf(me.updateMe({ updates }))).toMatchObject({ code: "BAD_REQUEST" })
  }
})

test("the secret of a token is shown once and never stored", async () => {
  const person = await insertPerson(database)
  const me = as(person)
  const { apiToken } = await me.createToken({ name: "CI" })
  expect(apiToken.token).toMatch(/^parley_pat_[0-9A-Za-z]{46}$/)
  const { token, ...rest } = apiToken
  expect(rest).toEqual({
    id: expect.any(String),
    name: "CI",
    hint: token.slice(-4),
    createdAt: expect.any(String),
  })
  expect((await me.listTokens()).apiTokens).toEqual([rest])
  const row = await database.kysely
    .selectFrom("apiTokens")
    .selectAll()
    .where("id", "=", rest.id)
    .executeTakeFirstOrThrow()
  expect(row.tokenHash.equals(hashToken(token))).toBe(true)
  expect(JSON.stringify(row)).not.toContain(token.slice(11, -4))
})

test("a token may expire, but not before now", async () => {
  const me = as(await insertPerson(database))
  const { apiToken } = await me.createToken({ name: "T", expiresAt: "2100-01-01T01:00:00+01:00" })
  expect(apiToken.expiresAt).toBe("2100-01-01T00:00:00.000Z")
  for (const expiresAt of ["2001-01-01T00:00:00Z", "soon", "2100-02-30T00:00:00Z"]) {
    const call = me.createToken({ name: "T", expiresAt })
    expect(await refusalOf(call)).toMatchObject({ code: "BAD_REQUEST" })
  }
})

test("a token has a name of 1 to 100 characters", async () => {
  const me = as(await insertPerson(database))
  for (const name of ["", " ", "n".repeat(101)]) {
    expect(await refusalOf(me.createToken({ name }))).toMatchObject({ code: "BAD_REQUEST" })
  }
  await me.createToken({ name: "n".repeat(100) })
})

test("a revoked token stops working at once and leaves the list", async () => {
  const person = await insertPerson(database)
  const { findCaller, forget } = openAuthentication(database, { log: silentLog() })
  const { apiToken } = await as(person).createToken({ name: "T" })
  const services = { findCaller, forgetToken: async (id: string) => forget(id) }
  const me = () => callUser(contextOf(database, services, `bearer  ${apiToken.token}`))
  expect((await me().getMe()).id).toBe(person.id)
  const { apiToken: gone } = await me().revokeToken({ tokenId: apiToken.id })
  expect(gone).not.toHaveProperty("token")
  expect(await refusalOf(me().getMe())).toMatchObject({ code: "UNAUTHORIZED" })
  expect((await as(person).listTokens()).apiTokens).toEqual([])
  const again = as(person).revokeToken({ tokenId: apiToken.id })
  expect(await refusalOf(again)).toMatchObject({
    code: "NOT_FOUND",
    message: "API token not found",
  })
})

test("other processes are notified of a revoked token, through the listening connection", async () => {
  const { body } = await server.send("POST", "/api/v1/users/me/api-tokens", { body: { name: "T" } })
  const { id } = body.apiToken as { id: string }
  const listener = await database.pool.connect()
  try {
    await listener.query("listen token_revoked")
    const told = new Promise<string | undefined>((resolve) => {
      listener.once("notification", ({ payload }) => resolve(payload))
    })
    await server.send("DELETE", `/api/v1/users/me/api-tokens/${id}`)
    expect(await told).toBe(id)
    const { rows } = await listener.query(
      `select query from pg_stat_activity
      where datname = current_database() and application_name = 'parley listen'`,
    )
    expect(rows).toEqual([{ query: expect.stringContaining("pg_notify") }])
  } finally {
    listener.release(true)
  }
})

test("tokens of another user do not exist", async () => {
  const owner = as(await insertPerson(database))
  const stranger = as(await insertPerson(database))
  const { apiToken } = await owner.createToken({ name: "T" })
  expect((await stranger.listTokens()).apiTokens).toEqual([])
  const call = stranger.revokeToken({ tokenId: apiToken.id })
  expect(await refusalOf(call)).toMatchObject({ code: "NOT_FOUND" })
  expect((await owner.listTokens()).apiTokens).toHaveLength(1)
})

const never: Caller = { id: "", email: "", isPlatformAdmin: false, tokenId: "" }
