/** Versions of a workspace have so much room: those that were never live go first, the others stay. */
import { randomBytes } from "node:crypto"
import { expect, test } from "vitest"
import { refusalOf } from "../support/callers.ts"
import { testDatabase } from "../support/database.ts"
import { saying } from "../support/saying.ts"
import { newVersionedBot } from "../support/versionedBot.ts"

const db = await testDatabase()

/** Room for three of the large versions below, which do not compress, and a few small ones. */
const maxVersionsBytes = 350_000

const newBot = () => newVersionedBot(db, { maxVersionsBytes })
type Bot = Awaited<ReturnType<typeof newBot>>

/** A text that takes some 75 kB, however it is stored. */
const large = () => randomBytes(37_500).toString("base64") + randomBytes(18_750).toString("base64")

async function publishLarge({ write, publish }: Bot): Promise<number> {
  await write(large())
  return await publish()
}

const numbersOf = async (bot: Bot) => (await bot.versions()).map(({ number }) => number)

const full = {
  code: "CONFLICT",
  message: expect.stringMatching(
    /^The versions of a workspace may take 0\.3 MB; with this one they would take 0\.\d MB\. .* raise PARLEY_VERSIONS_MB$/,
  ),
}

test("what was live stays, and what has no room is refused with nothing written", async () => {
  const bot = await newBot()
  for (const number of [1, 2, 3, 4]) expect(await publishLarge(bot)).toBe(number)
  await bot.write(large())
  expect(await refusalOf(bot.publish())).toEqual(full)
  expect(await refusalOf(bot.call.version.keep({ botId: bot.botId }))).toEqual(full)
  expect(await refusalOf(bot.restore(1))).toEqual(full)
  expect(await numbersOf(bot)).toEqual([4, 3, 2, 1])
  expect(await bot.history()).toHaveLength(4)
})

test("what is there already is published and rolled back to without room", async () => {
  const bot = await newBot()
  for (const _ of [1, 2, 3, 4]) await publishLarge(bot)
  await bot.publish("Once more")
  expect(await bot.rollback(1)).toMatchObject({ version: 1 })
})

test("what was never live makes room: replaced drafts before kept ones, the oldest first", async () => {
  const bot = await newBot()
  const { call, botId } = bot
  await publishLarge(bot)
  await bot.write(large())
  await call.version.keep({ botId })
  await bot.write(large())
  await bot.restore(1)
  await bot.write(large())
  await call.version.keep({ botId })
  expect(await numbersOf(bot)).toEqual([4, 3, 2, 1])
  await publishLarge(bot)
  expect(await numbersOf(bot)).toEqual([5, 4, 2, 1])
  await publishLarge(bot)
  expect(await numbersOf(bot)).toEqual([6, 5, 4, 1])
})

test("a draft that was replaced once more makes room as the newest", async () => {
  const bot = await newBot()
  await publishLarge(bot)
  for (const _ of [2, 3]) {
    await bot.write(large())
    await bot.restore(1)
  }
  await bot.restore(2)
  await bot.restore(1)
  await publishLarge(bot)
  await publishLarge(bot)
  expect(await numbersOf(bot)).toEqual([5, 4, 2, 1])
})

test("what another bot of the workspace keeps makes room, too, and what another workspace keeps does not", async () => {
  const [bot, stranger] = [await newBot(), await newBot()]
  const { call, workspaceId } = bot
  const kept = await call.bot.create({ workspaceId, bot: saying(large()) })
  await call.version.keep({ botId: kept.bot.id })
  await stranger.write(large())
  await stranger.call.version.keep({ botId: stranger.botId })
  for (const _ of [1, 2, 3, 4]) await publishLarge(bot)
  expect((await call.version.list({ botId: kept.bot.id })).versions).toEqual([])
  expect(await numbersOf(stranger)).toEqual([1])
})

test("bots that are published at once do not pass it together", async () => {
  const bot = await newBot()
  const { call, workspaceId } = bot
  const ids = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const made = await call.bot.create({ workspaceId, bot: saying(large()) })
      return made.bot.id
    }),
  )
  const done = await Promise.allSettled(ids.map((botId) => call.bot.publish({ botId })))
  expect(done.filter(({ status }) => status === "fulfilled")).toHaveLength(4)
})

test("many small versions count, too", async () => {
  const bot = await newVersionedBot(db, { maxVersionsBytes: 3 * 4096 })
  for (const text of ["a", "b", "c"]) {
    await bot.write(text)
    await bot.publish()
  }
  await bot.write("d")
  expect(await refusalOf(bot.publish())).toMatchObject({ code: "CONFLICT" })
})
