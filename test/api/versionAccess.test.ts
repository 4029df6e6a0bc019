/** Who may read versions and change what is live, and what guests see of it. */
import { describe, expect, test } from "vitest"
import { collaborate, join, newUser, refusalOf } from "../support/callers.ts"
import { testDatabase } from "../support/database.ts"
import { saying } from "../support/saying.ts"
import { newVersionedBot } from "../support/versionedBot.ts"

const db = await testDatabase()
const bot = await newVersionedBot(db)
const { botId, call, workspaceId } = bot
await bot.publish("Secret plans")
await bot.write("second")

const share = (isEnabled: boolean) =>
  call.bot.update({ botId, bot: { settings: { publicShare: { isEnabled } } } })

/** Every operation, with what it would be sent. */
const reads = ["list", "get", "listPublications", "diff"] as const
const writes = ["keep", "rollback", "restoreDraft"] as const

async function codesFor(user: Awaited<ReturnType<typeof newUser>>) {
  const { version } = user.call
  const calls = {
    list: () => version.list({ botId }),
    get: () => version.get({ botId, number: 1 }),
    listPublications: () => version.listPublications({ botId }),
    diff: () => version.diff({ botId }),
    keep: () => version.keep({ botId }),
    rollback: () => version.rollback({ botId, version: 1 }),
    restoreDraft: () => version.restoreDraft({ botId, version: 1, updatedAt: "2020-01-01" }),
  }
  const codes: Record<string, string> = {}
  for (const [name, run] of Object.entries(calls)) codes[name] = (await refusalOf(run())).code
  return codes
}

const all = (names: readonly string[], code: string) =>
  Object.fromEntries(names.map((name) => [name, code]))

describe("roles", () => {
  test.each([
    ["ADMIN", "OK", "OK"],
    ["MEMBER", "OK", "OK"],
    ["GUEST", "NOT_FOUND", "NOT_FOUND"],
  ] as const)("of the workspace: %s", async (role, read, write) => {
    const user = await newUser(db)
    await join(db, user, workspaceId, role)
    expect(await codesFor(user)).toEqual({
      ...all(reads, read),
      ...all(writes, write),
      // Stale on purpose, so that the draft stays.
      restoreDraft: write === "OK" ? "CONFLICT" : write,
    })
  })

  test.each([
    ["READ", "NOT_FOUND"],
    ["WRITE", "OK"],
    ["FULL_ACCESS", "OK"],
  ] as const)("of collaborators on the bot: %s", async (type, write) => {
    const user = await newUser(db)
    await join(db, user, workspaceId, "GUEST")
    await collaborate(db, user, botId, type)
    expect(await codesFor(user)).toEqual({
      ...all(reads, "OK"),
      ...all(writes, write),
      restoreDraft: write === "OK" ? "CONFLICT" : write,
    })
  })

  test("of strangers: a foreign bot is as if there were none", async () => {
    const stranger = await newUser(db)
    expect(await codesFor(stranger)).toEqual(all([...reads, ...writes], "NOT_FOUND"))
  })

  test("collaborators see who did it, but no mail address except their own", async () => {
    const user = await newUser(db)
    await join(db, user, workspaceId, "GUEST")
    await collaborate(db, user, botId, "WRITE")
    await user.call.version.rollback({ botId, version: 1 })
    const { publications } = await user.call.version.listPublications({ botId, limit: 1 })
    expect(publications).toMatchObject([{ author: { id: user.id, email: user.email } }])
    const { versions } = await user.call.version.list({ botId })
    const [first] = versions.filter(({ number }) => number === 1)
    expect(first?.author).toEqual({ id: bot.user.id, name: null })
  })
})

describe("a user with whom only the bot is shared", () => {
  test("compares what is live with the draft, and sees no history", async () => {
    await share(true)
    const stranger = await newUser(db)
    const codes = await codesFor(stranger)
    expect(codes).toEqual({ ...all([...reads, ...writes], "NOT_FOUND"), diff: "OK" })
    const { version } = stranger.call
    const missing = { code: "NOT_FOUND", message: "Version 1 not found" }
    expect(await refusalOf(version.diff({ botId, from: "1" }))).toEqual(missing)
    await share(false)
    expect((await refusalOf(version.diff({ botId }))).code).toBe("NOT_FOUND")
  })

  test("sees no credentials in the comparison", async () => {
    const { credentialsId } = await call.credentials.create({
      workspaceId,
      credentials: { type: "http proxy", name: "P", data: { url: "http://proxy.example" } },
    } as never)
    const web = {
      id: "web",
      type: "Webhook",
      options: { webhook: { url: "https://example.com" }, proxyCredentialsId: credentialsId },
    }
    const { groups } = saying("with a key")
    const blocks = [...(groups[0]?.blocks ?? []), web]
    await call.bot.update({ botId, bot: { groups: [{ ...groups[0], blocks }] as never } })
    await share(true)
    const stranger = await newUser(db)
    const request = { botId, from: "live", to: "draft" }
    const [seen, own] = [
      JSON.stringify(await stranger.call.version.diff(request)),
      JSON.stringify(await call.version.diff(request)),
    ]
    expect(own).toContain(credentialsId)
    expect(seen).toContain("https://example.com")
    expect(seen).not.toContain(credentialsId)
  })
})
