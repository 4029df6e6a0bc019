/** Folders of a workspace, and bots that are moved between them. */
import { expect, test } from "vitest"
import { collaborate, join, newUser, refusalOf } from "../support/callers.ts"
import { testDatabase } from "../support/database.ts"
import { countLockWaits } from "../support/lockWaits.ts"
import { until } from "../support/waiting.ts"

const db = await testDatabase()

async function home() {
  const { call } = await newUser(db)
  const { workspace } = await call.workspace.create({ name: "W" })
  const workspaceId = workspace.id
  const folder = async (name: string, parentFolderId: string | null = null) =>
    (await call.folder.create({ workspaceId, name, parentFolderId })).folder.id
  const bot = async () => (await call.bot.create({ workspaceId, bot: {} })).bot.id
  const folderOf = async (botId: string) => (await call.bot.get({ botId })).bot.folderId
  const parentOf = async (id: string) => {
    const { folders } = await call.folder.list({ workspaceId })
    return folders.find((each) => each.id === id)?.parentFolderId
  }
  return { call, workspaceId, folder, bot, folderOf, parentOf }
}

test("what is in a deleted folder moves to the one around it, without a change of drafts", async () => {
  const { call, workspaceId, folder, bot, folderOf, parentOf } = await home()
  const outer = await folder("Outer")
  const middle = await folder("Middle", outer)
  const inner = await folder("Inner", middle)
  const botId = await bot()
  const { bot: before } = await call.bot.get({ botId })
  await call.folder.moveBots({ workspaceId, botIds: [botId], folderId: middle })
  expect(await folderOf(botId)).toBe(middle)
  await call.folder.delete({ workspaceId, folderId: middle })
  expect(await folderOf(botId)).toBe(outer)
  expect(await parentOf(inner)).toBe(outer)
  expect((await call.bot.get({ botId })).bot.updatedAt).toBe(before.updatedAt)
})

test("folders are inside each other up to five levels, whichever end is moved", async () => {
  const { call, workspaceId, folder, bot, folderOf } = await home()
  let last: string | null = null
  for (const name of ["1", "2", "3", "4", "5"]) last = await folder(name, last)
  const botId = await bot()
  await call.folder.moveBots({ workspaceId, botIds: [botId, botId], folderId: last })
  expect(await folderOf(botId)).toBe(last)
  const sixth = call.folder.create({ workspaceId, name: "6", parentFolderId: last })
  expect((await refusalOf(sixth)).message).toContain("5 levels")
  const { folders } = await call.folder.list({ workspaceId })
  const [first] = folders
  const over = await folder("Over")
  const moved = { workspaceId, folderId: first?.id ?? "", parentFolderId: over }
  expect((await refusalOf(call.folder.update(moved))).message).toContain("5 levels")
})

test("a move waits for one that is under way, so that two at once make no circle", async () => {
  const { call, workspaceId, folder, parentOf } = await home()
  const [a, b] = [await folder("A"), await folder("B")]
  const into = (folderId: string, parentFolderId: string) =>
    refusalOf(call.folder.update({ workspaceId, folderId, parentFolderId }))
  const other = await db.pool.connect()
  await other.query("begin")
  await other.query("select from workspaces where id = $1 for no key update", [workspaceId])
  await other.query("update folders set parent_folder_id = $1 where id = $2", [a, b])
  let isAnswered = false
  const moved = into(a, b).finally(() => {
    isAnswered = true
  })
  await until(async () => isAnswered || (await countLockWaits(other)) === 1)
  await other.query("commit")
  other.release()
  expect((await moved).message).toContain("inside itself")
  expect([await parentOf(a), await parentOf(b)]).toEqual([null, a])
  expect((await into(a, a)).message).toContain("inside itself")
})

test("bots and folders of another workspace are unknown, and none of the bots is moved then", async () => {
  const [mine, theirs] = [await home(), await home()]
  const { call, workspaceId } = mine
  const [own, foreign] = [await mine.bot(), await theirs.bot()]
  const folderId = await mine.folder("Mine")
  const there = await theirs.folder("Theirs")
  const moves = [
    { botIds: [own, foreign], folderId },
    { botIds: [own], folderId: there },
  ]
  for (const move of moves) {
    const refused = await refusalOf(call.folder.moveBots({ workspaceId, ...move }))
    expect(refused.code).toBe("NOT_FOUND")
  }
  expect(await mine.folderOf(own)).toBeNull()
  const inside = call.folder.update({ workspaceId, folderId: there, name: "Mine" })
  expect((await refusalOf(inside)).code).toBe("NOT_FOUND")
})

test("a workspace has 500 folders at most, and may rename and move all of them", async () => {
  const { call, workspaceId, folder } = await home()
  const folderId = await folder("First")
  await db.pool.query(
    "insert into folders (id, workspace_id, name) select $1 || n, $1, 'F' from generate_series(2, 500) n",
    [workspaceId],
  )
  const full = await refusalOf(folder("One more"))
  expect(full.message).toContain("at most 500 folders")
  const parentFolderId = `${workspaceId}2`
  const changed = await call.folder.update({ workspaceId, folderId, name: "Last", parentFolderId })
  expect(changed.folder).toMatchObject({ id: folderId, name: "Last", parentFolderId })
  await call.folder.delete({ workspaceId, folderId: parentFolderId })
  await folder("One more")
})

test("guests see the folders of the bots that are shared with them", async () => {
  const { call, workspaceId, folder, bot } = await home()
  const guest = await newUser(db)
  await join(db, guest, workspaceId, "GUEST")
  const hidden = await folder("Hidden")
  const [shown, botId] = [await folder("Shown", hidden), await bot()]
  await call.folder.moveBots({ workspaceId, botIds: [botId], folderId: shown })
  expect((await guest.call.folder.list({ workspaceId })).folders).toEqual([])
  await collaborate(db, guest, botId, "READ")
  const { folders } = await guest.call.folder.list({ workspaceId })
  // A tree that is built of the list alone has a place for it.
  expect(folders).toMatchObject([{ name: "Shown", parentFolderId: null }])
  expect((await call.folder.list({ workspaceId })).folders).toMatchObject([
    { name: "Hidden", parentFolderId: null },
    { name: "Shown", parentFolderId: hidden },
  ])
  await call.bot.delete({ botId })
  expect((await guest.call.folder.list({ workspaceId })).folders).toEqual([])
  expect((await call.folder.list({ workspaceId })).folders).toHaveLength(2)
})

test("what moves is in the audit log", async () => {
  const { call, workspaceId, folder, bot } = await home()
  const [folderId, one, two] = [await folder("F"), await bot(), await bot()]
  await call.folder.moveBots({ workspaceId, botIds: [one, two], folderId })
  const { entries } = await call.workspace.listAuditLog({ workspaceId, limit: 1 })
  expect(entries).toMatchObject([
    { operation: "moveBots", target: { workspaceId, folderId }, counts: { bots: 2 } },
  ])
})
