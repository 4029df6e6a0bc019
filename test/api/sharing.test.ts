/** Bots are shared with people by address: invited, accepted, changed, ended; and what they may do then. */
import { describe, expect, test } from "vitest"
import { createAccount } from "../../src/people/createAccount.ts"
import { admitProven, isKnownAddress } from "../../src/people/signIn.ts"
import { callerFor, collaborate, join, newUser, refusalOf, type User } from "../support/callers.ts"
import { testDatabase } from "../support/database.ts"
import { untilLockWaits } from "../support/lockWaits.ts"
import { insertDraft } from "../support/people.ts"

// So many that two can wait while a third holds a lock.
const db = await testDatabase({ poolSize: 10 })
const noCollaborator = { code: "NOT_FOUND", message: "Collaborator not found" }
const noInvitation = { code: "NOT_FOUND", message: "Invitation not found" }

/** A bot in a workspace, and its ADMIN, who shares it. */
async function team() {
  const ann = await newUser(db, { defaultPlan: "UNLIMITED" })
  const { workspace } = await ann.call.workspace.create({ name: "Shared" })
  const { id: workspaceId } = workspace
  const botId = await insertDraft(db, { workspaceId })
  const share = async ({ email }: { email: string }, type: "READ" | "WRITE" = "READ") =>
    (await ann.call.collaborator.share({ botId, email, type })).collaborator.id
  const list = async () => (await ann.call.collaborator.list({ botId })).collaborators
  return { ann, workspaceId, botId, share, list }
}

type Shared = Awaited<ReturnType<typeof team>>

/** Somebody who has accepted. */
async function collaborator({ share }: Shared, type: "READ" | "WRITE" = "READ") {
  const bob = await newUser(db)
  await bob.call.user.acceptBotInvitation({ invitationId: await share(bob, type) })
  return bob
}

const rename = ({ call }: User, botId: string) =>
  refusalOf(call.bot.update({ botId, bot: { name: "Renamed" } })).then(({ code }) => code)
const read = ({ call }: User, botId: string) =>
  refusalOf(call.bot.get({ botId })).then(({ code }) => code)

describe("sharing a bot", () => {
  test("gives nothing until the person has accepted, and then no more than was offered", async () => {
    const shared = await team()
    const { ann, workspaceId, botId, share, list } = shared
    const bob = await newUser(db)
    const invitationId = await share({ email: bob.email.toUpperCase() })
    expect(await list()).toMatchObject([
      { id: invitationId, email: bob.email, type: "READ", isPending: true, name: null },
    ])
    expect(await read(bob, botId)).toBe("NOT_FOUND")
    const { invitations } = await bob.call.user.listBotInvitations()
    expect(invitations).toMatchObject([
      { id: invitationId, type: "READ", bot: { id: botId, name: "Bot" } },
    ])
    expect(invitations[0]?.workspace).toEqual({ id: workspaceId, name: "Shared", icon: null })
    expect(await bob.call.user.acceptBotInvitation({ invitationId })).toEqual({
      botId,
      type: "READ",
    })
    expect(await list()).toMatchObject([{ id: bob.id, email: bob.email, isPending: false }])
    expect([await read(bob, botId), await rename(bob, botId)]).toEqual(["OK", "NOT_FOUND"])
    await ann.call.collaborator.update({ botId, collaboratorId: bob.id, type: "WRITE" })
    expect(await rename(bob, botId)).toBe("OK")
    const other = await insertDraft(db, { workspaceId })
    expect(await read(bob, other)).toBe("NOT_FOUND")
  })

  test("refuses those who are there already, and the hundred and first", async () => {
    const shared = await team()
    const { workspaceId, botId, share } = shared
    const reasonOf = (email: string) => refusalOf(share({ email })).then(({ message }) => message)
    const [member, guest] = [await newUser(db), await newUser(db)]
    await join(db, member, workspaceId)
    await join(db, guest, workspaceId, "GUEST")
    expect(await reasonOf(member.email)).toBe("Already a member of the workspace")
    expect(await reasonOf(guest.email)).toBe("")
    expect(await reasonOf(guest.email)).toBe("Already invited")
    const bob = await collaborator(shared)
    expect(await reasonOf(bob.email)).toBe("The bot is shared with this person already")
    await db.pool.query(
      `insert into bot_invitations (id, bot_id, email, type)
      select $1 || i, $1, i || '@example.org', 'READ' from generate_series(1, 97) i`,
      [botId],
    )
    // Both come before either is stored.
    const holder = await db.pool.connect()
    await holder.query("begin")
    await holder.query("select from bots where id = $1 for update", [botId])
    const racing = [reasonOf("one@example.com"), reasonOf("two@example.com")]
    await untilLockWaits(holder, 2)
    await holder.query("commit")
    holder.release()
    const two = await Promise.all(racing)
    expect(two.toSorted()).toEqual(["", "A bot is shared with at most 100 people"])
  })

  test("says nothing about who has an account", async () => {
    const { share, list } = await team()
    const bob = await newUser(db)
    for (const email of [bob.email, `nobody.${bob.email}`]) await share({ email })
    const seen = (await list()).map(({ id: _, email: __, createdAt, updatedAt, ...rest }) => rest)
    expect(seen[0]).toEqual(seen[1])
  })

  test("is in the audit log: who has invited, and who has accepted under which id", async () => {
    const shared = await team()
    const { ann, workspaceId, botId } = shared
    const bob = await collaborator(shared)
    await ann.call.collaborator.remove({ botId, collaboratorId: bob.id })
    const { entries } = await ann.call.workspace.listAuditLog({ workspaceId })
    const about = entries.flatMap(({ operation, target, user }) =>
      "botId" in target
        ? [[operation, user?.id, target.collaboratorId ?? target.invitationId]]
        : [],
    )
    const invitationId = about.at(-1)?.[2]
    expect(about).toEqual([
      ["removeCollaborator", ann.id, bob.id],
      ["acceptBotInvitation", bob.id, invitationId],
      ["shareBot", ann.id, invitationId],
    ])
  })
})

describe("an invitation to a bot", () => {
  test("is for the address that it names, once", async () => {
    const { botId, share } = await team()
    const [bob, eve] = [await newUser(db), await newUser(db)]
    const invitationId = await share(bob)
    const accept = ({ call }: User) => refusalOf(call.user.acceptBotInvitation({ invitationId }))
    const decline = ({ call }: User) => refusalOf(call.user.declineBotInvitation({ invitationId }))
    expect([await accept(eve), await decline(eve)]).toEqual([noInvitation, noInvitation])
    expect((await eve.call.user.listBotInvitations()).invitations).toEqual([])
    expect((await decline(bob)).code).toBe("OK")
    expect([await accept(bob), await decline(bob)]).toEqual([noInvitation, noInvitation])
    expect(await read(bob, botId)).toBe("NOT_FOUND")
  })

  test("is withdrawn, or goes with its bot", async () => {
    const { ann, botId, share } = await team()
    const bob = await newUser(db)
    const first = await share(bob)
    await ann.call.collaborator.remove({ botId, collaboratorId: first })
    const accept = (invitationId: string) =>
      refusalOf(bob.call.user.acceptBotInvitation({ invitationId }))
    expect(await accept(first)).toEqual(noInvitation)
    const second = await share(bob)
    await db.kysely.updateTable("bots").set({ isArchived: true }).where("id", "=", botId).execute()
    expect((await bob.call.user.listBotInvitations()).invitations).toEqual([])
    expect(await accept(second)).toEqual(noInvitation)
    await db.kysely.deleteFrom("bots").where("id", "=", botId).execute()
    const left = db.kysely.selectFrom("botInvitations").select("id").where("botId", "=", botId)
    expect(await left.execute()).toEqual([])
  })

  test("waits for an account that is made later, or makes it at the first sign-in", async () => {
    const { botId, share, list } = await team()
    const later = `later.${botId}@example.com`
    const invitationId = await share({ email: later })
    await createAccount(db, { email: later })
    const row = db.kysely.selectFrom("users").select("id").where("email", "=", later)
    const { id } = await row.executeTakeFirstOrThrow()
    const call = callerFor(db, { id, email: later, isPlatformAdmin: false, tokenId: id })
    await call.user.acceptBotInvitation({ invitationId })
    const first = `first.${botId}@example.com`
    expect(await isKnownAddress(db, first)).toBe(false)
    await share({ email: first })
    expect(await isKnownAddress(db, first)).toBe(true)
    const userId = await admitProven(db, { email: first, mayRegister: false })
    expect((await list()).map((each) => [each.id, each.isPending])).toEqual([
      [id, false],
      [userId, false],
    ])
  })

  test("does not bring a member back who was removed", async () => {
    const { ann, workspaceId, share } = await team()
    const bob = await newUser(db)
    await join(db, bob, workspaceId, "GUEST")
    const invitationId = await share(bob)
    await ann.call.workspace.deleteMember({ workspaceId, userId: bob.id })
    const late = refusalOf(bob.call.user.acceptBotInvitation({ invitationId }))
    expect(await late).toEqual(noInvitation)
  })

  test("does not keep a member who accepts while they are removed", async () => {
    const { ann, workspaceId, botId, share, list } = await team()
    const bob = await newUser(db)
    await join(db, bob, workspaceId, "GUEST")
    const invitationId = await share(bob)
    const holder = await db.pool.connect()
    await holder.query("begin")
    await holder.query("select id from users where id = $1 for update", [bob.id])
    const accepting = bob.call.user.acceptBotInvitation({ invitationId })
    await untilLockWaits(holder)
    const removing = ann.call.workspace.deleteMember({ workspaceId, userId: bob.id })
    await untilLockWaits(holder, 2)
    await holder.query("commit")
    holder.release()
    await Promise.all([accepting, removing])
    expect(await list()).toEqual([])
    expect(await read(bob, botId)).toBe("NOT_FOUND")
  })
})

describe("a collaboration", () => {
  test("ends at once, with its previews", async () => {
    const shared = await team()
    const { ann, workspaceId, botId } = shared
    const bob = await collaborator(shared, "WRITE")
    const preview = (id: string) => ({
      ...{ id: `${botId}-${id}`, workspaceId, botId, ownerUserId: bob.id },
      ...{ flowHash: Buffer.alloc(32), state: "{}" },
    })
    const start = (id: string) =>
      db.kysely.insertInto("previewSessions").values(preview(id)).execute()
    const previews = async () => {
      const found = db.kysely.selectFrom("previewSessions").select("id")
      return (await found.where("botId", "=", botId).execute()).length
    }
    const address = { botId, collaboratorId: bob.id }
    await start("1")
    await ann.call.collaborator.update({ ...address, type: "READ" })
    expect([await previews(), await rename(bob, botId)]).toEqual([0, "NOT_FOUND"])
    await start("2")
    await ann.call.collaborator.remove(address)
    expect([await previews(), await read(bob, botId)]).toEqual([0, "NOT_FOUND"])
    expect(await refusalOf(ann.call.collaborator.remove(address))).toEqual(noCollaborator)
    const change = ann.call.collaborator.update({ ...address, type: "READ" })
    expect(await refusalOf(change)).toEqual(noCollaborator)
  })

  test("goes with the account, and is not changed through another bot", async () => {
    const shared = await team()
    const { ann, workspaceId, botId, list } = shared
    const bob = await collaborator(shared)
    const other = { botId: await insertDraft(db, { workspaceId }), collaboratorId: bob.id }
    expect(await refusalOf(ann.call.collaborator.remove(other))).toEqual(noCollaborator)
    const change = ann.call.collaborator.update({ ...other, type: "WRITE" })
    expect(await refusalOf(change)).toEqual(noCollaborator)
    expect(await read(bob, botId)).toBe("OK")
    await db.kysely.deleteFrom("users").where("id", "=", bob.id).execute()
    expect(await list()).toEqual([])
  })
})

test("the bots shared with a user are listed page by page, and no others", async () => {
  const bob = await newUser(db)
  const { workspaceId } = await team()
  const botIds: string[] = []
  for (const type of ["READ", "WRITE", "FULL_ACCESS"] as const) {
    const botId = await insertDraft(db, { workspaceId })
    await collaborate(db, bob, botId, type)
    botIds.push(botId)
  }
  const [gone, closed, own] = [await team(), await team(), await team()]
  for (const { botId } of [gone, closed, own]) await collaborate(db, bob, botId, "READ")
  const bots = db.kysely.updateTable("bots").where("id", "=", gone.botId)
  await bots.set({ isArchived: true }).execute()
  const workspaces = db.kysely.updateTable("workspaces").where("id", "=", closed.workspaceId)
  await workspaces.set({ isPastDue: true }).execute()
  await join(db, bob, own.workspaceId)
  const { bots: first, nextCursor } = await bob.call.user.listSharedBots({ limit: 2 })
  const { bots: rest } = await bob.call.user.listSharedBots({ limit: 2, cursor: nextCursor })
  const seen = [...first, ...rest]
  expect([first.length, rest.length]).toEqual([2, 1])
  expect(seen.map(({ id }) => id).toSorted()).toEqual(botIds.toSorted())
  const rights = new Map(seen.map(({ id, accessRight }) => [id, accessRight]))
  expect(botIds.map((id) => rights.get(id))).toEqual(["read", "write", "write"])
})
