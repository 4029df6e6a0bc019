/** Changing a bot. */
import { describe, expect, test } from "vitest"
import { newId } from "../../src/lib/ids.ts"
import type { Plan } from "../../src/lib/plans.ts"
import { newUser, refusalOf } from "../support/callers.ts"
import { testDatabase } from "../support/database.ts"
import { ask, group, oldFlow, startEvent } from "./flows.ts"

const db = await testDatabase()

async function freshBot(defaultPlan: Plan = "PRO", bot: object = {}) {
  const { call } = await newUser(db, { defaultPlan })
  const { workspace } = await call.workspace.create({ name: "W" })
  const made = await call.bot.create({ workspaceId: workspace.id, bot })
  const botId = made.bot.id
  type Changes = Parameters<typeof call.bot.update>[0]["bot"]
  return {
    botId,
    call,
    workspaceId: workspace.id,
    made: made.bot,
    change: async (changes: Changes) => (await call.bot.update({ botId, bot: changes })).bot,
    refused: (changes: object) =>
      refusalOf(call.bot.update({ botId, bot: changes as unknown as Changes })),
  }
}

/** Turns a bot into one of version 5, as it would lie in the database since long ago. */
async function makeOld(botId: string): Promise<void> {
  const { groups, edges, variables } = oldFlow
  await db.kysely
    .updateTable("bots")
    .set({
      version: "5",
      events: null,
      groups: JSON.stringify(groups),
      edges: JSON.stringify(edges),
      variables: JSON.stringify(variables),
    })
    .where("id", "=", botId)
    .execute()
}

const badRequest = (message: string) => ({ code: "BAD_REQUEST", message })

describe("a change", () => {
  test("takes a variable whose value is null for one without a value", async () => {
    const { change } = await freshBot()
    const variable = { id: "v1", name: "City" }
    const changed = await change({ variables: [{ ...variable, value: null }] })
    expect(changed.variables).toEqual([variable])
  })

  test("replaces what it names, leaves the rest, and moves updatedAt", async () => {
    const { made, change, call, botId } = await freshBot("PRO", {
      settings: { general: { isBrandingEnabled: true, isInputPrefillEnabled: true } },
    })
    const changed = await change({ name: "New", settings: { metadata: { title: "T" } } })
    expect(changed).toEqual({
      ...made,
      name: "New",
      settings: { metadata: { title: "T" } },
      revision: made.revision + 1,
      updatedAt: changed.updatedAt,
    })
    expect(changed.updatedAt > made.updatedAt).toBe(true)
    expect((await call.bot.get({ botId })).bot).toEqual(changed)
  })

  test("clears with null what may be cleared and ignores other nulls", async () => {
    const given = {
      icon: "x",
      selectedThemeTemplateId: "t",
      resultsTablePreferences: { columnsWidth: { a: 1 } },
      publicId: `p-${newId()}`,
      theme: { customCss: "a" },
    }
    const { made, change } = await freshBot("PRO", given)
    expect(made).toMatchObject(given)
    const cleared = {
      icon: null,
      selectedThemeTemplateId: null,
      resultsTablePreferences: null,
      publicId: null,
      folderId: null,
      customDomain: null,
      whatsAppCredentialsId: null,
    }
    const changed = await change({ ...cleared, theme: null, settings: null, events: null })
    expect(changed).toEqual({ ...made, ...cleared, revision: 2, updatedAt: changed.updatedAt })
  })

  test("refuses null where there must be something, and values of the wrong kind", async () => {
    const { refused } = await freshBot()
    for (const member of ["version", "name", "groups", "edges", "variables", "isClosed"]) {
      expect((await refused({ [member]: null })).code).toBe("BAD_REQUEST")
    }
    const wrong = [{ name: "" }, { isClosed: "false" }, { events: [] }]
    for (const changes of wrong) expect((await refused(changes)).code).toBe("BAD_REQUEST")
  })

  test("ignores members of the operator and unknown ones", async () => {
    const { made, change } = await freshBot()
    const foreign = { riskLevel: 5, isArchived: true, workspaceId: "x", id: "y", spaceId: "z" }
    const changed = await change(foreign as object)
    expect(changed).toEqual({ ...made, revision: 2, updatedAt: changed.updatedAt })
  })

  test("moves into folders of its workspace only", async () => {
    const { change, refused, workspaceId } = await freshBot()
    const other = await freshBot()
    const folders = [workspaceId, other.workspaceId].map((id) => ({ id: newId(), workspaceId: id }))
    const rows = folders.map((folder) => ({ ...folder, name: "F" }))
    await db.kysely.insertInto("folders").values(rows).execute()
    const [own, foreign] = folders.map(({ id }) => id)
    expect((await change({ folderId: own })).folderId).toBe(own)
    expect(await refused({ folderId: foreign })).toEqual(badRequest("Folder not found"))
    expect((await change({ folderId: null })).folderId).toBeNull()
  })

  test("names a WhatsApp credential of its workspace only", async () => {
    const { change, refused, workspaceId } = await freshBot()
    const id = newId()
    const sealed = { data: Buffer.alloc(1), nonce: Buffer.alloc(12), keyId: 1 }
    const row = { id, workspaceId, type: "whatsApp", name: "n", ...sealed }
    await db.kysely.insertInto("credentials").values(row).execute()
    expect((await change({ whatsAppCredentialsId: id })).whatsAppCredentialsId).toBe(id)
    const refusal = badRequest("WhatsApp credentials not found")
    expect(await refused({ whatsAppCredentialsId: "other" })).toEqual(refusal)
  })

  test("is not made to a bot that was deleted", async () => {
    const { refused, call, botId } = await freshBot()
    await call.bot.delete({ botId })
    expect(await refused({ name: "x" })).toEqual({ code: "NOT_FOUND", message: "Bot not found" })
  })
})

describe("updatedAt as a precondition", () => {
  test("lets the first of two equal readers write", async () => {
    const { made, change, refused } = await freshBot()
    const { updatedAt } = made
    const first = await change({ name: "First", updatedAt })
    expect((await refused({ name: "Second", updatedAt })).code).toBe("CONFLICT")
    expect((await change({ name: "Third", updatedAt: first.updatedAt })).name).toBe("Third")
  })

  test("lets exactly one of many simultaneous writers win", async () => {
    const { made, refused, call, botId } = await freshBot()
    const names = ["a", "b", "c", "d"]
    const { updatedAt } = made
    const outcomes = await Promise.all(names.map((name) => refused({ name, updatedAt })))
    const codes = outcomes.map(({ code }) => code)
    expect([...codes].sort()).toEqual(["CONFLICT", "CONFLICT", "CONFLICT", "OK"])
    expect((await call.bot.get({ botId })).bot.name).toBe(names[codes.indexOf("OK")])
  })

  test("is a time: none at all is refused, and so is one before there were years", async () => {
    const { refused } = await freshBot()
    for (const updatedAt of ["soon", "", "-004800-01-01T00:00:00Z"]) {
      expect((await refused({ updatedAt })).code).toBe("BAD_REQUEST")
    }
    expect((await refused({ updatedAt: "0001-01-01T00:00:00Z" })).code).toBe("CONFLICT")
  })

  test("does not count when it is null, absent or overwritten", async () => {
    const { made, change, call, botId } = await freshBot()
    await change({ name: "a" })
    await change({ name: "b", updatedAt: null })
    const stale = { name: "c", updatedAt: made.updatedAt }
    const { bot } = await call.bot.update({ botId, bot: stale, overwrite: true })
    expect(bot.name).toBe("c")
  })
})

describe("a public id", () => {
  test("is unique, follows the rules, and may stay what it was", async () => {
    const taken = `p-${newId()}`
    await freshBot("PRO", { publicId: taken })
    const { change, refused, botId } = await freshBot()
    expect(await refused({ publicId: taken })).toEqual({
      code: "CONFLICT",
      message: "This public id is taken: choose another",
    })
    for (const publicId of ["", "Upper", "-x", "a--b", "a.b"]) {
      expect((await refused({ publicId })).message).toMatch(/^A public id has only a to z/)
    }
    const older = `Older.${newId()}`
    await db.kysely.updateTable("bots").set({ publicId: older }).where("id", "=", botId).execute()
    expect((await change({ publicId: older })).publicId).toBe(older)
  })

  test("goes to one of two bots that want it at once", async () => {
    const bots = [await freshBot(), await freshBot()]
    const publicId = `p-${newId()}`
    const outcomes = await Promise.all(bots.map(({ refused }) => refused({ publicId })))
    expect(outcomes.map(({ message }) => message).sort()).toEqual([
      "",
      "This public id is taken: choose another",
    ])
  })
})

describe("a custom domain", () => {
  test("needs the plan, a host name and one that no bot of the workspace has", async () => {
    const { change, refused, call, workspaceId } = await freshBot()
    const customDomain = `${newId()}.example.com/a-path`
    expect((await change({ customDomain })).customDomain).toBe(customDomain)
    const { id: botId } = (await call.bot.create({ workspaceId, bot: {} })).bot
    const inUse = {
      code: "CONFLICT",
      message: "Another bot of the workspace has this domain and path",
    }
    expect(await refusalOf(call.bot.update({ botId, bot: { customDomain } }))).toEqual(inUse)
    const stranger = await freshBot()
    expect((await stranger.change({ customDomain })).customDomain).toBe(customDomain)
    for (const wrong of ["", "example", "-a.com", "a.b/c?d", "http://a.com"]) {
      expect(await refused({ customDomain: wrong })).toEqual(badRequest("Invalid custom domain"))
    }
    const free = await freshBot("FREE")
    expect((await free.refused({ customDomain: "a.example.com" })).code).toBe("FORBIDDEN")
  })
})

describe("what a plan forbids", () => {
  test("stays off, and sharing stays as it was sent", async () => {
    const settings = {
      general: { isBrandingEnabled: false },
      whatsApp: { isEnabled: true },
      publicShare: { isEnabled: true },
    }
    const settingsOn = async (plan: Plan) =>
      (await (await freshBot(plan)).change({ settings })).settings
    expect(await settingsOn("PRO")).toEqual(settings)
    const whatsApp = { isEnabled: false }
    expect(await settingsOn("STARTER")).toEqual({ ...settings, whatsApp })
    const general = { isBrandingEnabled: true }
    expect(await settingsOn("FREE")).toEqual({ ...settings, whatsApp, general })
  })

  test("credentials of others disappear from blocks", async () => {
    const { change } = await freshBot()
    const mail = { id: "m", type: "Email", options: { credentialsId: "theirs" } }
    const { groups } = await change({ groups: [group("g", mail)] })
    expect(groups[0]?.blocks[0]).toEqual({ ...mail, options: { credentialsId: "default" } })
  })
})

describe("variables", () => {
  test("are judged by the groups sent with them, or else by the stored ones", async () => {
    const { change } = await freshBot()
    const variables = [{ id: "v", name: "V", isSessionVariable: true }]
    const groups = [group("g", ask("q", "v"))]
    const flagOf = async (changes: object) =>
      (await change(changes)).variables[0]?.isSessionVariable
    expect(await flagOf({ variables })).toBe(true)
    expect(await flagOf({ variables, groups })).toBe(false)
    expect(await flagOf({ variables })).toBe(false)
    expect(await flagOf({ variables, groups: [] })).toBe(true)
  })
})

describe("a bot of version 5", () => {
  test("is shown as stored, or converted when asked, and changed as what it is", async () => {
    const { call, botId, change } = await freshBot()
    await makeOld(botId)
    const stored = (await call.bot.get({ botId })).bot
    expect(stored).toMatchObject({ version: "5", events: null })
    const { bot } = await call.bot.get({ botId, migrateToLatestVersion: true })
    expect(bot).toMatchObject({
      version: "6.1",
      events: [{ id: "a" }],
      updatedAt: stored.updatedAt,
    })
    expect(await change({ name: "Renamed" })).toMatchObject({ version: "6.1", name: "Renamed" })
    const after = (await call.bot.get({ botId })).bot
    expect(after).toEqual({ ...stored, name: "Renamed", revision: 2, updatedAt: after.updatedAt })
  })

  test("becomes a newer one with its events only, and never goes back", async () => {
    const { botId, change, refused } = await freshBot()
    await makeOld(botId)
    const early = badRequest("A bot has no events before version 6")
    expect(await refused({ events: [startEvent] })).toEqual(early)
    const bare = badRequest("A bot gets version 6 only together with its events")
    expect(await refused({ version: "6.1", groups: [] })).toEqual(bare)
    const flow = { version: "6.1" as const, events: [startEvent], groups: [], edges: [] }
    expect(await change(flow)).toMatchObject(flow)
    const back = badRequest("The version of a bot cannot go back below 6")
    expect(await refused({ version: "5", groups: [] })).toEqual(back)
    expect((await change({ version: "6" })).version).toBe("6")
  })

  test("without a start is shown as it is, and its conversion refused with a reason", async () => {
    const { call, botId, change } = await freshBot()
    await makeOld(botId)
    expect((await change({ groups: [] })).version).toBe("5")
    const refusal = badRequest("The bot has no start and cannot be converted")
    const converting = call.bot.get({ botId, migrateToLatestVersion: true })
    expect(await refusalOf(converting)).toEqual(refusal)
    expect(await refusalOf(call.bot.duplicate({ botId }))).toEqual(refusal)
  })
})
