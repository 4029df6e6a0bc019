/** Credentials come in, are changed and removed by those who may, and their secrets never come out. */
import { describe, expect, test } from "vitest"
import { findCredential, listKnownCredentials } from "../../src/db/people/credentials.ts"
import { createCipher } from "../../src/effects/credentials/cipher.ts"
import { join, newUser, refusalOf } from "../support/callers.ts"
import { testDatabase } from "../support/database.ts"

const db = await testDatabase()
const owner = await newUser(db)
const { workspace } = await owner.call.workspace.create({ name: "W" })
const workspaceId = workspace.id
const guest = await newUser(db)
await join(db, guest, workspaceId, "GUEST")
const member = await newUser(db)
await join(db, member, workspaceId)
const stranger = await newUser(db)
const notFound = { code: "NOT_FOUND", message: "Credential not found" }

const smtp = {
  host: "mail.example.com",
  port: 465,
  username: "ann",
  password: "very-secret-password",
  isTlsEnabled: true,
  from: { email: "ann@example.com", name: "Ann" },
}

const create = (type: string, data: Record<string, unknown>, name = "Mine") =>
  owner.call.credentials.create({ workspaceId, credentials: { type, name, data } })

const stored = async (id: string) => {
  const row = await db.kysely
    .selectFrom("credentials")
    .selectAll()
    .where("id", "=", id)
    .executeTakeFirstOrThrow()
  const cipher = createCipher(["a secret that only tests know of"])
  return { row, data: cipher.open(id, row) }
}

test("a credential is stored encrypted", async () => {
  const { credentialsId } = await create("smtp", smtp)
  const { row, data } = await stored(credentialsId)
  expect(data).toEqual(smtp)
  expect(row.data.toString("latin1")).not.toContain("very-secret")
})

test("editors of bots read everything but the secrets", async () => {
  const { credentialsId } = await create("smtp", smtp, "Post")
  const { credentials } = await member.call.credentials.get({ credentialsId })
  const { password, ...open } = smtp
  expect(credentials).toMatchObject({ id: credentialsId, type: "smtp", name: "Post", workspaceId })
  expect(credentials.data).toEqual(open)
  expect(JSON.stringify(credentials)).not.toContain(password)
})

test("every editor lists names and types, newest first, perhaps of one type", async () => {
  const { workspace: own } = await owner.call.workspace.create({ name: "List" })
  const editor = await newUser(db)
  await join(db, editor, own.id, "MEMBER")
  await join(db, guest, own.id, "GUEST")
  const add = (type: string, name: string, data: Record<string, unknown>) =>
    owner.call.credentials.create({ workspaceId: own.id, credentials: { type, name, data } })
  await add("openai", "A", { apiKey: "sk-1-very-secret" })
  await add("smtp", "B", smtp)
  const { credentials } = await editor.call.credentials.list({ workspaceId: own.id })
  expect(credentials.map(({ name, type }) => [name, type])).toEqual([
    ["B", "smtp"],
    ["A", "openai"],
  ])
  expect(Object.keys(credentials[0] ?? {}).sort()).toEqual(["allowedHosts", "id", "name", "type"])
  const some = await owner.call.credentials.list({ workspaceId: own.id, type: "openai" })
  expect(some.credentials.map(({ name }) => name)).toEqual(["A"])
  const refusal = await refusalOf(guest.call.credentials.list({ workspaceId: own.id }))
  expect(refusal.code).toBe("NOT_FOUND")
})

test("changes replace the members that they name and remove those that are null", async () => {
  const { credentialsId } = await create("openai", { apiKey: "sk-1", baseUrl: "https://a.example" })
  const change = (credentials: { name?: string; data?: Record<string, unknown> }) =>
    owner.call.credentials.update({ credentialsId, credentials })
  await change({ name: "Other" })
  await change({ data: { baseUrl: "https://b.example" } })
  expect(await stored(credentialsId)).toMatchObject({
    row: { name: "Other" },
    data: { apiKey: "sk-1", baseUrl: "https://b.example" },
  })
  await change({ data: { baseUrl: null } })
  expect((await stored(credentialsId)).data).toEqual({ apiKey: "sk-1" })
  const refusal = await refusalOf(change({ data: { apiKey: null } }))
  expect(refusal.code).toBe("BAD_REQUEST")
  expect((await stored(credentialsId)).data).toEqual({ apiKey: "sk-1" })
})

test("a deleted credential is gone", async () => {
  const { credentialsId } = await create("openai", { apiKey: "sk-1" })
  expect(await owner.call.credentials.delete({ credentialsId })).toEqual({ credentialsId })
  expect(await refusalOf(owner.call.credentials.get({ credentialsId }))).toEqual(notFound)
  expect(await refusalOf(owner.call.credentials.delete({ credentialsId }))).toEqual(notFound)
})

describe("a credential of the scope user", async () => {
  const admin = await newUser(db, { isPlatformAdmin: true })
  const credentials = { type: "smtp", name: "My own", data: smtp }
  const made = await owner.call.credentials.create({ scope: "user", credentials })
  const { credentialsId } = made

  test("is stored encrypted among those of its user, in no workspace", async () => {
    const rows = db.kysely.selectFrom("userCredentials").selectAll().where("id", "=", credentialsId)
    const row = await rows.executeTakeFirstOrThrow()
    expect(row).toMatchObject({ userId: owner.id, type: "smtp", name: "My own" })
    expect(row.data.toString("latin1")).not.toContain("very-secret")
    const cipher = createCipher(["a secret that only tests know of"])
    expect(cipher.open(credentialsId, row)).toEqual(smtp)
    const { credentials: shared } = await owner.call.credentials.list({ workspaceId })
    expect(shared.map(({ id }) => id)).not.toContain(credentialsId)
  })

  test("is read by its user without the secrets, listed, and changed", async () => {
    const { password, ...open } = smtp
    const { credentials: read } = await owner.call.credentials.get({ credentialsId })
    expect(read).toMatchObject({ id: credentialsId, scope: "user", data: open })
    expect(read).not.toHaveProperty("workspaceId")
    expect(JSON.stringify(read)).not.toContain(password)
    const other = { type: "openai", name: "Key", data: { apiKey: "sk-1" } }
    // Whatever workspace is named does not matter.
    await owner.call.credentials.create({ scope: "user", workspaceId: "none", credentials: other })
    const list = (type?: string) => owner.call.credentials.list({ scope: "user", type })
    expect((await list()).credentials.map(({ name }) => name)).toEqual(["Key", "My own"])
    expect((await list("smtp")).credentials).toEqual([
      { id: credentialsId, type: "smtp", name: "My own", allowedHosts: [] },
    ])
    const changes = { name: "Mail", data: { password: "other-secret" } }
    await owner.call.credentials.update({ credentialsId, credentials: changes })
    const { credentials: changed } = await owner.call.credentials.get({ credentialsId })
    expect(changed).toMatchObject({ name: "Mail", data: open })
    const refused = { data: { port: "1" } }
    const refusal = await refusalOf(
      owner.call.credentials.update({ credentialsId, credentials: refused }),
    )
    expect(refusal.code).toBe("BAD_REQUEST")
  })

  test.each([
    ["colleagues", member],
    ["guests", guest],
    ["strangers", stranger],
    ["administrators of the service", admin],
  ])("does not exist for %s", async (_, { call }) => {
    const { get, list, update } = call.credentials
    expect(await refusalOf(get({ credentialsId }))).toEqual(notFound)
    const stolen = { credentialsId, credentials: { name: "Stolen" } }
    expect(await refusalOf(update(stolen))).toEqual(notFound)
    expect(await refusalOf(call.credentials.delete({ credentialsId }))).toEqual(notFound)
    expect(await list({ scope: "user" })).toEqual({ credentials: [] })
    const { credentials: kept } = await owner.call.credentials.get({ credentialsId })
    expect(kept.name).not.toBe("Stolen")
  })

  test("is not known to the workspaces of its user, so that no bot keeps or uses it", async () => {
    expect(await findCredential(db, { id: credentialsId, workspaceId })).toBeUndefined()
    const known = await listKnownCredentials(db, { workspaceId, ids: [credentialsId] })
    expect([...known.keys()]).toEqual([])
  })

  test("goes when it is deleted, and with its user", async () => {
    const leaver = await newUser(db)
    const mine = () => leaver.call.credentials.create({ scope: "user", credentials })
    const [first, second] = [await mine(), await mine()]
    expect(await leaver.call.credentials.delete(first)).toEqual(first)
    expect(await refusalOf(leaver.call.credentials.get(first))).toEqual(notFound)
    expect((await leaver.call.credentials.get(second)).credentials.name).toBe("My own")
    await db.kysely.deleteFrom("users").where("id", "=", leaver.id).execute()
    const rows = db.kysely.selectFrom("userCredentials").where("id", "=", second.credentialsId)
    expect(await rows.select("id").execute()).toEqual([])
  })

  test("is the only one that needs no workspace", async () => {
    const refusal = await refusalOf(owner.call.credentials.create({ credentials }))
    expect(refusal).toMatchObject({ code: "BAD_REQUEST" })
    expect(await refusalOf(owner.call.credentials.list({}))).toMatchObject({ code: "BAD_REQUEST" })
  })
})

describe("22.2 data must be that of the type", () => {
  const key = { apiKey: "key" }
  const oauth = { refresh_token: "rt", access_token: "at", expiry_date: 5, scope: "x" }
  const account = { client_email: "a@b.iam.gserviceaccount.com", private_key: "-----BEGIN" }
  const stripe = { live: { secretKey: "sk_live", publicKey: "pk_live" } }
  test.each([
    ["smtp", smtp],
    ["google sheets", oauth],
    ["google sheets", account],
    ["stripe", stripe],
    ["stripe", { ...stripe, test: { secretKey: "sk_test" } }],
    ["http proxy", { url: "http://user:pass@proxy.example:8080" }],
    ["whatsApp", { phoneNumberId: "1" }],
    ["anthropic", key],
    ["dify-ai", { apiKey: "app", knowledgeApiKey: "ds", apiEndpoint: "https://dify.example" }],
    ["nocodb", { ...key, baseUrl: "https://noco.example" }],
    ["posthog", { ...key, host: "https://ph.example" }],
    ["zendesk", { conversationsKeyId: "id", conversationsSecretKey: "secret" }],
    ["mcp", { url: "https://mcp.example/mcp", token: "t", headers: { "X-Key": "k" } }],
    ["gmail", { refreshToken: "rt", client: { id: "i", secret: "s" } }],
  ])("%s", async (type, data) => {
    const { credentialsId } = await create(type, data)
    expect((await stored(credentialsId)).data).toEqual(data)
  })

  test.each([
    ["smtp", { ...smtp, port: "465" }],
    ["smtp", { ...smtp, from: { email: "nobody" } }],
    ["openai", {}],
    ["openai", { apiKey: "sk-…abc" }],
    ["openai", { apiKey: "sk-1", baseUrl: "ftp://a.example" }],
    ["stripe", { live: { secretKey: "sk_live" } }],
    ["google sheets", { access_token: "at" }],
    ["mcp", { token: "t" }],
    ["mcp", { url: "https://mcp.example", headers: { Host: "a.example" } }],
    ["mcp", { url: "https://mcp.example", token: "a\nb" }],
    ["unheard of", key],
  ])("not %s with %j", async (type, data) => {
    expect(await refusalOf(create(type, data))).toMatchObject({ code: "BAD_REQUEST" })
  })

  test("and members that the type does not have are dropped", async () => {
    const { credentialsId } = await create("anthropic", { apiKey: "key", other: 1 })
    expect((await stored(credentialsId)).data).toEqual({ apiKey: "key" })
  })
})
