/** Members of workspaces: who sees and changes them, seats, and that an ADMIN always remains. */
import { beforeEach, describe, expect, test } from "vitest"
import { collaborate, join, newUser, refusalOf, type User } from "../support/callers.ts"
import { testDatabase } from "../support/database.ts"
import { insertDraft } from "../support/people.ts"

const db = await testDatabase()
const lastAdmin = {
  code: "BAD_REQUEST",
  message: "The last ADMIN cannot be removed or demoted",
}
const onlyAdmins = { code: "FORBIDDEN", message: "Only an ADMIN may do this" }
const noWorkspace = { code: "NOT_FOUND", message: "Workspace not found" }
const noMember = { code: "NOT_FOUND", message: "Member not found" }
const noSeat = { code: "BAD_REQUEST", message: "Seats limit reached" }

let ann: User
let bob: User
let gus: User
let workspaceId: string

beforeEach(async () => {
  ann = await newUser(db, { defaultPlan: "UNLIMITED" })
  bob = await newUser(db)
  gus = await newUser(db)
  workspaceId = (await ann.call.workspace.create({ name: "Shared" })).workspace.id
  await join(db, bob, workspaceId, "MEMBER")
  await join(db, gus, workspaceId, "GUEST")
})

const setRole = (by: User, of: User, role: "ADMIN" | "MEMBER" | "GUEST") =>
  by.call.workspace.updateMember({ workspaceId, userId: of.id, role })

const remove = (by: User, of: User) =>
  by.call.workspace.deleteMember({ workspaceId, userId: of.id })

async function roles(): Promise<Record<string, string>> {
  const rows = await db.kysely
    .selectFrom("workspaceMembers")
    .select(["userId", "role"])
    .where("workspaceId", "=", workspaceId)
    .execute()
  return Object.fromEntries(rows.map(({ userId, role }) => [userId, role]))
}

/** Says that people joined a minute after each other, where the test needs their order. */
async function joinInTurn(users: User[]): Promise<void> {
  for (const [minute, { id }] of users.entries()) {
    const row = db.kysely.updateTable("workspaceMembers").where("userId", "=", id)
    await row.set({ createdAt: new Date(Date.UTC(2026, 0, 1, 0, minute)) }).execute()
  }
}

async function setSeats(customSeatsLimit: number): Promise<void> {
  const row = db.kysely.updateTable("workspaces").where("id", "=", workspaceId)
  await row.set({ customSeatsLimit }).execute()
}

test("guests see who the members are, and no mail address but their own", async () => {
  const operator = await newUser(db, { isPlatformAdmin: true })
  await joinInTurn([gus, ann, bob])
  const line = ({ id, email }: User, role: string) => ({
    workspaceId,
    userId: id,
    role,
    user: { name: null, email, image: null },
  })
  const members = [line(gus, "GUEST"), line(ann, "ADMIN"), line(bob, "MEMBER")]
  for (const { call } of [ann, bob, operator]) {
    expect(await call.workspace.listMembers({ workspaceId })).toEqual({ members })
  }
  const shown = members.map(({ user: { email, ...user }, ...member }) => ({
    ...member,
    user: member.userId === gus.id ? { ...user, email } : user,
  }))
  const seen = await gus.call.workspace.listMembers({ workspaceId })
  expect(seen).toEqual({ members: shown })
  expect(JSON.stringify(seen)).not.toContain(ann.email)
  const stranger = await newUser(db)
  expect(await refusalOf(stranger.call.workspace.listMembers({ workspaceId }))).toEqual(noWorkspace)
})

test("a person who is no member cannot be changed or removed", async () => {
  const stranger = await newUser(db)
  expect(await refusalOf(setRole(ann, stranger, "ADMIN"))).toEqual(noMember)
  expect(await refusalOf(remove(ann, stranger))).toEqual(noMember)
})

test("a role decides from the next call on what a member may do", async () => {
  const create = () => bob.call.bot.create({ workspaceId, bot: {} })
  await create()
  expect(await setRole(ann, bob, "GUEST")).toEqual({ message: "success" })
  expect(await refusalOf(create())).toEqual(noWorkspace)
  await setRole(ann, bob, "ADMIN")
  await create()
  expect(await setRole(bob, ann, "MEMBER")).toEqual({ message: "success" })
  expect(await refusalOf(remove(ann, gus))).toEqual(onlyAdmins)
})

describe("a member who is removed or becomes a guest", () => {
  test("has no access from the next call on, not even to bots that were shared", async () => {
    const botId = await insertDraft(db, { workspaceId })
    const elsewhere = await ann.call.workspace.create({ name: "Elsewhere" })
    const otherId = await insertDraft(db, { workspaceId: elsewhere.workspace.id })
    await collaborate(db, bob, botId, "WRITE")
    await collaborate(db, bob, otherId, "READ")
    await bob.call.bot.get({ botId })
    expect(await remove(ann, bob)).toEqual({ message: "success" })
    expect((await refusalOf(bob.call.bot.get({ botId }))).code).toBe("NOT_FOUND")
    expect(await refusalOf(bob.call.workspace.get({ workspaceId }))).toEqual(noWorkspace)
    expect((await bob.call.workspace.list()).workspaces).toEqual([])
    expect((await bob.call.bot.get({ botId: otherId })).currentUserMode).toBe("read")
  })

  test.each([
    ["is removed", () => remove(ann, bob)],
    ["becomes a guest", () => setRole(ann, bob, "GUEST")],
  ])("who %s loses running previews of the workspace and no others", async (_, lose) => {
    const preview = (id: string, owner: User, of: string) => ({
      id,
      workspaceId: of,
      ownerUserId: owner.id,
      flowHash: Buffer.alloc(32),
      state: "{}",
    })
    const previews = [
      preview(`${workspaceId}-1`, bob, workspaceId),
      preview(`${workspaceId}-2`, bob, "another"),
      preview(`${workspaceId}-3`, ann, workspaceId),
    ]
    await db.kysely.insertInto("previewSessions").values(previews).execute()
    await lose()
    const left = await db.kysely
      .selectFrom("previewSessions")
      .select("id")
      .where("id", "like", `${workspaceId}-%`)
      .orderBy("id")
      .execute()
    expect(left.map(({ id }) => id)).toEqual([`${workspaceId}-2`, `${workspaceId}-3`])
  })
})

describe("an ADMIN always remains", () => {
  test("the last one is neither demoted nor removed", async () => {
    expect(await refusalOf(setRole(ann, ann, "MEMBER"))).toEqual(lastAdmin)
    expect(await refusalOf(setRole(ann, ann, "GUEST"))).toEqual(lastAdmin)
    expect(await refusalOf(remove(ann, ann))).toEqual(lastAdmin)
    await setRole(ann, ann, "ADMIN")
    await setRole(ann, bob, "ADMIN")
    await remove(ann, ann)
    expect(await roles()).toEqual({ [bob.id]: "ADMIN", [gus.id]: "GUEST" })
  })

  test("when two remove one another at once, one of them is still there", async () => {
    for (const change of [remove, (by: User, of: User) => setRole(by, of, "MEMBER")]) {
      for (let round = 0; round < 4; round++) {
        const eve = await newUser(db)
        await join(db, eve, workspaceId, "ADMIN")
        const codes = await Promise.all([refusalOf(change(ann, eve)), refusalOf(change(eve, ann))])
        expect(codes.map(({ code }) => code === "OK").sort()).toEqual([false, true])
        const admins = Object.entries(await roles()).filter(([, role]) => role === "ADMIN")
        expect(admins).toHaveLength(1)
        await db.kysely
          .deleteFrom("workspaceMembers")
          .where("workspaceId", "=", workspaceId)
          .where("userId", "in", [ann.id, eve.id])
          .execute()
        await join(db, ann, workspaceId, "ADMIN")
      }
    }
  })
})

describe("a guest who becomes more", () => {
  test("needs a free seat", async () => {
    await setSeats(2)
    expect(await refusalOf(setRole(ann, gus, "MEMBER"))).toEqual(noSeat)
    await setRole(ann, bob, "ADMIN")
    await setSeats(3)
    await setRole(ann, gus, "MEMBER")
  })

  test("is free when a member is demoted or removed", async () => {
    await setSeats(2)
    await setRole(ann, bob, "GUEST")
    await setRole(ann, gus, "MEMBER")
    expect(await refusalOf(setRole(ann, bob, "MEMBER"))).toEqual(noSeat)
    await remove(ann, gus)
    await setRole(ann, bob, "MEMBER")
  })

  test("does not share the last seat with another", async () => {
    const guests = [gus, await newUser(db), await newUser(db), await newUser(db)]
    for (const guest of guests.slice(1)) await join(db, guest, workspaceId, "GUEST")
    await setSeats(3)
    const calls = guests.map((guest) => refusalOf(setRole(ann, guest, "MEMBER")))
    const codes = (await Promise.all(calls)).map(({ code }) => code)
    expect(codes.filter((code) => code === "OK")).toHaveLength(1)
  })
})
