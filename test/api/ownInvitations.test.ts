/** Invitations as whoever is invited sees them: listed, accepted, declined. */
import { describe, expect, test } from "vitest"
import { createAccount } from "../../src/people/createAccount.ts"
import { accept, callerFor, join, newUser, refusalOf } from "../support/callers.ts"
import { testDatabase } from "../support/database.ts"

const db = await testDatabase()
const noInvitation = { code: "NOT_FOUND", message: "Invitation not found" }

type Role = "ADMIN" | "MEMBER" | "GUEST"

/** A workspace, and its ADMIN, with so many seats. */
async function team(customSeatsLimit = 100) {
  const ann = await newUser(db, { defaultPlan: "UNLIMITED" })
  const { workspace } = await ann.call.workspace.create({ name: "Shared" })
  const { id: workspaceId } = workspace
  const rows = db.kysely.updateTable("workspaces").where("id", "=", workspaceId)
  await rows.set({ customSeatsLimit }).execute()
  const invite = async ({ email }: { email: string }, type: Role = "MEMBER") =>
    (await ann.call.workspace.invite({ workspaceId, email, type })).invitation.id
  return { ann, workspaceId, invite }
}

async function roles(workspaceId: string): Promise<Record<string, Role>> {
  const rows = await db.kysely
    .selectFrom("workspaceMembers")
    .select(["userId", "role"])
    .where("workspaceId", "=", workspaceId)
    .execute()
  return Object.fromEntries(rows.map(({ userId, role }) => [userId, role]))
}

describe("the invitations of a user", () => {
  test("are listed with their workspaces, newest first, to no other user", async () => {
    const [first, second] = [await team(), await team()]
    const [bob, eve] = [await newUser(db), await newUser(db)]
    const ids = [await first.invite(bob, "GUEST"), await second.invite(bob)]
    const { invitations } = await bob.call.user.listInvitations()
    expect(invitations.map(({ id }) => id)).toEqual(ids.toReversed())
    expect(invitations[1]).toMatchObject({
      type: "GUEST",
      workspace: { id: first.workspaceId, name: "Shared", icon: null },
    })
    expect(await eve.call.user.listInvitations()).toEqual({ invitations: [] })
  })

  test("wait for an account that is made later", async () => {
    const { workspaceId, invite } = await team()
    const email = `late.${workspaceId}@example.com`
    const invitationId = await invite({ email: email.toUpperCase() }, "ADMIN")
    await createAccount(db, { email })
    const row = db.kysely.selectFrom("users").select("id").where("email", "=", email)
    const { id } = await row.executeTakeFirstOrThrow()
    const call = callerFor(db, { id, email, isPlatformAdmin: false, tokenId: id })
    await call.user.acceptInvitation({ invitationId })
    expect(await roles(workspaceId)).toMatchObject({ [id]: "ADMIN" })
  })

  test("are the newest hundred", async () => {
    const { invite } = await team()
    const bob = await newUser(db)
    const newest = await invite(bob)
    const others = Array.from({ length: 100 }, (_, index) => ({
      id: `${bob.id}-${index}`,
      name: "Many",
    }))
    await db.kysely.insertInto("workspaces").values(others).execute()
    const old = others.map(({ id }) => ({
      id,
      workspaceId: id,
      email: bob.email,
      role: "MEMBER" as const,
      createdAt: "2020-01-01T00:00:00Z",
    }))
    await db.kysely.insertInto("workspaceInvitations").values(old).execute()
    const { invitations } = await bob.call.user.listInvitations()
    expect(invitations).toHaveLength(100)
    expect(invitations[0]?.id).toBe(newest)
  })
})

describe("accepting", () => {
  test.each(["ADMIN", "MEMBER", "GUEST"] as const)("makes the user %s", async (role) => {
    const { workspaceId, invite } = await team()
    const bob = await newUser(db)
    const invitationId = await invite(bob, role)
    expect(await bob.call.user.acceptInvitation({ invitationId })).toEqual({
      member: {
        workspaceId,
        userId: bob.id,
        role,
        user: { name: null, email: bob.email, image: null },
      },
    })
    expect(await roles(workspaceId)).toMatchObject({ [bob.id]: role })
    expect(await bob.call.user.listInvitations()).toEqual({ invitations: [] })
  })

  test("happens once, however often it is asked for at once", async () => {
    const { ann, workspaceId, invite } = await team()
    const bob = await newUser(db)
    const invitationId = await invite(bob)
    const calls = Array.from({ length: 4 }, () =>
      refusalOf(bob.call.user.acceptInvitation({ invitationId })),
    )
    const refusals = await Promise.all(calls)
    expect(refusals.filter(({ code }) => code === "OK")).toHaveLength(1)
    expect(refusals.filter(({ code }) => code !== "OK")).toEqual(Array(3).fill(noInvitation))
    expect(await roles(workspaceId)).toEqual({ [ann.id]: "ADMIN", [bob.id]: "MEMBER" })
    expect(await refusalOf(bob.call.user.acceptInvitation({ invitationId }))).toEqual(noInvitation)
  })

  test("or taking it back at the same time, one of them happens", async () => {
    for (let round = 0; round < 8; round++) {
      const { ann, workspaceId, invite } = await team()
      const bob = await newUser(db)
      const invitationId = await invite(bob)
      const [accepted, takenBack] = await Promise.all([
        refusalOf(bob.call.user.acceptInvitation({ invitationId })),
        refusalOf(ann.call.workspace.deleteInvitation({ workspaceId, invitationId })),
      ])
      const isMember = bob.id in (await roles(workspaceId))
      expect(isMember).toBe(accepted.code === "OK")
      expect(takenBack.code === "OK").toBe(!isMember)
    }
  })

  test("or declining at the same time, one of them happens", async () => {
    for (let round = 0; round < 8; round++) {
      const { workspaceId, invite } = await team()
      const bob = await newUser(db)
      const invitationId = await invite(bob)
      const [accepted, declined] = await Promise.all([
        refusalOf(bob.call.user.acceptInvitation({ invitationId })),
        refusalOf(bob.call.user.declineInvitation({ invitationId })),
      ])
      expect([accepted.code, declined.code].toSorted()).toEqual(["NOT_FOUND", "OK"])
      expect(bob.id in (await roles(workspaceId))).toBe(accepted.code === "OK")
    }
  })

  test("gives the role that the invitation has by then, also at the same time", async () => {
    for (let round = 0; round < 8; round++) {
      const { ann, workspaceId, invite } = await team()
      const bob = await newUser(db)
      const invitationId = await invite(bob, "ADMIN")
      const [, lowered] = await Promise.all([
        bob.call.user.acceptInvitation({ invitationId }),
        refusalOf(
          ann.call.workspace.updateInvitation({ workspaceId, invitationId, type: "GUEST" }),
        ),
      ])
      const role = lowered.code === "OK" ? "GUEST" : "ADMIN"
      expect((await roles(workspaceId))[bob.id]).toBe(role)
    }
  })

  test("while the workspace is deleted leaves nothing behind", async () => {
    for (let round = 0; round < 8; round++) {
      const { ann, workspaceId, invite } = await team()
      const bob = await newUser(db)
      const invitationId = await invite(bob)
      const [accepted] = await Promise.all([
        refusalOf(bob.call.user.acceptInvitation({ invitationId })),
        ann.call.workspace.delete({ workspaceId }),
      ])
      expect(["OK", "NOT_FOUND"]).toContain(accepted.code)
      expect(await bob.call.workspace.list()).toEqual({ workspaces: [] })
    }
  })

  test("needs no second seat, and keeps the one that was promised", async () => {
    const { ann, workspaceId, invite } = await team(2)
    const bob = await newUser(db)
    const invitationId = await invite(bob)
    const another = { email: `another.${bob.id}@example.com` }
    await bob.call.user.acceptInvitation({ invitationId })
    const noSeat = { code: "BAD_REQUEST", message: "Seats limit reached" }
    expect(await refusalOf(invite(another))).toEqual(noSeat)
    expect(Object.keys(await roles(workspaceId)).toSorted()).toEqual([ann.id, bob.id].toSorted())
  })

  test("is refused for a user who has joined meanwhile, who may still decline", async () => {
    const { workspaceId, invite } = await team()
    const bob = await newUser(db)
    const invitationId = await invite(bob, "ADMIN")
    await join(db, bob, workspaceId, "GUEST")
    const member = { code: "BAD_REQUEST", message: "Already a member" }
    expect(await refusalOf(bob.call.user.acceptInvitation({ invitationId }))).toEqual(member)
    expect((await roles(workspaceId))[bob.id]).toBe("GUEST")
    await bob.call.user.declineInvitation({ invitationId })
  })
})

test("declining frees the seat, and the person can be invited again", async () => {
  const { workspaceId, invite } = await team(2)
  const bob = await newUser(db)
  const invitationId = await invite(bob)
  const { declineInvitation, listInvitations } = bob.call.user
  expect(await declineInvitation({ invitationId })).toEqual({ message: "success" })
  expect(await refusalOf(declineInvitation({ invitationId }))).toEqual(noInvitation)
  expect(await listInvitations()).toEqual({ invitations: [] })
  await invite(bob)
  await accept(bob, workspaceId)
  expect((await roles(workspaceId))[bob.id]).toBe("MEMBER")
})
