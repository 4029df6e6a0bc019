/** An import or a duplicate of a bot that its caller may read comes with that bot's public files. */
import { expect, test } from "vitest"
import { newUuid } from "../../src/lib/ids.ts"
import { collaborate, newUser, type User } from "../support/callers.ts"
import { testDatabase } from "../support/database.ts"
import { contentOf, testFiles } from "../support/files.ts"
import { group, startEvent } from "./flows.ts"

const db = await testDatabase()
const files = testFiles()

async function read(url: string): Promise<string | undefined> {
  return contentOf(await files.download(new URL(url).pathname.slice(7), new URLSearchParams()))
}

async function place() {
  const user = await newUser(db, { files })
  const { workspace } = await user.call.workspace.create({ name: "W" })
  return { user, workspaceId: workspace.id }
}

/** A bot with a picture as icon, in a block and behind the chat. */
async function exported() {
  const owner = await place()
  const { workspaceId } = owner
  const made = await owner.user.call.bot.create({ workspaceId, bot: {} })
  const of = { botId: made.bot.id, resultId: newUuid(), extension: "png" }
  const url = await files.save(Buffer.from("a picture"), of)
  const bot = {
    groups: [group("a", { id: "p", type: "image", content: { url } })],
    events: [startEvent],
    theme: { general: { background: { type: "Image" as const, content: url } } },
    icon: url,
  }
  await owner.user.call.bot.update({ botId: made.bot.id, bot })
  return { ...owner, url, bot: (await owner.user.call.bot.get({ botId: made.bot.id })).bot }
}

type Importing = Pick<Parameters<User["call"]["bot"]["import"]>[0], "bot" | "dryRun">

async function importedUrls(user: User, workspaceId: string, file: Importing) {
  const { bot } = await user.call.bot.import({ workspaceId, ...file })
  const [inBlock] = /http[^"]+/.exec(JSON.stringify(bot.groups)) ?? []
  return { id: bot.id, urls: [bot.icon, inBlock, bot.theme.general?.background?.content] }
}

test("the new bot's copies are everywhere in it and outlive the old bot", async () => {
  const { user, workspaceId, bot, url } = await exported()
  const made = await importedUrls(user, workspaceId, { bot })
  const [first, ...others] = made.urls
  const copy = String(first)
  expect(copy).toMatch(/\/files\/public\/[0-9a-f]{32}\/\w{32}\.png$/)
  expect(copy.split("/").at(-2)).not.toBe(url.split("/").at(-3))
  expect(others).toEqual([copy, copy])
  await user.call.bot.delete({ botId: bot.id, permanently: true })
  expect([await read(url), await read(copy)]).toEqual([undefined, "a picture"])
})

test("there is no bot when its copies cannot be recorded", async () => {
  const { user, workspaceId, bot } = await exported()
  const refuse = "alter table author_files add constraint refused check (false) not valid"
  await db.pool.query(refuse)
  try {
    await expect(user.call.bot.import({ workspaceId, bot })).rejects.toThrow()
  } finally {
    await db.pool.query("alter table author_files drop constraint refused")
  }
  const { bots } = await user.call.bot.list({ workspaceId })
  expect(bots.map(({ id }) => id)).toEqual([bot.id])
})

const diskIsFull = () => new Error("The disk is full")

test("pictures that were stored of an import go when the disk is full before the next one", async () => {
  const kept: string[] = []
  const saveAuthorFile: typeof files.saveAuthorFile = async (key, bytes) => {
    if (kept.length === 1) throw diskIsFull()
    await files.saveAuthorFile(key, bytes)
    kept.push(files.addressOf(key))
  }
  const user = await newUser(db, { files: { ...files, saveAuthorFile } })
  const { workspace } = await user.call.workspace.create({ name: "W" })
  const data = (text: string) => `data:image/png;base64,${Buffer.from(text).toString("base64")}`
  const theme = { chat: { hostAvatar: { url: data("two") } } }
  const bot = { events: [startEvent], groups: [], icon: data("one"), theme }
  const sent = { workspaceId: workspace.id, bot, storeDataUrls: true }
  await expect(user.call.bot.import(sent)).rejects.toThrow()
  expect(await Promise.all(kept.map(read))).toEqual([undefined])
})

test("copies go when the disk is full before the last one", async () => {
  const { bot } = await exported()
  const kept: string[] = []
  const adopt: typeof files.adopt = async (json, move) => {
    const onCopy = ({ key }: { key: string }) => void kept.push(files.addressOf(key))
    await files.adopt(json, { ...move, onCopy })
    throw diskIsFull()
  }
  const reader = await newUser(db, { files: { ...files, adopt } })
  const { workspace } = await reader.call.workspace.create({ name: "W" })
  await collaborate(db, reader, bot.id, "READ")
  const sent = { botId: bot.id, workspaceId: workspace.id }
  await expect(reader.call.bot.duplicate(sent)).rejects.toThrow()
  expect(await Promise.all(kept.map(read))).toEqual([undefined])
})

test("a duplicate has copies as well, unless its maker may only see the bot", async () => {
  const { user, bot, url } = await exported()
  const { bot: made } = await user.call.bot.duplicate({ botId: bot.id })
  const copy = String(made.icon)
  expect(copy).not.toBe(url)
  expect(JSON.stringify(made.groups)).toContain(copy)
  const settings = { publicShare: { isEnabled: true } }
  await user.call.bot.update({ botId: bot.id, bot: { settings } })
  const guest = await place()
  const of = { botId: bot.id, workspaceId: guest.workspaceId }
  expect((await guest.user.call.bot.duplicate(of)).bot.icon).toBe(url)
  await user.call.bot.delete({ botId: bot.id, permanently: true })
  expect(await read(copy)).toBe("a picture")
})

test("a reader of the original bot gets copies in their own workspace", async () => {
  const { bot, url } = await exported()
  const reader = await place()
  await collaborate(db, reader.user, bot.id, "READ")
  const { urls } = await importedUrls(reader.user, reader.workspaceId, { bot })
  expect(urls[0]).toMatch(/\/files\/public\/[0-9a-f]{32}\/\w{32}\.png$/)
  expect(await read(url)).toBe("a picture")
})

test("nothing is copied from a bot that the caller may not read, shared or not", async () => {
  const { user, bot, url } = await exported()
  const stranger = await place()
  const refused = await importedUrls(stranger.user, stranger.workspaceId, { bot })
  expect(refused.urls).toEqual([url, url, url])
  const settings = { publicShare: { isEnabled: true } }
  await user.call.bot.update({ botId: bot.id, bot: { settings } })
  const shared = await importedUrls(stranger.user, stranger.workspaceId, { bot })
  expect(shared.urls).toEqual([url, url, url])
})

test("nothing is copied without both ids of the bot, or in a dry run", async () => {
  const { user, workspaceId, bot, url } = await exported()
  const kept: Importing[] = [
    { bot: { ...bot, workspaceId: undefined } },
    { bot: { ...bot, workspaceId: "other" } },
    { bot: { ...bot, id: "other" } },
    { bot: { ...bot, id: 5 } },
    { bot, dryRun: true },
  ]
  for (const file of kept) {
    expect((await importedUrls(user, workspaceId, file)).urls).toEqual([url, url, url])
  }
})
