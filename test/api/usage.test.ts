/** What a workspace has used of its chats, and who may know. */
import { expect, test } from "vitest"
import { newUser } from "../support/callers.ts"
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
  expect(await used()).toMatchObject({ totalChatsUsed: 2, resetsAt: resetsAt.toISOString() })
})
