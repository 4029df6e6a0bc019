/** Workspaces: who makes, sees and lists them. */
import { describe, expect, test } from "vitest"
import { callerFor, join, newUser, refusalOf } from "../support/callers.ts"
import { testDatabase } from "../support/database.ts"

const db = await testDatabase()
const notFound = { code: "NOT_FOUND", message: "Workspace not found" }

test("every call needs a token", async () => {
  const nobody = callerFor(db, undefined)
  const calls = [
    nobody.workspace.create({ name: "W" }),
    nobody.workspace.get({ workspaceId: "w" }),
    nobody.workspace.list(),
    nobody.bot.get({ botId: "b" }),
    nobody.publishedBot.get({ botId: "b" }),
  ]
  for (const call of calls) expect((await refusalOf(call)).code).toBe("UNAUTHORIZED")
})

describe("creating a workspace", () => {
  test("makes the caller its admin on the default plan", async () => {
    const ann = await newUser(db, { defaultPlan: "PRO" })
    const { workspace } = await ann.call.workspace.create({ name: "  Ann's  ", icon: null })
    expect(workspace).toMatchObject({
      name: "Ann's",
      icon: null,
      plan: "PRO",
      stripeId: null,
      settings: null,
      isSuspended: false,
      isPastDue: false,
      isVerified: null,
      chatsHardLimit: null,
      lastActivityAt: null,
      inactiveFirstEmailSentAt: null,
      inactiveSecondEmailSentAt: null,
    })
    expect(workspace).not.toHaveProperty("customChatsLimit")
    expect(workspace).not.toHaveProperty("customSeatsLimit")
    expect(workspace).not.toHaveProperty("isQuarantined")
    expect(workspace.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    const { currentUserMode } = await ann.call.workspace.get({ workspaceId: workspace.id })
    expect(currentUserMode).toBe("write")
  })

  test("gives platform admins the unlimited plan", async () => {
    const operator = await newUser(db, { isPlatformAdmin: true })
    const { workspace } = await operator.call.workspace.create({ name: "W" })
    expect(workspace.plan).toBe("UNLIMITED")
  })

  test("refuses a name that the caller has, in any role", async () => {
    const [ann, bob] = [await newUser(db), await newUser(db)]
    const { workspace } = await ann.call.workspace.create({ name: "Taken" })
    const refusal = { code: "CONFLICT", message: "Workspace with same name already exists" }
    expect(await refusalOf(ann.call.workspace.create({ name: "Taken" }))).toEqual(refusal)
    await join(db, bob, workspace.id, "GUEST")
    expect(await refusalOf(bob.call.workspace.create({ name: "Taken" }))).toEqual(refusal)
    await bob.call.workspace.create({ name: "taken" })
  })

  test("lets one of several simultaneous calls have the name", async () => {
    const ann = await newUser(db)
    const calls = Array.from({ length: 4 }, () =>
      refusalOf(ann.call.workspace.create({ name: "Race" })),
    )
    const codes = (await Promise.all(calls)).map(({ code }) => code)
    expect(codes.sort()).toEqual(["CONFLICT", "CONFLICT", "CONFLICT", "OK"])
    expect((await ann.call.workspace.list()).workspaces).toHaveLength(1)
  })

  test("refuses blank and overlong names", async () => {
    const ann = await newUser(db)
    for (const name of ["", "   ", "x".repeat(256)]) {
      expect((await refusalOf(ann.call.workspace.create({ name }))).code).toBe("BAD_REQUEST")
    }
  })
})

describe("reading workspaces", () => {
  test("returns its mode to every role, and nothing to strangers", async () => {
    const ann = await newUser(db)
    const { workspace } = await ann.call.workspace.create({ name: "Shared", icon: "🙂" })
    const workspaceId = workspace.id
    const [member, guest, stranger] = [await newUser(db), await newUser(db), await newUser(db)]
    const operator = await newUser(db, { isPlatformAdmin: true })
    await join(db, member, workspaceId, "MEMBER")
    await join(db, guest, workspaceId, "GUEST")
    const modeOf = async ({ call }: typeof ann) =>
      (await call.workspace.get({ workspaceId })).currentUserMode
    expect(await modeOf(ann)).toBe("write")
    expect(await modeOf(member)).toBe("read")
    expect(await modeOf(guest)).toBe("guest")
    expect(await modeOf(operator)).toBe("guest")
    expect(await refusalOf(stranger.call.workspace.get({ workspaceId }))).toEqual(notFound)
    expect(await refusalOf(ann.call.workspace.get({ workspaceId: "none" }))).toEqual(notFound)
    expect((await member.call.workspace.get({ workspaceId })).workspace).toEqual({
      ...workspace,
      customChatsLimit: null,
      customSeatsLimit: null,
    })
  })

  test("opens bots and names of credentials to platform admins, also while it is suspended", async () => {
    const ann = await newUser(db)
    const operator = await newUser(db, { isPlatformAdmin: true })
    const { workspace } = await ann.call.workspace.create({ name: "Suspended for a look" })
    const workspaceId = workspace.id
    const suspended = { isSuspended: true }
    await db.kysely.updateTable("workspaces").set(suspended).where("id", "=", workspaceId).execute()
    expect(await operator.call.bot.list({ workspaceId })).toEqual({ bots: [] })
    expect(await operator.call.credentials.list({ workspaceId })).toEqual({ credentials: [] })
    expect(await refusalOf(ann.call.bot.list({ workspaceId }))).toEqual(notFound)
  })

  test("works while the workspace is suspended, and writes nothing", async () => {
    const ann = await newUser(db)
    const { workspace } = await ann.call.workspace.create({ name: "Suspended" })
    const suspended = { isSuspended: true, isPastDue: true }
    await db.kysely
      .updateTable("workspaces")
      .set(suspended)
      .where("id", "=", workspace.id)
      .execute()
    const first = await ann.call.workspace.get({ workspaceId: workspace.id })
    expect(first.workspace).toMatchObject(suspended)
    expect(await ann.call.workspace.get({ workspaceId: workspace.id })).toEqual(first)
  })

  test.each(["isSuspended", "isPastDue"])("lists and changes nothing while %s", async (flag) => {
    const { call } = await newUser(db)
    const { workspace } = await call.workspace.create({ name: "W" })
    const workspaceId = workspace.id
    const { folder } = await call.folder.create({ workspaceId, name: "F" })
    const folderId = folder.id
    const attempts = {
      list: () => call.bot.list({ workspaceId }),
      create: () => call.bot.create({ workspaceId, bot: {} }),
      folders: () => call.folder.list({ workspaceId }),
      folder: () => call.folder.create({ workspaceId, name: "Other" }),
      rename: () => call.folder.update({ workspaceId, folderId, name: "New" }),
      themes: () => call.themeTemplate.list({ workspaceId }),
      credentials: () => call.credentials.list({ workspaceId }),
    }
    const outcomes = async () => {
      const codes: Record<string, string> = {}
      for (const [name, attempt] of Object.entries(attempts)) {
        codes[name] = (await refusalOf(attempt())).code
      }
      return codes
    }
    const allOf = (code: string) => Object.fromEntries(Object.keys(attempts).map((k) => [k, code]))
    expect(await outcomes()).toEqual(allOf("OK"))
    const set = (isBlocked: boolean) =>
      db.kysely
        .updateTable("workspaces")
        .set({ [flag]: isBlocked })
        .where("id", "=", workspaceId)
        .execute()
    await set(true)
    expect(await outcomes()).toEqual(allOf("NOT_FOUND"))
    await set(false)
    expect(await outcomes()).toEqual(allOf("OK"))
  })

  test("lists the caller's own, oldest first", async () => {
    const [ann, bob] = [await newUser(db), await newUser(db)]
    const { workspace: first } = await ann.call.workspace.create({ name: "First" })
    const { workspace: second } = await bob.call.workspace.create({ name: "Second", icon: "x" })
    await bob.call.workspace.create({ name: "Bob's" })
    await join(db, ann, second.id, "GUEST")
    const line = ({ id, name, icon, plan }: typeof first, role: string) => ({
      ...{ id, name, icon, plan },
      role,
    })
    expect(await ann.call.workspace.list()).toEqual({
      workspaces: [line(first, "ADMIN"), line(second, "GUEST")],
    })
  })

  test("a bot made in it counts as activity, at most once a day", async () => {
    const ann = await newUser(db)
    const { workspace } = await ann.call.workspace.create({ name: "Active" })
    const inactiveFirstEmailSentAt = new Date()
    const row = db.kysely.updateTable("workspaces").where("id", "=", workspace.id)
    await row.set({ inactiveFirstEmailSentAt }).execute()
    const activity = async () => {
      await ann.call.bot.create({ workspaceId: workspace.id, bot: {} })
      const read = await ann.call.workspace.get({ workspaceId: workspace.id })
      expect(read.workspace.inactiveFirstEmailSentAt).toBeNull()
      return read.workspace.lastActivityAt
    }
    const first = await activity()
    expect(first).not.toBeNull()
    expect(await activity()).toBe(first)
    await row.set({ lastActivityAt: new Date(Date.now() - 25 * 3600 * 1000) }).execute()
    const next = await activity()
    expect(next && first && next >= first).toBe(true)
  })
})
