/** Themes that a workspace keeps, those that every workspace has, and bots that are given one. */
import { describe, expect, test } from "vitest"
import { builtInThemes } from "../../src/bots/builtInThemes.ts"
import { bot, group, say } from "../support/bots.ts"
import { newUser, refusalOf } from "../support/callers.ts"
import { testDatabase } from "../support/database.ts"

const db = await testDatabase()

const red = { chat: { buttons: { backgroundColor: "#aa0000" } } }
const blue = { chat: { buttons: { backgroundColor: "#0000aa" } } }

async function home() {
  const owner = await newUser(db)
  const { workspace } = await owner.call.workspace.create({ name: "W" })
  const workspaceId = workspace.id
  const { call } = owner
  const keep = async (name: string, theme: Record<string, unknown> = red) => {
    const made = await call.themeTemplate.create({ workspaceId, name, theme })
    return made.themeTemplate
  }
  const list = async (isBuiltIn?: boolean) => {
    const { themeTemplates } = await call.themeTemplate.list({ workspaceId, isBuiltIn })
    return themeTemplates
  }
  const draw = async (theme: Record<string, unknown>) => {
    const sent = { ...bot({ theme }, group("A", say("Hi"))), name: "Shop" }
    const { bot: drawn } = await call.bot.import({ workspaceId, bot: sent })
    return drawn
  }
  return { ...owner, workspaceId, keep, list, draw }
}

describe("a workspace", () => {
  test("lists its own templates, the newest first, before those that are built in", async () => {
    const { keep, list } = await home()
    await keep("Old")
    await keep("New", blue)
    const all = await list()
    expect(all.slice(0, 2)).toMatchObject([
      { name: "New", theme: blue, isBuiltIn: false },
      { name: "Old", theme: red, isBuiltIn: false },
    ])
    expect(all.slice(2)).toEqual(builtInThemes.map((each) => ({ ...each, isBuiltIn: true })))
    expect(await list(false)).toEqual(all.slice(0, 2))
    expect(await list(true)).toEqual(all.slice(2))
  })

  test("changes and deletes its own, which leaves bots as they look", async () => {
    const { call, workspaceId, keep, list, draw } = await home()
    const { id: templateId } = await keep("Red")
    const { id: botId } = await draw({})
    await call.bot.applyTheme({ botId, templateId })
    const address = { workspaceId, templateId }
    const changed = await call.themeTemplate.update({ ...address, theme: blue })
    expect(changed.themeTemplate).toMatchObject({ name: "Red", theme: blue })
    const renamed = await call.themeTemplate.update({ ...address, name: " Blue " })
    expect(renamed.themeTemplate).toMatchObject({ name: "Blue", theme: blue })
    await call.themeTemplate.delete(address)
    expect(await list(false)).toEqual([])
    expect((await call.bot.get({ botId })).bot.theme).toEqual(red)
    for (const change of ["update", "delete"] as const) {
      const gone = call.themeTemplate[change](address)
      expect(await refusalOf(gone)).toMatchObject({ code: "NOT_FOUND" })
    }
  })

  test("cannot change those that are built in", async () => {
    const { call, workspaceId } = await home()
    const ocean = { workspaceId, templateId: "ocean" }
    const changes = [
      () => call.themeTemplate.update({ ...ocean, name: "Sea" }),
      () => call.themeTemplate.delete(ocean),
    ]
    for (const change of changes) {
      expect(await refusalOf(change())).toMatchObject({
        code: "FORBIDDEN",
        message: expect.stringContaining("is built in"),
      })
    }
  })

  test("has room for 100 and for 2 MB, also for those that grow and when several come at once", async () => {
    const { keep, list, call, workspaceId } = await home()
    const full = { code: "CONFLICT", message: expect.stringContaining("100 at most") }
    const large = { customCss: "x".repeat(100_000), general: { background: { content: "y" } } }
    const made = await Promise.allSettled(Array.from({ length: 25 }, () => keep("Large", large)))
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(19)
    const { id: templateId } = await keep("Small")
    const grown = call.themeTemplate.update({ workspaceId, templateId, theme: large })
    expect(await refusalOf(grown)).toMatchObject(full)
    for (let count = 20; count < 100; count++) await keep("Small")
    expect(await refusalOf(keep("One more"))).toMatchObject(full)
    expect(await list(false)).toHaveLength(100)
    // One that is there already is no other.
    await call.themeTemplate.update({ workspaceId, templateId, theme: blue })
  })

  test("keeps no text that a bot could not have", async () => {
    const { keep } = await home()
    const long = (length: number) => ({ general: { font: "F".repeat(length) } })
    expect(await refusalOf(keep("Long", long(1_001)))).toMatchObject({ code: "BAD_REQUEST" })
    await keep("Long", long(1_000))
  })
})

describe("a bot", () => {
  test("is given a look as a whole, keeps its avatars, and says which template it was", async () => {
    const { call, keep, draw } = await home()
    const hostAvatar = { isEnabled: true, url: "https://example.com/ann.png" }
    const { id: templateId } = await keep("Blue", blue)
    const former = { general: { font: "Georgia" }, chat: { hostAvatar, roundness: "none" } }
    const drawn = await draw(former)
    const themed = await call.bot.applyTheme({ botId: drawn.id, templateId })
    expect(themed.theme).toEqual({ chat: { hostAvatar, ...blue.chat } })
    const { bot: kept } = await call.bot.get({ botId: drawn.id })
    expect(kept).toEqual({
      ...drawn,
      ...{ theme: themed.theme, selectedThemeTemplateId: templateId },
      ...{ revision: drawn.revision + 1, updatedAt: themed.updatedAt },
    })
    const own = { chat: { hostAvatar: { isEnabled: false } } }
    const { id: without } = await keep("Without avatar", own)
    expect((await call.bot.applyTheme({ botId: drawn.id, templateId: without })).theme).toEqual(own)
  })

  test("is given no template of another workspace, and none that is unknown", async () => {
    const [{ call, draw }, other] = [await home(), await home()]
    const { id: botId } = await draw(red)
    const { id: foreign } = await other.keep("Blue", blue)
    for (const templateId of [foreign, "constructor"]) {
      expect(await refusalOf(call.bot.applyTheme({ botId, templateId }))).toEqual({
        code: "NOT_FOUND",
        message: "Theme template not found",
      })
    }
    expect((await call.bot.get({ botId })).bot.theme).toEqual(red)
  })

  test("is not given one over a change that the caller has not seen", async () => {
    const { call, draw } = await home()
    const { id: botId, updatedAt } = await draw({})
    const given = { botId, templateId: "night" }
    const themed = await call.bot.applyTheme({ ...given, updatedAt })
    const stale = call.bot.applyTheme({ ...given, templateId: "ocean", updatedAt })
    expect(await refusalOf(stale)).toMatchObject({ code: "CONFLICT" })
    const patched = call.bot.update({ botId, bot: { name: "Mine", updatedAt } })
    expect(await refusalOf(patched)).toMatchObject({ code: "CONFLICT" })
    await call.bot.update({ botId, bot: { name: "Mine", updatedAt: themed.updatedAt } })
    const { theme } = await call.bot.applyTheme({ ...given, updatedAt, overwrite: true })
    expect(theme).toEqual(builtInThemes.find(({ id }) => id === "night")?.theme)
  })

  test("is edited on meanwhile, and its look is undone and done again", async () => {
    const { call, draw } = await home()
    const former = { chat: { roundness: "none" } }
    const { id: botId, revision } = await draw(former)
    const named = (id: string) => ({ type: "variable.put" as const, variable: { id, name: id } })
    await call.bot.edit({ botId, revision, edits: [named("a")] })
    const { theme } = await call.bot.applyTheme({ botId, templateId: "night" })
    await call.bot.edit({ botId, revision: revision + 1, edits: [named("b")] })
    const look = async (way: "undo" | "redo", seen: number) => {
      await call.bot[way]({ botId, revision: seen })
      const { bot } = await call.bot.get({ botId })
      return [bot.theme, bot.selectedThemeTemplateId, bot.variables.length]
    }
    expect(await look("undo", revision + 3)).toEqual([theme, "night", 1])
    expect(await look("undo", revision + 4)).toEqual([former, null, 1])
    expect(await look("undo", revision + 5)).toEqual([former, null, 0])
    await look("redo", revision + 6)
    expect(await look("redo", revision + 7)).toEqual([theme, "night", 1])
  })
})
