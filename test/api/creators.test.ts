/** Chats count for whoever created their workspace, in all workspaces of theirs, and whoever has it by now. */
import { expect, test } from "vitest"
import { findRunnable } from "../../src/db/chats/runnable.ts"
import { openDatabase } from "../../src/db/connection/openDatabase.ts"
import { createSnapshots } from "../../src/effects/snapshots.ts"
import { workspaceParty } from "../../src/lib/party.ts"
import { bot, group, say } from "../support/bots.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"
import { whenOver } from "../support/whenOver.ts"

test("both workspaces of a user count as one owner, when a chat starts and when it goes on", async () => {
  const url = await testDatabaseUrl()
  const server = await testServer({ DATABASE_URL: url })
  const db = await openDatabase({ url, poolSize: 2 })
  whenOver(() => db.close())
  const created = await server.send("POST", "/api/v1/workspaces", { body: { name: "Second" } })
  expect(created.status).toBe(200)
  const { id: second } = created.body.workspace as { id: string }
  const { botId, publicId } = await publishBot(server, bot(group("g", say("Hi"))))
  const facts = async () => {
    const runnable = await findRunnable(db, { publicId })
    const snapshot = await createSnapshots(db).load(runnable?.versionId ?? "")
    return { started: runnable && workspaceParty(runnable), goesOn: snapshot?.party }
  }
  const { userId } = await db.kysely
    .selectFrom("workspaceMembers")
    .where("workspaceId", "=", second)
    .select("userId")
    .executeTakeFirstOrThrow()
  const first = await facts()
  expect(first.started?.owner).toBe(`user ${userId}`)
  expect(first.goesOn).toEqual(first.started)
  await db.kysely.updateTable("bots").set({ workspaceId: second }).where("id", "=", botId).execute()
  const moved = await facts()
  expect(moved.goesOn).toEqual({ owner: `user ${userId}`, part: second })
  await db.kysely.deleteFrom("workspaceMembers").where("workspaceId", "=", second).execute()
  expect(await facts()).toEqual(moved)
})
