/** Versions and the history of what was live: publish, roll back, unpublish, keep, list. */
import { describe, expect, test } from "vitest"
import { refusalOf } from "../support/callers.ts"
import { testDatabase } from "../support/database.ts"
import { saidIn } from "../support/saying.ts"
import { newVersionedBot } from "../support/versionedBot.ts"

const db = await testDatabase()

describe("the history", () => {
  test("names every publication, rollback and unpublication, newest first", async () => {
    const bot = await newVersionedBot(db)
    await bot.publish("Hello")
    await bot.write("second")
    await bot.publish()
    await bot.rollback(1, "Two was wrong")
    await bot.call.bot.unpublish({ botId: bot.botId })
    await bot.publish()
    const { id, email } = bot.user
    const author = { id, name: null, email }
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    const history = await bot.history()
    expect(history).toEqual([
      { at, kind: "publish", version: 2, author },
      { at, kind: "unpublish", author },
      { at, kind: "rollback", version: 1, note: "Two was wrong", author },
      { at, kind: "publish", version: 2, author },
      { at, kind: "publish", version: 1, note: "Hello", author },
    ])
    const times = history.map((entry) => entry.at)
    expect(times).toEqual([...new Set(times)].toSorted().toReversed())
  })

  test("has what was published again without a change", async () => {
    const bot = await newVersionedBot(db)
    expect([await bot.publish(), await bot.publish("Again")]).toEqual([1, 1])
    expect((await bot.history()).map(({ version, note }) => [version, note])).toEqual([
      [1, "Again"],
      [1, undefined],
    ])
  })

  test("goes on later even where the clock was set back", async () => {
    const bot = await newVersionedBot(db)
    await bot.publish()
    const ahead = new Date(Date.now() + 86_400_000)
    const entries = db.kysely.updateTable("publications").set({ at: ahead })
    await entries.where("botId", "=", bot.botId).execute()
    await bot.rollback(1)
    const [latest] = await bot.history()
    expect(latest).toMatchObject({
      at: new Date(ahead.getTime() + 1).toISOString(),
      kind: "rollback",
    })
  })

  test("ends with an unpublication when the bot is deleted for good", async () => {
    const bot = await newVersionedBot(db)
    await bot.publish()
    await bot.call.bot.delete({ botId: bot.botId, permanently: true })
    expect((await bot.history()).map(({ kind }) => kind)).toEqual(["unpublish", "publish"])
    expect(await bot.versions()).toMatchObject([{ number: 1, isLive: false }])
    const gone = { code: "NOT_FOUND", message: "Bot not found" }
    expect(await refusalOf(bot.rollback(1))).toEqual(gone)
    expect(await refusalOf(bot.restore(1))).toEqual(gone)
    expect(await refusalOf(bot.call.version.keep({ botId: bot.botId }))).toEqual(gone)
  })

  test("is read page by page while others publish", async () => {
    const bot = await newVersionedBot(db)
    const numbers: number[] = []
    for (const text of ["a", "b", "c", "d", "e"]) {
      await bot.write(text)
      numbers.push(await bot.publish())
    }
    const { botId } = bot
    const read: { version?: number | undefined; number?: number }[][] = [[], []]
    let cursors: (string | undefined)[] = []
    do {
      const [one, other] = cursors
      const history = await bot.call.version.listPublications({ botId, limit: 2, cursor: one })
      const versions = await bot.call.version.list({ botId, limit: 2, cursor: other })
      read[0]?.push(...history.publications)
      read[1]?.push(...versions.versions)
      cursors = [history.nextCursor, versions.nextCursor]
      await bot.write(`meanwhile ${numbers.length}`)
      numbers.push(await bot.publish())
    } while (cursors.every((cursor) => cursor !== undefined))
    expect(cursors).toEqual([undefined, undefined])
    expect(read[0]?.map(({ version }) => version)).toEqual([5, 4, 3, 2, 1])
    expect(read[1]?.map(({ number }) => number)).toEqual([5, 4, 3, 2, 1])
    const unknown = {
      code: "BAD_REQUEST",
      message: expect.stringContaining("cursor is not one of this list"),
    }
    expect(await refusalOf(bot.call.version.list({ botId, cursor: "x" }))).toEqual(unknown)
    expect(await refusalOf(bot.call.version.listPublications({ botId, cursor: "0" }))).toEqual(
      unknown,
    )
  })
})

describe("a rollback", () => {
  test("moves what is live and leaves the draft alone", async () => {
    const bot = await newVersionedBot(db)
    await bot.publish()
    await bot.write("second")
    await bot.publish()
    const before = await bot.write("third")
    expect(await bot.rollback(1)).toEqual({ message: "success", version: 1 })
    expect([await bot.live(), await bot.draft()]).toEqual(["first", "third"])
    const { bot: after } = await bot.call.bot.get({ botId: bot.botId })
    expect(after.updatedAt).toBe(before.updatedAt)
    expect(await bot.versions()).toMatchObject([
      { number: 2, isLive: false, liveUntil: expect.any(String) },
      { number: 1, isLive: true },
    ])
  })

  test("puts an unpublished bot on the air again", async () => {
    const bot = await newVersionedBot(db)
    await bot.publish()
    await bot.call.bot.unpublish({ botId: bot.botId })
    expect(await bot.live()).toBeNull()
    await bot.rollback(1)
    expect(await bot.live()).toBe("first")
  })

  test("to a draft that was never live, or to no version at all, is refused with a sentence", async () => {
    const bot = await newVersionedBot(db)
    await bot.publish()
    await bot.write("never live")
    const { version } = await bot.call.version.keep({ botId: bot.botId })
    expect(await refusalOf(bot.rollback(version))).toEqual({
      code: "BAD_REQUEST",
      message: "Version 2 was never live: restore it as the draft and publish it",
    })
    const unknown = { code: "NOT_FOUND", message: "Version 9 not found" }
    expect(await refusalOf(bot.rollback(9))).toEqual(unknown)
    expect(await refusalOf(bot.restore(9))).toEqual(unknown)
    expect(await refusalOf(bot.version(9))).toEqual(unknown)
    const { botId, call } = bot
    expect(await refusalOf(call.version.diff({ botId, from: "9" }))).toEqual(unknown)
    expect(await refusalOf(call.result.list({ botId, version: 9 }))).toEqual(unknown)
    expect(await bot.history()).toHaveLength(1)
  })

  test("brings back nothing that the plan does not allow any more", async () => {
    const bot = await newVersionedBot(db)
    const { botId, call } = bot
    const { groups } = (await call.bot.get({ botId })).bot
    const blocks = [...(groups[0]?.blocks ?? []), { id: "f", type: "file input" as const }]
    await call.bot.update({ botId, bot: { groups: [{ ...groups[0], blocks }] as never } })
    await bot.publish()
    await bot.write("without files")
    await bot.publish()
    const plan = db.kysely.updateTable("workspaces").set({ plan: "FREE" })
    await plan.where("id", "=", bot.workspaceId).execute()
    expect((await refusalOf(bot.rollback(1))).message).toBe(
      "File inputs can only be published on a paid plan",
    )
    expect(await bot.live()).toBe("without files")
  })
})

describe("versions", () => {
  test("tell since when and until when they were live, however often they were", async () => {
    const bot = await newVersionedBot(db)
    await bot.publish()
    await bot.publish("The same once more")
    await bot.write("second")
    await bot.publish()
    await bot.rollback(1)
    await bot.publish()
    const at = (await bot.history()).map((entry) => entry.at)
    expect(await bot.versions()).toMatchObject([
      { number: 2, isLive: true, liveFrom: at[0] },
      { number: 1, isLive: false, liveFrom: at[1], liveUntil: at[0] },
    ])
    expect((await bot.versions())[0]).not.toHaveProperty("liveUntil")
  })

  test("are kept on request, with a note, and once for the same flow", async () => {
    const bot = await newVersionedBot(db)
    const { botId, call } = bot
    const keep = async (note?: string) => (await call.version.keep({ botId, note })).version
    expect([await keep(), await keep("Before the sale")]).toEqual([1, 1])
    expect(await bot.versions()).toMatchObject([
      { number: 1, note: "Before the sale", isDraft: true, isLive: false, openChats: 0 },
    ])
    expect(await bot.live()).toBeNull()
    expect(await bot.publish()).toBe(1)
    expect(await bot.versions()).toMatchObject([
      { number: 1, note: "Before the sale", isDraft: false, isLive: true },
    ])
    expect(await keep()).toBe(1)
    expect(await bot.versions()).toMatchObject([{ isDraft: false }])
  })

  test("come with their flow and the name of the bot, as an import takes it", async () => {
    const bot = await newVersionedBot(db)
    const { botId, workspaceId, call } = bot
    await bot.publish("One")
    await bot.write("second")
    const version = await bot.version(1)
    expect(version).toMatchObject({ number: 1, note: "One", isLive: true, bot: { name: "My bot" } })
    const made = await call.bot.import({ workspaceId, bot: version.bot as never })
    expect(saidIn(made.bot)).toBe("first")
    expect((await call.version.diff({ botId, from: "1", to: "1" })).changes).toEqual([])
  })

  test("that no flow can be made of any more are kept as they are", async () => {
    const bot = await newVersionedBot(db)
    const odd = { groups: JSON.stringify([{ id: "g", title: "Odd", blocks: [{ odd: true }] }]) }
    await db.kysely.updateTable("bots").set(odd).where("id", "=", bot.botId).execute()
    await bot.call.version.keep({ botId: bot.botId })
    const stored = db.kysely.selectFrom("botVersions").select("payload")
    const { payload } = await stored.where("botId", "=", bot.botId).executeTakeFirstOrThrow()
    expect(payload.groups).toEqual(JSON.parse(odd.groups))
  })
})
