/** Two people in two browsers on one bot, at first over good connections, then over bad ones. */
import { build } from "esbuild"
import type { Page } from "playwright-core"
import { describe, expect, test } from "vitest"
import { createDice, type Dice } from "../support/dice.ts"
import { groupAt, openCanvas } from "./openCanvas.ts"
import { viewer } from "./openConsole.ts"

const editsEach = 200
/** Presses in each browser, while the program beside the console edits. */
const pressesEach = 4
/** One in so many requests is lost, and one in so many answers. */
const loss = 12

/** Edits at random, as the console does: through the draft of the client, over the connections of the page. */
const program = `
  import { createParleyClient } from "./src/client.ts"
  import { openDraft } from "./src/client/draft.ts"
  import { createDice } from "./test/support/dice.ts"
  import { randomEdits } from "./test/support/randomEdits.ts"

  globalThis.openDrill = async ({ token, botId, seed }) => {
    const dice = createDice(seed)
    const draft = await openDraft(createParleyClient({ url: location.origin, token }), botId)
    globalThis.edit = async (wanted) => {
      for (let made = 0; made < wanted; ) {
        const edits = randomEdits(draft.bot, dice).slice(0, wanted - made)
        draft.edit(edits)
        made += edits.length
        // As people do, they go on while the last few edits are on their way.
        if (dice.below(4) === 0) await draft.settled()
      }
      await draft.settled()
    }
    globalThis.draftAt = async (revision) => {
      await draft.reached(revision)
      return draft.bot
    }
  }`

describe.skipIf(!viewer)("two people in two browsers", async () => {
  const { openBot, makeBot, draftOf, server } = await openCanvas({ PARLEY_RATE_LIMITS: "off" })
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: process.cwd() },
    ...{ bundle: true, write: false, format: "iife", platform: "browser" },
  })
  const drill = outputFiles[0]?.text ?? ""

  /** The groups that a page lists, as a phone does. */
  const listedIn = (page: Page) =>
    page
      .locator("section[id^=list-]")
      .evaluateAll((sections) => sections.map(({ id }) => id.replace("list-", "")))

  test("see what the other one does, as it is done", async () => {
    const botId = await makeBot()
    const [ann, bob] = await Promise.all([openBot(botId), openBot(botId)])
    for (const [from, to, former, title] of [
      [ann, bob, "Goodbye", "See you"],
      [bob, ann, "See you", "Farewell"],
    ] as const) {
      await groupAt(from, former).getByRole("button", { name: former, exact: true }).focus()
      await from.keyboard.press("Enter")
      await from.keyboard.type(title)
      await from.keyboard.press("Enter")
      await to.getByRole("heading", { name: title }).waitFor()
    }
  })

  test("end with the same draft after 200 edits each, of which requests and answers are lost", async () => {
    const seed = Number(process.env.TEST_SEED ?? 1)
    const dice = createDice(seed)
    const botId = await makeBot()
    const pages = await Promise.all([openBot(botId), openBot(botId)])
    for (const [index, page] of pages.entries()) {
      await page.evaluate(drill)
      const given = { token: server.token, botId, seed: seed + index }
      await page.evaluate(`openDrill(${JSON.stringify(given)})`)
      await loseSome(page, dice)
    }
    const editing = pages.map((page) => page.evaluate(`edit(${editsEach})`))
    for (let press = 0; press < pressesEach; press++) {
      for (const [index, page] of pages.entries()) {
        // Streams break, too, once the page has loaded what it needs.
        await page.context().setOffline(press > 0 && press % 3 === index)
        const palette = page.getByRole("complementary", { name: "Blocks to add" })
        await palette.getByRole("button", { name: "Text", exact: true }).click()
        await page.getByRole("textbox", { name: "Rich text" }).waitFor()
        await page.keyboard.press("Escape")
      }
    }
    await Promise.all(pages.map((page) => page.context().setOffline(false)))
    await Promise.all(editing)
    for (const page of pages) {
      await page.unrouteAll({ behavior: "wait" })
      await page.getByText("Saved", { exact: true }).waitFor()
    }
    const stored = await draftOf(botId)
    expect(stored.revision).toBeGreaterThan(editsEach / 2)
    for (const page of pages) {
      const draft = await page.evaluate(`draftAt(${stored.revision})`)
      expect(JSON.parse(JSON.stringify(draft))).toMatchObject({
        revision: stored.revision,
        groups: stored.groups,
        edges: stored.edges,
        variables: stored.variables,
      })
      // What the console itself shows: on a phone, it lists all groups.
      await page.setViewportSize({ width: 390, height: 844 })
      await expect.poll(() => listedIn(page)).toEqual(stored.groups.map(({ id }) => id))
    }
  })
})

/** Loses some calls of a page before they reach the service, and of others the answers. */
async function loseSome(page: Page, dice: Dice): Promise<void> {
  await page.route("**/api/trpc/**", async (route) => {
    if (dice.below(loss) === 0) return await route.abort("connectionreset")
    const isStream = route.request().url().includes("bot.changes")
    if (isStream || dice.below(loss) > 0) return await route.continue()
    await route.fetch()
    await route.abort("connectionreset")
  })
}
