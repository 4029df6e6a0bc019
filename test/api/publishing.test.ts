/** Publishing, unpublishing, deleting and listing bots. */
import { describe, expect, test } from "vitest"
import { newId, newUuid } from "../../src/lib/ids.ts"
import type { Plan } from "../../src/lib/plans.ts"
import { newUser, refusalOf } from "../support/callers.ts"
import { testDatabase } from "../support/database.ts"
import { ask, group, oldFlow, startEvent } from "./flows.ts"

const db = await testDatabase()
const notPublished = { code: "NOT_FOUND", message: "Published bot not found" }

async function freshBot(defaultPlan: Plan = "PRO", bot: object = {}) {
  const user = await newUser(db, { defaultPlan })
  const { call } = user
  const { workspace } = await call.workspace.create({ name: "W" })
  const made = await call.bot.create({ workspaceId: workspace.id, bot })
  const botId = made.bot.id
  return {
    botId,
    call,
    userId: user.id,
    workspaceId: workspace.id,
    publish: () => call.bot.publish({ botId }),
    published: async () => (await call.publishedBot.get({ botId })).publishedBot,
    versions: () =>
      db.kysely
        .selectFrom("botVersions")
        .selectAll()
        .where("botId", "=", botId)
        .orderBy("number")
        .execute(),
  }
}

describe("publishing", () => {
  test("makes a version by its author and an address from the name", async () => {
    const flow = { events: [startEvent], groups: [group("g", ask("q", "v"))] }
    const bot = await freshBot("PRO", { name: "Café  Crème, 2nd!", ...flow })
    expect(await bot.published()).toBeNull()
    const publicId = `cafe-creme-2nd-${bot.botId.slice(-7)}`
    expect(await bot.publish()).toMatchObject({ message: "success", publicId, versionNumber: 1 })
    expect((await bot.call.bot.get({ botId: bot.botId })).bot.publicId).toBe(publicId)
    expect(await bot.versions()).toMatchObject([
      { number: 1, authorId: bot.userId, schemaVersion: "6.1" },
    ])
    const read = await bot.call.publishedBot.get({ botId: bot.botId })
    expect(read.version).toBe("6.1")
    expect(read.publishedBot).toMatchObject({ botId: bot.botId, version: "6.1", ...flow })
  })

  test("leaves updatedAt alone, so that open editors can go on saving", async () => {
    const bot = await freshBot()
    const before = (await bot.call.bot.get({ botId: bot.botId })).bot
    await bot.publish()
    const after = (await bot.call.bot.get({ botId: bot.botId })).bot
    expect(after).toEqual({ ...before, publicId: after.publicId, revision: before.revision + 1 })
  })

  test("keeps an address, and invents another when the usual one is taken", async () => {
    const own = `own-${newId()}`
    expect((await (await freshBot("PRO", { publicId: own })).publish()).publicId).toBe(own)
    const bot = await freshBot("PRO", { name: "Twin" })
    await freshBot("PRO", { publicId: `twin-${bot.botId.slice(-7)}` })
    const { publicId } = await bot.publish()
    expect(publicId).toMatch(/^twin-[a-z0-9]{7}$/)
    expect(publicId).not.toBe(`twin-${bot.botId.slice(-7)}`)
  })

  test("what has not changed makes no version, going back makes none either", async () => {
    const bot = await freshBot()
    const { botId, call } = bot
    const numbers: number[] = []
    for (const title of ["a", "a", "b", "a"]) {
      const settings = { metadata: { title } }
      await call.bot.update({ botId, bot: { settings, name: `${title}${numbers.length}` } })
      numbers.push((await bot.publish()).versionNumber)
    }
    expect(numbers).toEqual([1, 1, 2, 1])
    expect(await bot.versions()).toHaveLength(2)
    expect((await bot.published())?.settings).toEqual({ metadata: { title: "a" } })
  })

  test("never changes a version that exists", async () => {
    const bot = await freshBot()
    await bot.publish()
    const [first] = await bot.versions()
    await bot.call.bot.update({ botId: bot.botId, bot: { groups: [group("g")] } })
    await bot.publish()
    expect((await bot.versions())[0]).toEqual(first)
  })

  test("by several at once makes one version and one publication", async () => {
    const bot = await freshBot()
    const all = await Promise.all([bot.publish(), bot.publish(), bot.publish(), bot.publish()])
    expect(new Set(all.map(({ versionNumber }) => versionNumber))).toEqual(new Set([1]))
    expect(await bot.versions()).toHaveLength(1)
  })

  test("keeps the id of the publication until the bot is unpublished", async () => {
    const bot = await freshBot()
    await bot.publish()
    const first = await bot.published()
    await bot.publish()
    const second = await bot.published()
    expect(second).toMatchObject({ id: first?.id, createdAt: first?.createdAt })
    expect(await bot.call.bot.unpublish({ botId: bot.botId })).toEqual({ message: "success" })
    expect(await bot.published()).toBeNull()
    expect(await refusalOf(bot.call.bot.unpublish({ botId: bot.botId }))).toEqual(notPublished)
    await bot.publish()
    expect((await bot.published())?.id).not.toBe(first?.id)
  })

  test("stores the version of the draft and converts only when asked", async () => {
    const bot = await freshBot()
    const { groups, edges } = oldFlow
    const old = { groups: JSON.stringify(groups), edges: JSON.stringify(edges) }
    const row = db.kysely.updateTable("bots").set({ ...old, version: "5", events: null })
    await row.where("id", "=", bot.botId).execute()
    await bot.publish()
    const { botId } = bot
    const stored = await bot.call.publishedBot.get({ botId })
    expect(stored).toMatchObject({ version: "5", publishedBot: { version: "5", events: null } })
    const converted = await bot.call.publishedBot.get({ botId, migrateToLatestVersion: true })
    expect(converted).toMatchObject({ version: "5", publishedBot: { version: "6.1" } })
  })

  test("refuses a bot that cannot run, and says why", async () => {
    const bot = await freshBot()
    await db.kysely.updateTable("bots").set({ events: null }).where("id", "=", bot.botId).execute()
    const message = "The flow has no start"
    const issue = { message, path: ["events"], pointer: "/events", code: "no-start", place: "Bot" }
    const refusal = { code: "BAD_REQUEST", issues: [issue] }
    await expect(bot.publish()).rejects.toMatchObject({ cause: refusal })
    expect(await bot.published()).toBeNull()
  })

  test("refuses uploads on the free plan, and unreviewed risks", async () => {
    const groups = [group("g", { id: "f", type: "file input" })]
    const free = await freshBot("FREE", { groups })
    expect((await refusalOf(free.publish())).code).toBe("BAD_REQUEST")
    const risky = await freshBot("STARTER", { groups })
    const setRisk = db.kysely.updateTable("bots").set({ riskLevel: 81 })
    await setRisk.where("id", "=", risky.botId).execute()
    expect((await refusalOf(risky.publish())).code).toBe("FORBIDDEN")
    const review = db.kysely.updateTable("workspaces").set({ isVerified: true })
    await review.where("id", "=", risky.workspaceId).execute()
    expect((await risky.publish()).message).toBe("success")
  })
})

describe("deleting", () => {
  test("for good archives, unpublishes, and frees the address", async () => {
    const publicId = `p-${newId()}`
    const bot = await freshBot("PRO", { publicId })
    const { botId, call, workspaceId } = bot
    await bot.publish()
    const forGood = { botId, permanently: true }
    expect(await call.bot.delete(forGood)).toEqual({ message: "success" })
    const { bot: archived } = await call.bot.get({ botId })
    expect(archived).toMatchObject({ isArchived: true, publicId: null, customDomain: null })
    expect(await bot.published()).toBeNull()
    expect((await call.bot.list({ workspaceId })).bots).toEqual([])
    expect((await call.bot.publicIdAvailability({ publicId })).isAvailable).toBe(true)
    const gone = { code: "NOT_FOUND", message: "Bot not found" }
    for (const asked of [{ botId }, forGood]) {
      expect(await refusalOf(call.bot.delete(asked))).toEqual(gone)
    }
    expect(await refusalOf(call.bot.restore({ botId }))).toEqual(gone)
    expect(await refusalOf(bot.publish())).toEqual(gone)
    expect(await refusalOf(call.bot.unpublish({ botId }))).toEqual(gone)
  })
})

test("deleting a bot for good empties and archives its results", async () => {
  const bot = await freshBot()
  await bot.publish()
  const [version] = await bot.versions()
  const resultId = newUuid()
  const variables = JSON.stringify([{ id: "v", name: "V", value: "x" }])
  const row = { resultId, botId: bot.botId, versionId: version?.id ?? "", variables }
  await db.kysely.insertInto("results").values(row).execute()
  await bot.call.bot.delete({ botId: bot.botId, permanently: true })
  const results = db.kysely.selectFrom("results").where("botId", "=", bot.botId).selectAll()
  expect(await results.execute()).toMatchObject([{ resultId, isArchived: true, variables: [] }])
})

describe("listing", () => {
  test("shows bots newest first, with what is published", async () => {
    const bot = await freshBot("PRO", { name: "First", icon: "1" })
    const { call, workspaceId } = bot
    await bot.publish()
    const second = (await call.bot.create({ workspaceId, bot: { name: "Second" } })).bot
    const { bots, ...rest } = await call.bot.list({ workspaceId })
    expect(rest).toEqual({})
    expect(bots.map(({ name }) => name)).toEqual(["Second", "First"])
    expect(bots[0]).toEqual({
      id: second.id,
      name: "Second",
      icon: null,
      createdAt: second.createdAt,
      updatedAt: second.updatedAt,
      publicId: null,
      folderId: null,
      isClosed: false,
      accessRight: "write",
    })
    expect(bots[1]?.publishedBotId).toBe((await bot.published())?.id)
  })

  test("goes through pages of any size without gaps or repeats, in every order", async () => {
    const { call, workspaceId } = await freshBot()
    for (const name of ["b", "É", "é", "B"]) await call.bot.create({ workspaceId, bot: { name } })
    // Equal times must not matter.
    const createdAt = new Date("2026-01-01T00:00:00.123Z")
    const rows = db.kysely.updateTable("bots").set({ createdAt, updatedAt: createdAt })
    await rows.where("workspaceId", "=", workspaceId).execute()
    for (const sort of ["createdAt", "updatedAt", "name"] as const) {
      const all = (await call.bot.list({ workspaceId, sort })).bots.map(({ id }) => id)
      for (const limit of [1, 2, 5]) {
        const seen: string[] = []
        let cursor: string | undefined
        do {
          const page = await call.bot.list({ workspaceId, sort, limit, cursor })
          expect(page.bots.length).toBeLessThanOrEqual(limit)
          seen.push(...page.bots.map(({ id }) => id))
          cursor = page.nextCursor
        } while (cursor !== undefined)
        expect(seen).toEqual(all)
      }
    }
    const unknown = await refusalOf(call.bot.list({ workspaceId, cursor: "x" }))
    expect(unknown).toEqual({
      code: "BAD_REQUEST",
      message: expect.stringContaining("not one of this list"),
    })
    const { nextCursor } = await call.bot.list({ workspaceId, limit: 1 })
    const other = call.bot.list({ workspaceId, sort: "name", cursor: nextCursor })
    expect((await refusalOf(other)).message).toContain("not one of this list")
  })

  test("is ordered by name, by the last change or by age, and finds parts of names", async () => {
    const { call, workspaceId, botId } = await freshBot("PRO", { name: "100% örganic" })
    for (const name of ["beta", "Alpha_1"]) await call.bot.create({ workspaceId, bot: { name } })
    await call.bot.update({ botId, bot: { icon: "1" } })
    const names = async (asked: { sort?: "updatedAt" | "name"; search?: string }) =>
      (await call.bot.list({ workspaceId, ...asked })).bots.map(({ name }) => name)
    expect(await names({ sort: "name" })).toEqual(["100% örganic", "Alpha_1", "beta"])
    expect((await names({ sort: "updatedAt" }))[0]).toBe("100% örganic")
    expect(await names({ search: "ÖRG" })).toEqual(["100% örganic"])
    for (const search of ["ORGANIC", "o\u0308rg"]) {
      expect(await names({ search })).toEqual(["100% örganic"])
    }
    expect(await names({ search: "a" })).toHaveLength(3)
    // What means something in patterns means itself.
    for (const search of ["%", "% ", "100%"])
      expect(await names({ search })).toEqual(["100% örganic"])
    for (const search of ["_", "a_1"]) expect(await names({ search })).toEqual(["Alpha_1"])
    for (const search of [".", "be.a", "[a-z]", "beta|", "\\w", "^b"]) {
      expect(await names({ search })).toEqual([])
    }
    expect(await names({ search: "", sort: "name" })).toHaveLength(3)
  })

  test("keeps to a folder, or to what is in none", async () => {
    const { call, workspaceId, botId } = await freshBot()
    const folderId = newId()
    await db.kysely.insertInto("folders").values({ id: folderId, workspaceId, name: "F" }).execute()
    const filed = (await call.bot.create({ workspaceId, bot: { folderId } })).bot.id
    const idsIn = async (folder?: string) =>
      (await call.bot.list({ workspaceId, folderId: folder })).bots.map(({ id }) => id)
    expect(await idsIn(folderId)).toEqual([filed])
    expect(await idsIn("root")).toEqual([botId])
    expect(await idsIn()).toEqual([filed, botId])
    expect(await idsIn("other")).toEqual([])
  })
})
