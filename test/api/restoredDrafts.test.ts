/** Making an earlier version the draft again never loses the draft that was there. */
import { expect, test } from "vitest"
import { latestVersion } from "../../src/engine/bot.ts"
import { refusalOf } from "../support/callers.ts"
import { testDatabase } from "../support/database.ts"
import { runJob } from "../support/jobs.ts"
import { untilLockWaits } from "../support/lockWaits.ts"
import { saidIn, saying } from "../support/saying.ts"
import { newVersionedBot } from "../support/versionedBot.ts"
import { oldFlow } from "./flows.ts"

const db = await testDatabase()

test("the draft that is replaced is kept as a version, and what is live stays", async () => {
  const bot = await newVersionedBot(db)
  await bot.publish()
  await bot.write("second")
  await bot.publish()
  await bot.write("unfinished")
  const restored = await bot.restore(1)
  expect(saidIn(restored)).toBe("first")
  expect([await bot.draft(), await bot.live()]).toEqual(["first", "second"])
  expect(await bot.versions()).toMatchObject([
    { number: 3, isDraft: true, isLive: false, author: { id: bot.user.id } },
    { number: 2, isDraft: false },
    { number: 1, isDraft: false },
  ])
  expect(saidIn((await bot.version(3)).bot)).toBe("unfinished")
  expect(await bot.history()).toHaveLength(2)
})

test("a draft that equals a version makes none", async () => {
  const bot = await newVersionedBot(db)
  await bot.publish()
  await bot.write("second")
  await bot.publish()
  await bot.restore(1)
  await bot.restore(2)
  await bot.restore(2)
  expect(await bot.versions()).toHaveLength(2)
  expect(await bot.draft()).toBe("second")
})

test("a draft that is replaced once more is kept for as long as one that never was", async () => {
  const bot = await newVersionedBot(db)
  await bot.publish()
  await bot.write("unfinished")
  await bot.restore(1)
  await db.pool.query(
    "update bot_versions set created_at = now() - interval '401 days' where bot_id = $1",
    [bot.botId],
  )
  await bot.restore(2)
  await bot.restore(1)
  await runJob(db, "remove_versions")
  expect((await bot.versions()).map(({ number }) => number)).toEqual([2, 1])
})

test("a kept draft comes back as it was, and can be published", async () => {
  const bot = await newVersionedBot(db)
  await bot.publish()
  await bot.write("unfinished")
  await bot.restore(1)
  await bot.restore(2)
  expect(await bot.draft()).toBe("unfinished")
  expect(await bot.publish()).toBe(2)
  expect(await bot.versions()).toMatchObject([{ number: 2, isDraft: false, isLive: true }, {}])
})

test("a draft that has changed since it was read is not replaced by default", async () => {
  const bot = await newVersionedBot(db)
  const { botId, call } = bot
  await bot.publish()
  const { updatedAt } = await bot.write("read by me")
  await bot.write("changed by somebody else")
  const request = { botId, version: 1, updatedAt }
  expect(await refusalOf(call.version.restoreDraft(request))).toEqual({
    code: "CONFLICT",
    message: "The bot has changed since you read it; read it again",
  })
  expect([await bot.draft(), (await bot.versions()).length]).toEqual([
    "changed by somebody else",
    1,
  ])
  const { bot: restored } = await call.version.restoreDraft({ ...request, overwrite: true })
  expect(saidIn(restored)).toBe("first")
  expect(saidIn((await bot.version(2)).bot)).toBe("changed by somebody else")
  const now = { botId, version: 2, updatedAt: restored.updatedAt }
  expect(saidIn((await call.version.restoreDraft(now)).bot)).toBe("changed by somebody else")
})

test("who may see a bot does not come back by surprise, nor what the plan forbids", async () => {
  const bot = await newVersionedBot(db)
  const { botId, call } = bot
  const change = (settings: object) => call.bot.update({ botId, bot: { settings } })
  await change({ publicShare: { isEnabled: true }, general: { isBrandingEnabled: false } })
  await bot.publish()
  await change({ publicShare: { isEnabled: false } })
  const plan = db.kysely.updateTable("workspaces").set({ plan: "FREE" })
  await plan.where("id", "=", bot.workspaceId).execute()
  const { settings } = await bot.restore(1)
  expect(settings).toEqual({
    publicShare: { isEnabled: false },
    general: { isBrandingEnabled: true },
  })
})

test("credentials that are gone do not come back", async () => {
  const bot = await newVersionedBot(db)
  const { botId, call, workspaceId } = bot
  const { credentialsId } = await call.credentials.create({
    workspaceId,
    credentials: { type: "http proxy", name: "P", data: { url: "http://proxy.example" } },
  } as never)
  const { groups } = (await call.bot.get({ botId })).bot
  const web = {
    id: "web",
    type: "Webhook",
    options: { webhook: { url: "https://example.com" }, proxyCredentialsId: credentialsId },
  }
  const blocks = [...(groups[0]?.blocks ?? []), web]
  await call.bot.update({ botId, bot: { groups: [{ ...groups[0], blocks }] as never } })
  await bot.publish()
  await bot.write("second")
  expect(JSON.stringify((await bot.restore(1)).groups)).toContain(credentialsId)
  await bot.restore(2)
  await call.credentials.delete({ credentialsId } as never)
  const restored = JSON.stringify((await bot.restore(1)).groups)
  expect(restored).toContain("https://example.com")
  expect(restored).not.toContain(credentialsId)
})

test("a version from before events comes back in the format of the draft", async () => {
  const bot = await newVersionedBot(db)
  const { groups, edges } = oldFlow
  const old = { groups: JSON.stringify(groups), edges: JSON.stringify(edges) }
  const row = db.kysely.updateTable("bots").set({ ...old, version: "5", events: null })
  await row.where("id", "=", bot.botId).execute()
  expect(await bot.publish()).toBe(1)
  const flow = saying("in the latest format")
  await bot.call.bot.update({ botId: bot.botId, bot: { version: latestVersion, ...flow } })
  const restored = await bot.restore(1)
  expect(restored).toMatchObject({ version: latestVersion, events: [{ type: "start" }] })
  expect(await bot.publish()).toBe(3)
})

test("a draft that gets events while such a version comes back is left alone", async () => {
  const bot = await newVersionedBot(db)
  const { botId } = bot
  const { groups, edges } = oldFlow
  const old = { groups: JSON.stringify(groups), edges: JSON.stringify(edges) }
  const row = db.kysely.updateTable("bots").set({ ...old, version: "5", events: null })
  await row.where("id", "=", botId).execute()
  await bot.publish()
  const holder = await db.pool.connect()
  await holder.query("begin")
  await holder.query("select from bots where id = $1 for update", [botId])
  const restoring = refusalOf(bot.restore(1))
  await untilLockWaits(holder)
  await holder.query("update bots set version = $2, events = '[]' where id = $1", [
    botId,
    latestVersion,
  ])
  await holder.query("commit")
  holder.release()
  expect(await restoring).toMatchObject({ code: "CONFLICT" })
  expect((await bot.call.bot.get({ botId })).bot.version).toBe(latestVersion)
  expect(await bot.versions()).toHaveLength(1)
})
