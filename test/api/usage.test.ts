/** What a workspace has used of its chats, and who may know. */
import { expect, test } from "vitest"
import { join, newUser, refusalOf } from "../support/callers.ts"
import { testDatabase } from "../support/database.ts"
import { runJob } from "../support/jobs.ts"
import { insertDraft, recordChat } from "../support/people.ts"

const db = await testDatabase()

async function place() {
  const ann = await newUser(db)
  const { workspace } = await ann.call.workspace.create({ name: "Shop" })
  return { ann, workspaceId: workspace.id }
}

test("the chats of this month count, and the count starts again with the next", async () => {
  const { ann, workspaceId } = await place()
  const used = () => ann.call.billing.getUsage({ workspaceId })
  expect((await used()).totalChatsUsed).toBe(0)
  const botId = await insertDraft(db, { workspaceId })
  const now = new Date()
  const lastMonth = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1) - 1)
  for (const startedAt of [now, now, lastMonth]) await recordChat(db, { botId, startedAt })
  await recordChat(db, { botId: await insertDraft(db, await place()) })
  await runJob(db, "count_usage")
  const resetsAt = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1))
  expect(await used()).toEqual({ totalChatsUsed: 2, resetsAt: resetsAt.toISOString() })
})

test("members and platform admins may know, guests and strangers not", async () => {
  const { workspaceId } = await place()
  const [bob, gus, stranger] = [await newUser(db), await newUser(db), await newUser(db)]
  const operator = await newUser(db, { isPlatformAdmin: true })
  await join(db, bob, workspaceId, "MEMBER")
  await join(db, gus, workspaceId, "GUEST")
  for (const { call } of [bob, operator]) await call.billing.getUsage({ workspaceId })
  for (const { call } of [gus, stranger]) {
    expect(await refusalOf(call.billing.getUsage({ workspaceId }))).toEqual({
      code: "NOT_FOUND",
      message: "Workspace not found",
    })
  }
})
