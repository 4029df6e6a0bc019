/** Undoing edits that took away what the bot can no longer have. */
import { expect, test } from "vitest"
import { newId } from "../../src/lib/ids.ts"
import { testDatabase } from "../support/database.ts"
import { newVersionedBot } from "../support/versionedBot.ts"

const db = await testDatabase()

type Members = {
  name?: string
  publicId?: string | null
  customDomain?: string | null
  whatsAppCredentialsId?: string | null
}

async function newBot() {
  const { call, botId, workspaceId } = await newVersionedBot(db)
  const draft = async () => (await call.bot.get({ botId })).bot
  const revision = async () => (await draft()).revision
  const set = async (...all: Members[]) => {
    for (const members of all) {
      const edits = [{ type: "bot.set" as const, ...members }]
      await call.bot.edit({ botId, revision: await revision(), edits })
    }
  }
  const undo = async () => await call.bot.undo({ botId, revision: await revision() })
  return { call, botId, workspaceId, draft, set, undo }
}

test("an undo passes over credentials that were deleted, and what was done before can be undone", async () => {
  const { workspaceId, draft, set, undo } = await newBot()
  const { name } = await draft()
  const id = newId()
  const sealed = { data: Buffer.alloc(1), nonce: Buffer.alloc(12), keyId: 1 }
  const row = { id, workspaceId, type: "whatsApp", name: "n", ...sealed }
  await db.kysely.insertInto("credentials").values(row).execute()
  await set({ name: "New" }, { whatsAppCredentialsId: id })
  await set({ name: "Newer", whatsAppCredentialsId: null })
  await db.kysely.deleteFrom("credentials").where("id", "=", id).execute()
  await undo()
  expect(await draft()).toMatchObject({ name: "New", whatsAppCredentialsId: null })
  for (let index = 0; index < 2; index++) await undo()
  expect((await draft()).name).toBe(name)
})

test("an undo passes over addresses that other bots have taken", async () => {
  const { call, workspaceId, draft, set, undo } = await newBot()
  const other = (await call.bot.create({ workspaceId, bot: {} })).bot
  const given = { publicId: "given-up", customDomain: "given-up.example.com" }
  await set({ name: "New", ...given })
  await set({ name: "Newer", publicId: "kept", customDomain: null })
  await call.bot.update({ botId: other.id, bot: given })
  await undo()
  expect(await draft()).toMatchObject({ name: "New", publicId: "kept", customDomain: null })
})

test("an undo restores addresses that are still free", async () => {
  const { draft, set, undo } = await newBot()
  const former = { publicId: "former", customDomain: "former.example.com" }
  await set(former, { publicId: "later", customDomain: null })
  await undo()
  expect(await draft()).toMatchObject(former)
})
