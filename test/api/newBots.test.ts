/** Bots made from nothing and from files. */
import { describe, expect, test } from "vitest"
import { newId } from "../../src/lib/ids.ts"
import type { Plan } from "../../src/lib/plans.ts"
import { describeRefusal } from "../../src/routers/refusal.ts"
import { newUser, refusalOf } from "../support/callers.ts"
import { testDatabase } from "../support/database.ts"
import { ask, group, oldFlow, startEvent } from "./flows.ts"

const db = await testDatabase()

async function place(defaultPlan: Plan = "FREE") {
  const owner = await newUser(db, { defaultPlan })
  const { workspace } = await owner.call.workspace.create({ name: "W" })
  return { call: owner.call, workspaceId: workspace.id }
}

async function folder(workspaceId: string): Promise<string> {
  const id = newId()
  await db.kysely.insertInto("folders").values({ id, workspaceId, name: "F" }).execute()
  return id
}

async function credential(workspaceId: string): Promise<string> {
  const id = newId()
  const sealed = { data: Buffer.alloc(1), nonce: Buffer.alloc(12), keyId: 1 }
  const row = { id, workspaceId, type: "smtp", name: "n", ...sealed }
  await db.kysely.insertInto("credentials").values(row).execute()
  return id
}

describe("creating a bot", () => {
  test("starts with a start event, the badge of the free plan, and nothing else", async () => {
    const { call, workspaceId } = await place()
    const { bot } = await call.bot.create({ workspaceId, bot: {} })
    expect(bot).toEqual({
      version: "6.1",
      id: expect.stringMatching(/^[a-z0-9]{24}$/),
      name: "My bot",
      events: [{ id: expect.any(String), type: "start", graphCoordinates: { x: 0, y: 0 } }],
      groups: [],
      edges: [],
      variables: [],
      theme: {},
      settings: { general: { isBrandingEnabled: true } },
      selectedThemeTemplateId: null,
      createdAt: expect.any(String),
      updatedAt: bot.createdAt,
      revision: 1,
      icon: null,
      folderId: null,
      publicId: null,
      customDomain: null,
      workspaceId,
      resultsTablePreferences: null,
      isArchived: false,
      isClosed: false,
      whatsAppCredentialsId: null,
      riskLevel: null,
    })
    expect(await call.bot.get({ botId: bot.id })).toEqual({ bot, currentUserMode: "write" })
  })

  test("keeps what it is given, and takes a folder of its workspace only", async () => {
    const { call, workspaceId } = await place("PRO")
    const given = {
      name: "Mine",
      icon: "🙂",
      publicId: `mine-${newId()}`,
      folderId: await folder(workspaceId),
      resultsTablePreferences: {
        columnsOrder: ["a"],
        columnsVisibility: {},
        columnsWidth: { a: 1 },
      },
    }
    expect((await call.bot.create({ workspaceId, bot: given })).bot).toMatchObject(given)
    const foreign = await folder((await place()).workspaceId)
    const { bot } = await call.bot.create({ workspaceId, bot: { folderId: foreign } })
    expect(bot).toMatchObject({ folderId: null, settings: {} })
  })

  test("refuses public ids that are taken, malformed or taken at the same moment", async () => {
    const { call, workspaceId } = await place()
    const create = (publicId: string) =>
      refusalOf(call.bot.create({ workspaceId, bot: { publicId } }))
    const free = `race-${newId()}`
    const race = await Promise.all([create(free), create(free), create(free)])
    expect(race.map(({ code }) => code).sort()).toEqual(["CONFLICT", "CONFLICT", "OK"])
    expect(await create(free)).toMatchObject({ message: "This public id is taken: choose another" })
    expect((await call.bot.publicIdAvailability({ publicId: free })).isAvailable).toBe(false)
    for (const publicId of ["", "Upper", "-x", "a--b", "a b", "é", "x".repeat(256)]) {
      expect(await create(publicId)).toMatchObject({
        message: expect.stringMatching(/^A public id has only a to z/),
      })
      expect((await call.bot.publicIdAvailability({ publicId })).isAvailable).toBe(false)
    }
    const other = { publicId: `free-${newId()}-` }
    expect((await call.bot.publicIdAvailability(other)).isAvailable).toBe(true)
  })
})

describe("importing a bot", () => {
  test("makes a new bot with the ids of the file and none of its standing", async () => {
    const { call, workspaceId } = await place("PRO")
    const file = {
      id: "theirs",
      workspaceId: "theirs",
      version: "6" as const,
      name: "From file",
      publicId: "theirs",
      customDomain: "theirs.com",
      isClosed: true,
      isArchived: true,
      riskLevel: 90,
      events: [startEvent],
      groups: [group("g", ask("q", "v"))],
      edges: [{ id: "e0", from: { eventId: "ev" }, to: { groupId: "g" } }],
      variables: [{ id: "v", name: "V" }],
      theme: {},
      settings: { publicShare: { isEnabled: true }, whatsApp: { isEnabled: true } },
    }
    const { bot } = await call.bot.import({ workspaceId, bot: file, fromTemplate: "t" })
    const { events, groups, edges } = file
    expect(bot).toMatchObject({ version: "6", name: "From file", events, groups, edges })
    expect(bot).toMatchObject({ workspaceId, publicId: null, customDomain: null, riskLevel: null })
    expect(bot).toMatchObject({ isClosed: false, isArchived: false })
    expect(bot.settings).toEqual({ whatsApp: { isEnabled: false } })
    expect(bot.id).not.toBe("theirs")
    expect((await call.publishedBot.get({ botId: bot.id })).publishedBot).toBeNull()
    const again = await call.bot.import({ workspaceId, bot: file })
    expect(again.bot.id).not.toBe(bot.id)
  })

  test("keeps the widths of columns in a file, in changes and in what is read", async () => {
    const { call, workspaceId } = await place("PRO")
    const widths = (columnsWidth: Record<string, number>) => ({
      resultsTablePreferences: {
        columnsOrder: ["a"],
        columnsVisibility: { a: true },
        columnsWidth,
      },
    })
    const file = { version: "6" as const, events: [startEvent], ...widths({ a: 120, b: 80.5 }) }
    const { bot } = await call.bot.import({ workspaceId, bot: file })
    expect(bot).toMatchObject(widths({ a: 120, b: 80.5 }))
    await call.bot.update({ botId: bot.id, bot: widths({ c: 200 }) })
    const read = await call.bot.get({ botId: bot.id })
    expect(read.bot).toMatchObject(widths({ c: 200 }))
    const copy = await call.bot.import({ workspaceId, bot: read.bot })
    expect(copy.bot.resultsTablePreferences).toEqual(read.bot.resultsTablePreferences)
  })

  test("answers with what is stored, in the order of the file", async () => {
    const { call, workspaceId } = await place("PRO")
    const say = (text: string) => ({ type: "p", children: [{ text }] })
    const richText = ["a\nb", '"\\n\\"', "\u2028 \u0085 🙂", "\ttab"].map(say)
    const odd = { id: "odd", type: "of the future", numbers: [1e2, 1.5e-7, 2 ** 60, 0.1], no: null }
    const groups = Array.from({ length: 30 }, (_, n) =>
      group(`g${29 - n}`, { id: `b${n}`, type: "text", content: { richText } }, { ...odd, n }),
    )
    const edges = groups.map((_, n) => ({
      id: `e${n}`,
      from: { blockId: `b${n}` },
      to: { groupId: "g0" },
    }))
    const file = { events: [startEvent], groups, edges }
    const { bot } = await call.bot.import({ workspaceId, bot: file })
    expect(bot.groups).toEqual(groups)
    expect((await call.bot.get({ botId: bot.id })).bot).toEqual(bot)
    const changes = { name: "New", groups: groups.toReversed() }
    const changed = (await call.bot.update({ botId: bot.id, bot: changes })).bot
    expect(changed).toMatchObject({ ...changes, edges: bot.edges })
    expect((await call.bot.get({ botId: bot.id })).bot).toEqual(changed)
    const emptied = await call.bot.update({ botId: bot.id, bot: { groups: [], edges: [] } })
    expect((await call.bot.get({ botId: bot.id })).bot).toEqual(emptied.bot)
  })

  test("converts old files and says when they have no start", async () => {
    const { call, workspaceId } = await place()
    const { bot } = await call.bot.import({ workspaceId, bot: oldFlow })
    expect(bot).toMatchObject({ version: "6.1", events: [{ id: "a", outgoingEdgeId: "e0" }] })
    expect(await refusalOf(call.bot.import({ workspaceId, bot: { groups: [] } }))).toEqual({
      code: "BAD_REQUEST",
      message: "Invalid bot file: start event is missing",
    })
  })

  test("names group and block of what it refuses", async () => {
    const { call, workspaceId } = await place()
    const wrong = { id: "m", type: "Email", options: { subject: 5 } }
    const bot = {
      events: [startEvent],
      groups: [group("g"), group("contact", ask("q", "v"), wrong)],
    }
    const input = { workspaceId, bot }
    const error = await call.bot.import(input).catch((thrown: unknown) => thrown)
    expect(describeRefusal(error, { input })).toMatchObject({
      status: 400,
      code: "BAD_REQUEST",
      message:
        "`bot.groups[1].blocks[1].options.subject` must be a string, not a number, " +
        'in Group "CONTACT" › block 2 "Email"',
      issues: [
        {
          message: "must be a string, not a number",
          path: ["bot", "groups", 1, "blocks", 1, "options", "subject"],
          code: "invalid_type",
          place: 'Group "CONTACT" › block 2 "Email"',
        },
      ],
    })
  })

  test("1.6 takes away credentials of others and keeps the workspace's own", async () => {
    const paid = await place("STARTER")
    const own = await credential(paid.workspaceId)
    const foreign = await credential((await place()).workspaceId)
    const blocks = [own, foreign, "default"].map((credentialsId) => ({
      id: `m-${credentialsId}`,
      type: "Email",
      options: { credentialsId, subject: "S" },
    }))
    const alien = { id: "u", type: "hologram", options: { credentialsId: foreign, a: 1 } }
    const file = { events: [startEvent], groups: [group("g", ...blocks, alien)] }
    const kept = async ({ call, workspaceId }: typeof paid) =>
      (await call.bot.import({ workspaceId, bot: file })).bot.groups[0]?.blocks.map((block) =>
        "options" in block ? block.options : undefined,
      )
    const mail = { subject: "S" }
    expect(await kept(paid)).toEqual([
      { ...mail, credentialsId: own },
      { ...mail, credentialsId: "default" },
      { ...mail, credentialsId: "default" },
      { a: 1 },
    ])
    expect(await kept(await place("FREE"))).toEqual([mail, mail, mail, { a: 1 }])
  })

  test("1.6 flags code that runs in browsers only when asked to", async () => {
    const { call, workspaceId } = await place()
    const client = (id: string, type: string, isExecutedOnClient?: boolean) => ({
      id,
      type,
      options: { isExecutedOnClient },
    })
    const blocks = [
      client("1", "Code"),
      client("2", "Code", true),
      client("3", "Code", false),
      client("4", "Set variable"),
      client("5", "Set variable", true),
    ]
    const bot = { events: [startEvent], groups: [group("g", ...blocks)] }
    const flags = async (enableSafetyFlags?: boolean) =>
      (await call.bot.import({ workspaceId, bot, enableSafetyFlags })).bot.groups[0]?.blocks.map(
        (block) => (block as { options?: { isUnsafe?: boolean } }).options?.isUnsafe,
      )
    expect(await flags(true)).toEqual([true, true, false, false, true])
    expect(await flags()).toEqual(Array(5).fill(undefined))
  })

  test("1.6 decides which variables results may hold", async () => {
    const { call, workspaceId } = await place()
    const transcript = (id: string, variableId: string) => ({
      id,
      type: "Set variable",
      options: { type: "Transcript", variableId },
    })
    const { bot } = await call.bot.import({
      workspaceId,
      bot: {
        events: [startEvent],
        groups: [group("g", ask("q", "asked"), transcript("t", "told"), transcript("u", "asked"))],
        variables: [
          { id: "asked", name: "A", isSessionVariable: true },
          { id: "told", name: "T" },
          { id: "own", name: "O", isSessionVariable: true },
          { id: "plain", name: "P" },
        ],
      },
    })
    const flags = bot.variables.map(({ isSessionVariable }) => isSessionVariable)
    expect(flags).toEqual([false, true, true, undefined])
  })
})
