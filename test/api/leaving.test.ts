/** People leave workspaces, and bots that were shared with them, by themselves. */
import { describe, expect, test } from "vitest"
import { accept, collaborate, join, newUser, refusalOf, type User } from "../support/callers.ts"
import { testDatabase } from "../support/database.ts"
import { insertDraft } from "../support/people.ts"

const db = await testDatabase()
const noWorkspace = { code: "NOT_FOUND", message: "Workspace not found" }

/** A workspace, and its ADMIN, with so many seats. */
async function team(customSeatsLimit = 100) {
  const ann = await newUser(db, { defaultPlan: "UNLIMITED" })
  const { workspace } = await ann.call.workspace.create({ name: "Shared" })
  const { id: workspaceId } = workspace
  const rows = db.kysely.updateTable("workspaces").where("id", "=", workspaceId)
  await rows.set({ customSeatsLimit }).execute()
  const invite = ({ email }: { email: string }) =>
    ann.call.workspace.invite({ workspaceId, email, type: "MEMBER" })
  return { ann, workspaceId, invite }
}

async function roles(workspaceId: string): Promise<Record<string, string>> {
  const rows = await db.kysely
    .selectFrom("workspaceMembers")
    .select(["userId", "role"])
    .where("workspaceId", "=", workspaceId)
    .execute()
  return Object.fromEntries(rows.map(({ userId, role }) => [userId, role]))
}

describe("leaving a workspace", () => {
  const leave = ({ call }: User, workspaceId: string) => call.workspace.leave({ workspaceId })

  test.each(["MEMBER", "GUEST", "ADMIN"] as const)("is possible for a %s", async (role) => {
    const { ann, workspaceId } = await team()
    const bob = await newUser(db)
    await join(db, bob, workspaceId, role)
    const botId = await insertDraft(db, { workspaceId })
    await collaborate(db, bob, botId, "WRITE")
    expect(await leave(bob, workspaceId)).toEqual({ message: "success" })
    expect(Object.keys(await roles(workspaceId))).toEqual([ann.id])
    expect((await refusalOf(bob.call.bot.get({ botId }))).code).toBe("NOT_FOUND")
    expect(await refusalOf(leave(bob, workspaceId))).toEqual(noWorkspace)
  })

  test("is not possible for the last ADMIN, also when two leave at once", async () => {
    const { ann, workspaceId } = await team()
    const lastAdmin = "The last ADMIN cannot be removed or demoted"
    expect((await refusalOf(leave(ann, workspaceId))).message).toBe(lastAdmin)
    const bob = await newUser(db)
    await join(db, bob, workspaceId, "ADMIN")
    const calls = [refusalOf(leave(ann, workspaceId)), refusalOf(leave(bob, workspaceId))]
    const codes = (await Promise.all(calls)).map(({ code }) => code)
    expect(codes.toSorted()).toEqual(["BAD_REQUEST", "OK"])
    expect(Object.values(await roles(workspaceId))).toEqual(["ADMIN"])
  })

  test("is possible while it is suspended, and frees the seat", async () => {
    const { workspaceId, invite } = await team(2)
    const bob = await newUser(db)
    await invite(bob)
    await accept(bob, workspaceId)
    const rows = db.kysely.updateTable("workspaces").where("id", "=", workspaceId)
    await rows.set({ isSuspended: true }).execute()
    await leave(bob, workspaceId)
    await invite(bob)
  })
})

describe("leaving a bot", () => {
  const noCollaboration = { code: "NOT_FOUND", message: "Collaboration not found" }
  const leave = ({ call }: User, botId: string) => call.bot.leave({ botId })

  test.each([
    "READ",
    "WRITE",
    "FULL_ACCESS",
  ] as const)("ends %s, and nothing else", async (type) => {
    const { workspaceId } = await team()
    const [bob, eve] = [await newUser(db), await newUser(db)]
    const [botId, otherId] = [
      await insertDraft(db, { workspaceId }),
      await insertDraft(db, { workspaceId }),
    ]
    for (const user of [bob, eve]) await collaborate(db, user, botId, type)
    await collaborate(db, bob, otherId, type)
    const preview = (id: string, of: string, owner: User) => ({
      ...{ id, workspaceId, botId: of, ownerUserId: owner.id },
      ...{ flowHash: Buffer.alloc(32), state: "{}" },
    })
    const previews = [
      preview(`${botId}-1`, botId, bob),
      preview(`${botId}-2`, otherId, bob),
      preview(`${botId}-3`, botId, eve),
    ]
    await db.kysely.insertInto("previewSessions").values(previews).execute()
    expect(await leave(bob, botId)).toEqual({ message: "success" })
    expect((await refusalOf(bob.call.bot.get({ botId }))).code).toBe("NOT_FOUND")
    await bob.call.bot.get({ botId: otherId })
    await eve.call.bot.get({ botId })
    const left = await db.kysely
      .selectFrom("previewSessions")
      .select("id")
      .where("id", "like", `${botId}-%`)
      .orderBy("id")
      .execute()
    expect(left.map(({ id }) => id)).toEqual([`${botId}-2`, `${botId}-3`])
    expect(await refusalOf(leave(bob, botId))).toEqual(noCollaboration)
  })
})
