/** Who may do what with a bot. */
import { beforeAll, describe, expect, test } from "vitest"
import type { MemberRole } from "../../src/db/schema/tables.ts"
import { collaborate, join, newUser, refusalOf, type User } from "../support/callers.ts"
import { testDatabase } from "../support/database.ts"
import { group } from "./flows.ts"

const db = await testDatabase()
const notFound = { code: "NOT_FOUND", message: "Bot not found" }

const owner = await newUser(db)
const { workspace } = await owner.call.workspace.create({ name: "W" })
const workspaceId = workspace.id
const secret = await credential(workspaceId)
const groups = [group("g", { id: "w", type: "Webhook", options: { proxyCredentialsId: secret } })]
const { bot } = await owner.call.bot.create({
  workspaceId,
  bot: { groups, resultsTablePreferences: { columnsOrder: ["a"] }, selectedThemeTemplateId: "t" },
})
const botId = bot.id
const people = {
  member: await member("MEMBER"),
  guest: await member("GUEST"),
  reader: await collaborator("READ"),
  writer: await collaborator("WRITE"),
  partner: await collaborator("FULL_ACCESS"),
  operator: await newUser(db, { isPlatformAdmin: true }),
  stranger: await newUser(db),
}

async function member(role: MemberRole): Promise<User> {
  const user = await newUser(db)
  await join(db, user, workspaceId, role)
  return user
}

async function collaborator(type: "READ" | "WRITE" | "FULL_ACCESS"): Promise<User> {
  const user = await member("GUEST")
  await collaborate(db, user, botId, type)
  return user
}

async function credential(ofWorkspaceId: string): Promise<string> {
  const id = `c${Math.random()}`
  const sealed = { data: Buffer.alloc(1), nonce: Buffer.alloc(12), keyId: 1 }
  const row = { id, workspaceId: ofWorkspaceId, type: "smtp", name: "n", ...sealed }
  await db.kysely.insertInto("credentials").values(row).execute()
  return id
}

/** The mode in which each sees the bot, `-` where they see none. */
async function modes(): Promise<Record<string, string>> {
  const entries = Object.entries({ owner, ...people }).map(async ([name, { call }]) => {
    const read = await call.bot.get({ botId }).catch(() => undefined)
    const published = await call.publishedBot.get({ botId }).catch(() => undefined)
    expect(published === undefined).toBe(read === undefined)
    return [name, read?.currentUserMode ?? "-"]
  })
  return Object.fromEntries(await Promise.all(entries))
}

/** Who may change the bot, by name. */
async function writers(): Promise<string[]> {
  const found: string[] = []
  for (const [name, { call }] of Object.entries({ owner, ...people })) {
    const refusal = await refusalOf(call.bot.update({ botId, bot: { icon: name } }))
    if (refusal.code === "OK") found.push(name)
    else expect(refusal).toEqual(notFound)
  }
  return found
}

async function share(isEnabled: boolean): Promise<void> {
  await owner.call.bot.update({ botId, bot: { settings: { publicShare: { isEnabled } } } })
}

async function setWorkspace(columns: {
  isSuspended?: boolean
  isPastDue?: boolean
}): Promise<void> {
  await db.kysely.updateTable("workspaces").set(columns).where("id", "=", workspaceId).execute()
}

const byRole = {
  owner: "write",
  member: "write",
  guest: "-",
  reader: "read",
  writer: "write",
  partner: "write",
  operator: "read",
  stranger: "-",
}

describe("a bot", () => {
  test("is there for members and collaborators, each in their mode", async () => {
    expect(await modes()).toEqual(byRole)
    expect(await refusalOf(people.guest.call.bot.get({ botId }))).toEqual(notFound)
    expect(await refusalOf(owner.call.bot.get({ botId: "none" }))).toEqual(notFound)
  })

  test("is changed by callers with mode write", async () => {
    expect(await writers()).toEqual(["owner", "member", "writer", "partner"])
  })
})

describe("public sharing", () => {
  beforeAll(() => share(true))

  test("allows reading with any token, and writing to its editors only", async () => {
    expect(await modes()).toEqual({ ...byRole, guest: "guest", stranger: "guest" })
    expect(await writers()).toEqual(["owner", "member", "writer", "partner"])
  })

  test("hides credentials and what is the workspace's own", async () => {
    const { bot: full } = await people.reader.call.bot.get({ botId })
    expect(full.groups[0]?.blocks[0]).toMatchObject({ options: { proxyCredentialsId: secret } })
    const { bot: seen } = await people.stranger.call.bot.get({ botId })
    expect(seen).toEqual({
      ...full,
      groups: [group("g", { id: "w", type: "Webhook", options: {} })],
      folderId: null,
      customDomain: null,
      selectedThemeTemplateId: null,
      resultsTablePreferences: null,
      whatsAppCredentialsId: null,
      riskLevel: null,
    })
    expect(full.selectedThemeTemplateId).toBe("t")
    await owner.call.bot.publish({ botId })
    const { publishedBot } = await people.stranger.call.publishedBot.get({ botId })
    expect(publishedBot?.groups).toEqual(seen.groups)
  })

  test("outlives a suspension; roles do not, but for platform admins", async () => {
    const shared = { ...byRole, reader: "guest", writer: "guest", partner: "guest" }
    for (const flag of ["isSuspended", "isPastDue"]) {
      await setWorkspace({ [flag]: true })
      expect(await modes()).toEqual({
        ...shared,
        owner: "guest",
        member: "guest",
        guest: "guest",
        stranger: "guest",
      })
      expect(await writers()).toEqual([])
      await setWorkspace({ [flag]: false })
    }
  })
})

test("without sharing a suspended bot is gone for all but platform admins", async () => {
  await share(false)
  await setWorkspace({ isSuspended: true })
  const everybody = await modes()
  expect(Object.entries(everybody).filter(([, mode]) => mode !== "-")).toEqual([
    ["operator", "read"],
  ])
  await setWorkspace({ isSuspended: false })
})

describe("a workspace", () => {
  const refusal = { code: "NOT_FOUND", message: "Workspace not found" }

  test("lists its bots for members, and to guests only what is shared with them", async () => {
    const listOf = async ({ call }: User) =>
      (await call.bot.list({ workspaceId })).bots.map(({ id, accessRight }) => [id, accessRight])
    expect(await listOf(owner)).toEqual([[botId, "write"]])
    expect(await listOf(people.operator)).toEqual([[botId, "read"]])
    expect(await listOf(people.reader)).toEqual([[botId, "read"]])
    expect(await listOf(people.partner)).toEqual([[botId, "write"]])
    expect(await listOf(people.guest)).toEqual([])
    expect(await refusalOf(people.stranger.call.bot.list({ workspaceId }))).toEqual(refusal)
  })

  test("that is suspended neither lists bots nor takes new ones", async () => {
    await setWorkspace({ isSuspended: true })
    expect(await refusalOf(owner.call.bot.list({ workspaceId }))).toEqual(refusal)
    expect(await refusalOf(owner.call.bot.create({ workspaceId, bot: {} }))).toEqual(refusal)
    await setWorkspace({ isSuspended: false })
  })
})
