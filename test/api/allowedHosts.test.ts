/** Whoever may edit a credential says which hosts it may be sent to besides its provider's. */
import { describe, expect, test } from "vitest"
import { createCipher } from "../../src/effects/credentials/cipher.ts"
import { join, newUser, refusalOf } from "../support/callers.ts"
import { testDatabase } from "../support/database.ts"
import { untilLockWaits } from "../support/lockWaits.ts"

const db = await testDatabase()
const owner = await newUser(db)
const workspaceId = (await owner.call.workspace.create({ name: "W" })).workspace.id
const [member, guest] = [await newUser(db), await newUser(db)]
await join(db, member, workspaceId, "MEMBER")
await join(db, guest, workspaceId, "GUEST")

const key = { type: "openai", name: "Key", data: { apiKey: "sk-1" } }
const create = (allowedHosts?: string[]) =>
  owner.call.credentials.create({ workspaceId, credentials: { ...key, allowedHosts } })
const hostsOf = async (credentialsId: string) =>
  (await member.call.credentials.get({ credentialsId })).credentials.allowedHosts

test("a credential allows only the host of its provider by default", async () => {
  const { credentialsId } = await create()
  expect(await hostsOf(credentialsId)).toEqual([])
})

test("hosts are kept in one way of writing, each once, and listed", async () => {
  const sent = [" LLM.Example.com ", "llm.example.com.", "bücher.example:8443", "10.0.0.1:080"]
  const { credentialsId } = await create(sent)
  const kept = ["llm.example.com", "xn--bcher-kva.example:8443", "10.0.0.1:80"]
  expect(await hostsOf(credentialsId)).toEqual(kept)
  const { credentials } = await member.call.credentials.list({ workspaceId })
  expect(credentials.find(({ id }) => id === credentialsId)?.allowedHosts).toEqual(kept)
})

test("an update replaces them all, and leaves them alone without the member", async () => {
  const { credentialsId } = await create(["a.example"])
  const update = (credentials: { name?: string; allowedHosts?: string[] }) =>
    owner.call.credentials.update({ credentialsId, credentials })
  await update({ name: "Other" })
  expect(await hostsOf(credentialsId)).toEqual(["a.example"])
  await update({ allowedHosts: ["b.example", "[::1]:8080"] })
  expect(await hostsOf(credentialsId)).toEqual(["b.example", "[::1]:8080"])
  await update({ allowedHosts: [] })
  expect(await hostsOf(credentialsId)).toEqual([])
})

test("a user's own credential has them, too", async () => {
  const credentials = { ...key, allowedHosts: ["a.example"] }
  const { credentialsId } = await owner.call.credentials.create({ scope: "user", credentials })
  await owner.call.credentials.update({
    credentialsId,
    credentials: { allowedHosts: ["b.example"] },
  })
  const { credentials: read } = await owner.call.credentials.get({ credentialsId })
  expect(read.allowedHosts).toEqual(["b.example"])
})

test.each([
  ["nothing", ""],
  ["a wildcard", "*.example.com"],
  ["a wide wildcard", "＊.example.com"],
  ["an encoded wildcard", "%2a.example.com"],
  ["an address", "https://example.com"],
  ["a path", "example.com/v1"],
  ["a login", "ann@example.com"],
  ["a query", "example.com?x"],
  ["a port that is none", "example.com:65536"],
  ["two ports", "example.com:1:2"],
  ["a space", "example .com"],
  ["a very long name", `${"a.".repeat(130)}com`],
])("%s is no host", async (_, host) => {
  const refusal = await refusalOf(create(["fine.example", host]))
  expect(refusal.code).toBe("BAD_REQUEST")
})

test("twenty hosts are the most", async () => {
  const hosts = Array.from({ length: 21 }, (_, index) => `h${index}.example`)
  expect((await refusalOf(create(hosts))).code).toBe("BAD_REQUEST")
  const { credentialsId } = await create(hosts.slice(1))
  expect(await hostsOf(credentialsId)).toHaveLength(20)
})

describe("22.3 a member who lets a stored key go elsewhere", () => {
  const mailServer = {
    type: "smtp",
    name: "Mail",
    data: {
      host: "mail.example.com",
      port: 587,
      username: "ann",
      password: "a password",
      from: { email: "ann@example.com" },
    },
  }
  const change = async (
    stored: typeof key | typeof mailServer,
    credentials: { data?: object; allowedHosts?: string[]; name?: string },
    by = member,
  ) => {
    const made = { ...stored, allowedHosts: ["a.example"] }
    const { credentialsId } = await owner.call.credentials.create({
      workspaceId,
      credentials: made,
    })
    const input = { credentialsId, credentials } as Parameters<typeof by.call.credentials.update>[0]
    return by.call.credentials.update(input)
  }

  test.each([
    ["a host", key, { allowedHosts: ["a.example", "mine.example"] }, "data.apiKey"],
    ["the same host at another port", key, { allowedHosts: ["a.example:8443"] }, "data.apiKey"],
    ["another root of the API", key, { data: { baseUrl: "https://mine.example" } }, "data.apiKey"],
    ["another mail server", mailServer, { data: { host: "mine.example" } }, "data.password"],
    ["another port of it", mailServer, { data: { port: 2525 } }, "data.password"],
  ])("must know it, an admin need not: %s", async (_, stored, changes, missing) => {
    const refusal = await refusalOf(change(stored, changes))
    expect(refusal.code).toBe("FORBIDDEN")
    expect(refusal.message).toContain(missing)
    await change(stored, changes, owner)
  })

  test("sends it again in the same request", async () => {
    const data = { apiKey: "sk-2" }
    await change(key, { allowedHosts: ["mine.example"], data })
    await change(key, { data: { ...data, baseUrl: "https://mine.example" } })
    await change(mailServer, { data: { host: "mine.example", password: "another" } })
    // Without it there is nothing to send.
    await change(mailServer, { data: { host: "mine.example", password: null } })
  })

  test("must know it, also where two changes are made at the same moment", async () => {
    const made = await owner.call.credentials.create({ workspaceId, credentials: key })
    const { credentialsId: id } = made
    const cipher = createCipher(["a secret that only tests know of"])
    const mine = cipher.seal(id, { apiKey: "sk-mine" })
    // The member has sent a key of his own with the new host, and nobody sees it yet.
    const other = await db.pool.connect()
    await other.query("begin")
    await other.query(
      `update credentials set allowed_hosts = '{mine.example}', data = $2, nonce = $3, key_id = $4
      where id = $1`,
      [id, mine.data, mine.nonce, mine.keyId],
    )
    // Whoever has read the stored key by now must not write it beside that host.
    const again = member.call.credentials.update({ credentialsId: id, credentials: { data: {} } })
    await untilLockWaits(other)
    await other.query("commit")
    other.release()
    await again
    expect(await hostsOf(id)).toEqual(["mine.example"])
    const { rows } = await db.pool.query(
      `select data, nonce, key_id as "keyId" from credentials where id = $1`,
      [id],
    )
    expect(cipher.open(id, rows[0])).toEqual({ apiKey: "sk-mine" })
  })

  test("needs it for nothing else", async () => {
    await change(key, { name: "Other", allowedHosts: [] })
    await change(key, { allowedHosts: ["A.example"] })
    await change(mailServer, { data: { username: "bob", host: "mail.example.com" } })
  })

  test("needs it not for a credential of his own", async () => {
    const { credentialsId } = await member.call.credentials.create({
      scope: "user",
      credentials: key,
    })
    const credentials = { allowedHosts: ["mine.example"] }
    await member.call.credentials.update({ credentialsId, credentials })
  })
})
