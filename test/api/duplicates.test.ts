/** Copies of bots: what they take along, and from where to where. */
import { expect, test } from "vitest"
import { newId } from "../../src/lib/ids.ts"
import { ask, block, bot, group } from "../support/bots.ts"
import { newUser, refusalOf } from "../support/callers.ts"
import { testDatabase } from "../support/database.ts"

const db = await testDatabase()

async function home() {
  const owner = await newUser(db, { defaultPlan: "PRO" })
  const { workspace } = await owner.call.workspace.create({ name: "W" })
  const folderId = newId()
  const workspaceId = workspace.id
  await db.kysely.insertInto("folders").values({ id: folderId, workspaceId, name: "F" }).execute()
  const sealed = { data: Buffer.alloc(1), nonce: Buffer.alloc(12), keyId: 1 }
  const credential = { id: newId(), workspaceId, type: "openai", name: "n", ...sealed }
  await db.kysely.insertInto("credentials").values(credential).execute()
  const flow = bot(
    group("A", ask.text({ saves: "Name" }), block("openai", { credentialsId: credential.id })),
  )
  const sent = { ...flow, name: "Shop", icon: "🙂", folderId }
  const { bot: original } = await owner.call.bot.import({ workspaceId, bot: sent })
  return { ...owner, workspaceId, folderId, original, credentialsId: credential.id }
}

const credentialsOf = ({ groups }: { groups: { blocks: object[] }[] }) =>
  (groups[0]?.blocks[1] as { options: { credentialsId?: string } }).options.credentialsId

test("a copy stays in its folder, keeps its credentials, and has ids and no address of its own", async () => {
  const { call, original, folderId, credentialsId } = await home()
  const { bot: copy } = await call.bot.duplicate({ botId: original.id })
  expect(copy).toMatchObject({ name: "Shop", icon: "🙂", folderId, publicId: null })
  expect(credentialsOf(copy)).toBe(credentialsId)
  expect(copy.edges[0]?.to.groupId).toBe(copy.groups[0]?.id)
  const ids = ({ groups, edges, variables }: typeof copy) =>
    [...groups, ...edges, ...variables, ...groups.flatMap(({ blocks }) => blocks)].map(
      ({ id }) => id,
    )
  expect(ids(copy).filter((id) => ids(original).includes(id))).toEqual([])
})

test("in another workspace it has neither credentials nor the folder", async () => {
  const { call, original, folderId } = await home()
  const { workspace } = await call.workspace.create({ name: "Other" })
  const there = { botId: original.id, workspaceId: workspace.id }
  const { bot: copy } = await call.bot.duplicate({ ...there, name: "Copy" })
  expect(copy).toMatchObject({ name: "Copy", workspaceId: workspace.id, folderId: null })
  expect(credentialsOf(copy)).toBeUndefined()
  expect(await refusalOf(call.bot.duplicate({ ...there, folderId }))).toMatchObject({
    message: "Folder not found",
  })
})

test("what is deleted cannot be copied", async () => {
  const { call, original } = await home()
  await db.kysely
    .updateTable("bots")
    .set({ isArchived: true })
    .where("id", "=", original.id)
    .execute()
  const late = call.bot.duplicate({ botId: original.id })
  expect(await refusalOf(late)).toMatchObject({ code: "NOT_FOUND" })
})
