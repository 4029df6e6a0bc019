/** Invitations into workspaces: seats, what becomes of them, and who may see and change them. */
import { describe, expect, test } from "vitest"
import { createAccount } from "../../src/people/createAccount.ts"
import { accept, join, newUser, refusalOf, type User } from "../support/callers.ts"
import { testDatabase } from "../support/database.ts"

const db = await testDatabase()
const noSeat = { code: "BAD_REQUEST", message: "Seats limit reached" }
const noInvitation = { code: "NOT_FOUND", message: "Invitation not found" }
const noWorkspace = { code: "NOT_FOUND", message: "Workspace not found" }

type Role = "ADMIN" | "MEMBER" | "GUEST"

/** A workspace, and its ADMIN, with so many seats. */
async function team(seats = 100) {
  const ann = await newUser(db, { defaultPlan: "UNLIMITED" })
  const { workspace } = await ann.call.workspace.create({ name: "Shared" })
  const workspaceId = workspace.id
  await setWorkspace(workspaceId, { customSeatsLimit: seats })
  const invite = (email: string, type: Role = "MEMBER", { call }: User = ann) =>
    call.workspace.invite({ workspaceId, email, type })
  const listed = async ({ call }: User = ann) =>
    (await call.workspace.listInvitations({ workspaceId })).invitations
  const roleOf = async (email: string) => {
    const { members } = await ann.call.workspace.listMembers({ workspaceId })
    return members.find(({ user }) => user.email === email)?.role
  }
  return { ann, workspaceId, invite, listed, roleOf }
}

async function setWorkspace(
  workspaceId: string,
  columns: { customSeatsLimit: number | null; plan?: "FREE" | "PRO" },
): Promise<void> {
  await db.kysely.updateTable("workspaces").set(columns).where("id", "=", workspaceId).execute()
}

let count = 0
const address = () => `person${++count}@example.com`

describe("an invited person", () => {
  test("waits under the mail address in lower case, with an account or without", async () => {
    const { ann, workspaceId, invite, listed } = await team()
    const { invitation } = await invite("  New.Person@Example.com ", "ADMIN")
    expect(invitation).toMatchObject({ email: "new.person@example.com", type: "ADMIN" })
    const bob = await newUser(db)
    const { invitation: second } = await invite(bob.email.toUpperCase())
    expect(second).toMatchObject({ email: bob.email, type: "MEMBER" })
    expect(await listed()).toEqual([invitation, second])
    await expect(invite("New.Person@example.com.")).rejects.toThrow()
    const { invitation: foreign } = await invite("Zoe@Ä.example")
    expect(foreign).toMatchObject({ email: "zoe@xn--4ca.example" })
    await expect(invite("zoe@a\u0308.Example.")).rejects.toThrow()
    const { members } = await ann.call.workspace.listMembers({ workspaceId })
    expect(members).toHaveLength(1)
    expect(await refusalOf(bob.call.bot.create({ workspaceId, bot: {} }))).toEqual(noWorkspace)
  })

  test("is no member of anything because their account is made", async () => {
    const { invite, listed, roleOf } = await team()
    const email = address()
    await invite(email, "ADMIN")
    await createAccount(db, { email: email.toUpperCase() })
    expect(await roleOf(email)).toBeUndefined()
    expect(await listed()).toHaveLength(1)
  })

  test("twice, or being a member, is refused", async () => {
    const { workspaceId, invite, roleOf } = await team(3)
    const email = address()
    await invite(email)
    const again = { code: "BAD_REQUEST", message: "Already invited" }
    expect(await refusalOf(invite(email.toUpperCase(), "GUEST"))).toEqual(again)
    const bob = await newUser(db)
    await invite(bob.email)
    expect(await refusalOf(invite(bob.email))).toEqual(again)
    await accept(bob, workspaceId)
    const member = { code: "BAD_REQUEST", message: "Already a member" }
    expect(await refusalOf(invite(bob.email, "ADMIN"))).toEqual(member)
    expect(await roleOf(bob.email)).toBe("MEMBER")
  })

  test("needs a mail address and a role", async () => {
    const { ann, workspaceId, invite } = await team()
    for (const email of ["", "nobody", "a@b", `${"x".repeat(250)}@example.com`]) {
      expect((await refusalOf(invite(email))).code, email).toBe("BAD_REQUEST")
    }
    const odd = { workspaceId, email: address(), type: "OWNER" as "ADMIN" }
    expect((await refusalOf(ann.call.workspace.invite(odd))).code).toBe("BAD_REQUEST")
  })
})

describe("seats", () => {
  test("are taken by members and by invitations", async () => {
    const { ann, workspaceId, invite } = await team(3)
    const bob = await newUser(db)
    await invite(bob.email)
    await accept(bob, workspaceId)
    const { invitation } = await invite(address())
    expect(await refusalOf(invite(address()))).toEqual(noSeat)
    expect(await refusalOf(invite((await newUser(db)).email))).toEqual(noSeat)
    const invitationId = invitation.id
    await ann.call.workspace.deleteInvitation({ workspaceId, invitationId })
    await invite(address())
  })

  test("are not needed by guests, until they become more", async () => {
    const { ann, workspaceId, invite } = await team(1)
    const guest = await newUser(db)
    await invite(guest.email, "GUEST")
    const { invitation } = await invite(address(), "GUEST")
    const invitationId = invitation.id
    const promote = () =>
      ann.call.workspace.updateInvitation({ workspaceId, invitationId, type: "MEMBER" })
    expect(await refusalOf(promote())).toEqual(noSeat)
    await setWorkspace(workspaceId, { customSeatsLimit: 2 })
    await promote()
    expect(await refusalOf(invite(address()))).toEqual(noSeat)
  })

  test("are those of the plan unless the workspace has a number of its own", async () => {
    const { workspaceId, invite } = await team()
    await setWorkspace(workspaceId, { plan: "FREE", customSeatsLimit: null })
    expect(await refusalOf(invite(address()))).toEqual(noSeat)
    await setWorkspace(workspaceId, { plan: "PRO", customSeatsLimit: 0 })
    for (let seat = 2; seat <= 5; seat++) await invite(address())
    expect(await refusalOf(invite(address()))).toEqual(noSeat)
    await setWorkspace(workspaceId, { plan: "FREE", customSeatsLimit: 6 })
    await invite(address())
  })

  test("stay valid under a later limit", async () => {
    const { workspaceId, invite, roleOf } = await team(2)
    const bob = await newUser(db)
    await invite(bob.email)
    await setWorkspace(workspaceId, { customSeatsLimit: 1 })
    await accept(bob, workspaceId)
    expect(await roleOf(bob.email)).toBe("MEMBER")
  })

  test("do not go twice to invitations that come at once", async () => {
    const { workspaceId, invite } = await team(3)
    const users = [await newUser(db), await newUser(db)]
    const emails = [address(), address(), address(), ...users.map(({ email }) => email)]
    const refusals = await Promise.all(emails.map((email) => refusalOf(invite(email))))
    expect(refusals.filter(({ code }) => code === "OK")).toHaveLength(2)
    expect(refusals.filter(({ code }) => code !== "OK")).toEqual([noSeat, noSeat, noSeat])
    const { rows } = await db.pool.query<{ seats: number }>(
      `select (select count(*) from workspace_members where workspace_id = $1)
        + (select count(*) from workspace_invitations where workspace_id = $1) as seats`,
      [workspaceId],
    )
    expect(Number(rows[0]?.seats)).toBe(3)
  })

  test("one address that is invited twice at once is invited once", async () => {
    const { invite, listed } = await team()
    const email = address()
    const calls = Array.from({ length: 4 }, () => refusalOf(invite(email)))
    const codes = (await Promise.all(calls)).map(({ code }) => code).sort()
    expect(codes).toEqual(["BAD_REQUEST", "BAD_REQUEST", "BAD_REQUEST", "OK"])
    expect(await listed()).toHaveLength(1)
  })
})

describe("changing invitations", () => {
  test("gives another role, named as type or as role", async () => {
    const { ann, workspaceId, invite, roleOf } = await team()
    const bob = await newUser(db)
    const { invitation } = await invite(bob.email)
    const of = { workspaceId, invitationId: invitation.id }
    const { updateInvitation } = ann.call.workspace
    expect(await updateInvitation({ ...of, type: "GUEST" })).toEqual({ message: "success" })
    expect(await updateInvitation({ ...of, role: "ADMIN" })).toEqual({ message: "success" })
    expect((await refusalOf(updateInvitation(of))).code).toBe("BAD_REQUEST")
    await accept(bob, workspaceId)
    expect(await roleOf(bob.email)).toBe("ADMIN")
    expect(await refusalOf(updateInvitation({ ...of, type: "GUEST" }))).toEqual(noInvitation)
  })

  test("withdraws one, so that it cannot be accepted", async () => {
    const { ann, workspaceId, invite, roleOf } = await team()
    const bob = await newUser(db)
    const { invitation } = await invite(bob.email)
    const { id: invitationId } = invitation
    const of = { workspaceId, invitationId }
    const { deleteInvitation } = ann.call.workspace
    expect(await deleteInvitation(of)).toEqual({ message: "success" })
    expect(await refusalOf(deleteInvitation(of))).toEqual(noInvitation)
    const { acceptInvitation, listInvitations } = bob.call.user
    expect(await refusalOf(acceptInvitation({ invitationId }))).toEqual(noInvitation)
    expect(await listInvitations()).toEqual({ invitations: [] })
    expect(await roleOf(bob.email)).toBeUndefined()
  })
})

test("members of every role see invitations, guests without addresses", async () => {
  const { workspaceId, invite, listed } = await team()
  const { invitation } = await invite(address())
  for (const role of ["MEMBER", "GUEST"] as const) {
    const user = await newUser(db)
    await join(db, user, workspaceId, role)
    const { email: _, ...withoutEmail } = invitation
    expect(await listed(user)).toEqual([role === "GUEST" ? withoutEmail : invitation])
  }
})
