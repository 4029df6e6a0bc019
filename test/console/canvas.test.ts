/** The canvas of the editor: how flows are drawn, changed by pointer and by keys, and taken back. */
import type { Locator, Page } from "playwright-core"
import { describe, expect, test } from "vitest"
import { expectNoComplaints } from "../pages/browser.ts"
import { ask, bot, group, onCommand, say, when } from "../support/bots.ts"
import { expectAccessible } from "./expectAccessible.ts"
import { centre, drag, greeting, groupAt, openCanvas, type Stored } from "./openCanvas.ts"
import { viewer } from "./openConsole.ts"

/** Groups side by side. */
function rowOf(count: number) {
  const made = bot(
    group("Welcome", ask.text()),
    ...Array.from({ length: count - 1 }, (_, n) => group(`Group ${n + 1}`, ask.text())),
  )
  for (const [n, each] of made.groups.entries()) each.graphCoordinates = { x: 300 + n * 400, y: 0 }
  return made
}

describe.skipIf(!viewer)("the canvas", async () => {
  const { open, openBot, openBeside, makeBot, draftOf, becomes } = await openCanvas()

  const focusedRow = (page: Page) =>
    page.evaluate('document.activeElement.getAttribute("data-row")')

  /** Whether an element is between the palette and what stands at the other edge. */
  const isUncovered = async (page: Page, what: Locator) => {
    const palette = await page.getByRole("complementary", { name: "Blocks to add" }).boundingBox()
    const beside = await page.getByRole("navigation", { name: "Parts of the bot" }).boundingBox()
    const box = await what.boundingBox()
    if (!palette || !beside || !box) throw new Error("It is not in view")
    return box.x >= palette.x + palette.width && box.x + box.width <= beside.x
  }

  const titlesOf = ({ groups }: Stored) => groups.map(({ title }) => title)
  const typesIn = ({ groups }: Stored, title: string) =>
    groups.find((each) => each.title === title)?.blocks.map(({ type }) => type)

  test("shows groups with their blocks in words, and has no findings of axe", async () => {
    const page = await openBot(await makeBot())
    const welcome = groupAt(page, "Welcome")
    await welcome.getByRole("button", { name: "Text: Hello there" }).waitFor()
    await welcome
      .getByRole("button", { name: /^Text question\s+Saves the answer in Name/ })
      .waitFor()
    expect(await welcome.getByText("Yes", { exact: true }).count()).toBe(1)
    await expectAccessible(page)
    expectNoComplaints(page)
  })

  test("adds blocks that are dragged from the palette, to a slot in a group and onto the canvas", async () => {
    const botId = await makeBot()
    const page = await openBot(botId)
    const palette = page.getByRole("complementary", { name: "Blocks to add" })
    const first = await groupAt(page, "Welcome")
      .getByRole("button", { name: "Text: Hello there" })
      .boundingBox()
    await drag(page, palette.getByRole("button", { name: "Image" }), {
      x: (first?.x ?? 0) + 60,
      y: (first?.y ?? 0) + (first?.height ?? 0) - 4,
    })
    await becomes(botId, (draft) =>
      expect(typesIn(draft, "Welcome")).toEqual(["text", "image", "text input", "choice input"]),
    )
    await drag(page, palette.getByRole("button", { name: "Number question" }), { x: 700, y: 800 })
    await becomes(botId, (draft) => {
      expect(titlesOf(draft)).toEqual(["Welcome", "Goodbye", "Group 3"])
      expect(typesIn(draft, "Group 3")).toEqual(["number input"])
    })
    expectNoComplaints(page)
  })

  test("connects an item by dragging, and another by choosing its target", async () => {
    const botId = await makeBot()
    const page = await openBot(botId)
    await drag(
      page,
      page.getByRole("button", { name: "Connect “Yes”" }),
      await centre(groupAt(page, "Goodbye")),
    )
    await page.getByRole("button", { name: "“Yes” leads to Goodbye" }).waitFor()
    await page.getByRole("button", { name: "Connect “No”" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByRole("textbox").fill("wel")
    await page.keyboard.press("Enter")
    await page.getByRole("button", { name: "“No” leads to Welcome" }).waitFor()
    await becomes(botId, ({ edges, groups }) => {
      const targets = groups[0]?.blocks[2]?.items?.map(
        ({ outgoingEdgeId }) => edges.find(({ id }) => id === outgoingEdgeId)?.to.groupId,
      )
      expect(targets).toEqual(["gGoodbye", "gWelcome"])
    })
  })

  test("moves groups and blocks by dragging, and takes each back", async () => {
    const botId = await makeBot()
    const page = await openBot(botId)
    const before = await draftOf(botId)
    const head = groupAt(page, "Goodbye").locator("header")
    // Waits until the view has come to rest.
    await head.hover()
    const box = await head.boundingBox()
    const grip = { x: (box?.x ?? 0) + (box?.width ?? 0) - 70, y: (box?.y ?? 0) + 20 }
    await page.mouse.move(grip.x, grip.y)
    await page.mouse.down()
    await page.mouse.move(grip.x + 40, grip.y + 200, { steps: 5 })
    await page.mouse.up()
    await becomes(botId, ({ groups }) => expect(groups[1]?.graphCoordinates.y).toBeGreaterThan(150))
    await drag(
      page,
      page.getByRole("button", { name: "Text: Hello there" }),
      await centre(page.getByRole("button", { name: "Text: See you" })),
    )
    await becomes(botId, (draft) => {
      expect(typesIn(draft, "Welcome")).toEqual(["text input", "choice input"])
      expect(typesIn(draft, "Goodbye")).toEqual(["text", "text"])
    })
    await page.keyboard.press("Control+z")
    await becomes(botId, (draft) => expect(typesIn(draft, "Goodbye")).toEqual(["text"]))
    await page.keyboard.press("Control+z")
    await becomes(botId, ({ groups }) => expect(groups).toEqual(before.groups))
    await page.keyboard.press("Control+Shift+z")
    await becomes(botId, ({ groups }) => expect(groups[1]?.graphCoordinates.y).toBeGreaterThan(150))
    expectNoComplaints(page)
  })

  test("copies a group to another bot, with variables by name and ids of its own", async () => {
    const page = await openBot(await makeBot())
    await page
      .getByRole("group")
      .filter({ has: page.getByRole("heading", { name: "Welcome" }) })
      .focus()
    await page.keyboard.press("Enter")
    await page.keyboard.press("Control+c")
    const otherId = await makeBot(
      bot(group("Welcome", say("Elsewhere")), group("Later", ask.text({ saves: "Name" }))),
    )
    const other = await openBeside(page.context(), `/bots/${otherId}`)
    await other.getByRole("heading", { name: "Later" }).waitFor()
    await other.keyboard.press("Control+v")
    await becomes(otherId, ({ groups, variables }) => {
      expect(groups.map(({ title }) => title)).toEqual(["Welcome", "Later", "Welcome (copy)"])
      expect(variables.map(({ name }) => name)).toEqual(["Name"])
      expect(groups[2]?.blocks.map(({ type }) => type)).toEqual([
        "text",
        "text input",
        "choice input",
      ])
      expect(groups[2]?.blocks[1]).toMatchObject({ options: { variableId: variables[0]?.id } })
      expect(groups[2]?.blocks.map(({ id }) => id)).not.toContain("name")
    })
  })

  test("does everything by keys: edits titles, walks along rows, moves, duplicates and deletes them", async () => {
    const botId = await makeBot()
    const page = await openBot(botId)
    await page.getByRole("button", { name: "Welcome", exact: true }).focus()
    await page.keyboard.press("Enter")
    await page.keyboard.type("Start here")
    await page.keyboard.press("Enter")
    await becomes(botId, (draft) => expect(titlesOf(draft)).toEqual(["Start here", "Goodbye"]))
    const hello = page.getByRole("button", { name: "Text: Hello there" })
    await hello.focus()
    await page.keyboard.press("ArrowDown")
    expect(await focusedRow(page)).toBe("name")
    await page.keyboard.press("Alt+ArrowDown")
    await becomes(botId, (draft) =>
      expect(typesIn(draft, "Start here")).toEqual(["text", "choice input", "text input"]),
    )
    await expect.poll(() => focusedRow(page)).toBe("name")
    await page.keyboard.press("Alt+ArrowDown")
    await becomes(botId, (draft) =>
      expect(typesIn(draft, "Goodbye")).toEqual(["text input", "text"]),
    )
    await expect.poll(() => focusedRow(page)).toBe("name")
    await page.keyboard.press("Control+d")
    await becomes(botId, (draft) =>
      expect(typesIn(draft, "Goodbye")).toEqual(["text input", "text input", "text"]),
    )
    await hello.focus()
    await page.keyboard.press("Delete")
    await becomes(botId, (draft) => expect(typesIn(draft, "Start here")).toEqual(["choice input"]))
    await page.getByText("Deleted 1 block. Undo brings it back.").waitFor()
  })

  test("jumps to what is sought", async () => {
    const page = await openBot(await makeBot())
    await page.keyboard.press("Control+f")
    await page.getByRole("dialog").getByRole("textbox").fill("see you")
    await page.keyboard.press("Enter")
    await page.waitForURL(/block=%22?bye|block=bye/)
    await page.locator('[data-block="bye"][data-selected]').waitFor()
  })

  test("shows hostile titles, texts and ids as text, and works with them", async () => {
    const markup = '<img src=x onerror="document.title=1">'
    const id = `"]<b>'\\ {{x}}`
    const made = greeting()
    const [first] = made.groups
    if (first) {
      first.title = markup
      first.blocks = [...first.blocks, { ...say(markup), id } as never]
    }
    const botId = await makeBot(made)
    const page = await open(`/bots/${botId}`, { viewport: { width: 1400, height: 900 } })
    await page.getByRole("heading", { name: markup }).waitFor()
    await page.getByRole("button", { name: `Text: ${markup}` }).click()
    await page.locator("[data-block][data-selected]").waitFor()
    await page.getByRole("button", { name: `Connect “${markup}”` }).click()
    await page.getByRole("dialog").getByText("Goodbye").click()
    await becomes(botId, ({ edges }) =>
      expect(edges).toContainEqual(
        expect.objectContaining({ from: { blockId: id }, to: { groupId: "gGoodbye" } }),
      ),
    )
    expect(await page.locator("img[src=x]").count()).toBe(0)
    expectNoComplaints(page)
  })

  test("marks groups, events and connections with what the linter finds there, within reach of keys", async () => {
    const drawn = bot(
      { events: [onCommand("help", undefined)] },
      group("Welcome", ask.choice(["Yes", { content: "No", to: "Nowhere" }])),
      group("Alone", say("Never said")),
    )
    const page = await openBot(await makeBot(drawn))
    const mark = (words: RegExp) => page.getByRole("button", { name: words })
    const ofEdge = mark(/leads to group "gNowhere"/)
    await ofEdge.waitFor()
    await groupAt(page, "Alone")
      .getByRole("button", { name: /No chat can reach/ })
      .waitFor()
    const ofEvent = mark(/Nothing follows the command event/)
    await expectAccessible(page)
    await ofEdge.focus()
    await page
      .getByRole("tooltip")
      .getByText(/which does not exist/)
      .waitFor()
    await ofEvent.press("Enter")
    const panel = page.getByRole("complementary", { name: "Findings" })
    await panel.getByRole("button", { name: /leads to group "gNowhere"/ }).click()
    await page.getByRole("complementary", { name: "Options of the block" }).waitFor()
    expectNoComplaints(page)
  })

  test("draws a flow without places in order, and saves them with the first move", async () => {
    const drawn = bot(
      group("Welcome", when([["Name", "Is set"]], { to: "Known", otherwise: "New" })),
      group("Known", say("Again")),
      group("New", say("First time")),
    )
    const page = await openBot(await makeBot(drawn))
    const x = async (title: string) => (await groupAt(page, title).boundingBox())?.x ?? 0
    expect(await x("Known")).toBeGreaterThan(await x("Welcome"))
    expect(await x("New")).toBe(await x("Known"))
  })

  test("draws a large flow from afar as one picture, whose groups move as ever", async () => {
    const drawn = bot(
      group("Welcome", say("Hello there", { to: "Group 44" })),
      ...Array.from({ length: 45 }, (_, n) => group(`Group ${n}`, say("Hi"))),
    )
    for (const [n, each] of drawn.groups.entries())
      each.graphCoordinates = { x: (n % 8) * 640, y: Math.floor(n / 8) * 480 }
    const botId = await makeBot(drawn)
    const page = await open(`/bots/${botId}`, { viewport: { width: 1400, height: 900 } })
    await page.locator("text", { hasText: "Group 44" }).waitFor()
    const last = page.getByRole("group", { name: "Group 44" })
    expect(await last.innerText()).toBe("")
    const { x, y } = await centre(last)
    await drag(page, last, { x: x - 60, y })
    await becomes(botId, ({ groups }) =>
      expect(groups.at(-1)?.graphCoordinates.x).toBeLessThan(5 * 640),
    )
    for (let step = 0; step < 4; step++) await page.getByRole("button", { name: "Zoom in" }).click()
    await page
      .getByRole("heading", { name: /^Group/ })
      .first()
      .waitFor()
    expectNoComplaints(page)
  })

  test("opens a flow in its own size at most, and a wide one at its start, with a map", async () => {
    const zoom = (page: Page) => page.getByRole("button", { name: /Zoom to fit/ })
    const map = (page: Page) => page.getByRole("img", { name: "Minimap" })
    const page = await openBot(await makeBot(bot(group("Welcome"))))
    await expect.poll(() => zoom(page).innerText()).toBe("100%")
    expect(await map(page).count()).toBe(0)
    const wide = await openBeside(page.context(), `/bots/${await makeBot(rowOf(12))}`)
    await map(wide).waitFor()
    expect(await zoom(wide).innerText()).toBe("60%")
    expect(await isUncovered(wide, groupAt(wide, "Welcome"))).toBe(true)
    await zoom(wide).click()
    await map(wide).waitFor({ state: "detached" })
    expectNoComplaints(wide)
  })

  test("keeps the open block beside the palette and the panel, and the view as it closes", async () => {
    const viewport = { width: 1024, height: 640 }
    const page = await openBot(await makeBot(rowOf(3)), { viewport })
    const zoom = page.getByRole("button", { name: /Zoom to fit/ })
    const before = await zoom.innerText()
    const last = groupAt(page, "Group 2")
    await last.getByRole("button", { name: /^Text question/ }).click()
    const panel = page.getByRole("complementary", { name: "Options of the block" })
    await panel.waitFor()
    await expect.poll(() => isUncovered(page, last)).toBe(true)
    await panel.getByRole("button", { name: "Close" }).click()
    await panel.waitFor({ state: "detached" })
    expect(await zoom.innerText()).toBe(before)
  })

  test("shows a panel that could not be loaded once the connection is back", async () => {
    const page = await openBot(await makeBot())
    for (const [button, heading] of [
      ["Variables", "Variables"],
      ["Text question", "Text question"],
    ] as const) {
      await page.context().setOffline(true)
      await page.getByRole("button", { name: button }).first().click()
      await page.getByRole("status").getByText("Offline").waitFor()
      await page.context().setOffline(false)
      await page.getByRole("complementary").getByRole("heading", { name: heading }).waitFor()
    }
  })

  test("stays when a panel cannot be loaded, and says so in its place", async () => {
    const page = await openBot(await makeBot())
    await page.route("**/assets/VariablesPanel-*", (route) => route.abort())
    await page.getByRole("button", { name: "Variables" }).click()
    const panel = page.getByRole("complementary", { name: "Variables" })
    await panel.getByText("This part of the page could not be loaded").waitFor()
    await page.getByRole("heading", { name: "Welcome" }).waitFor()
    await page.getByRole("button", { name: "Theme", exact: true }).click()
    await page.getByRole("heading", { name: "Theme", exact: true }).waitFor()
  })

  test("is a list on a phone, which does everything but drawing", async () => {
    const botId = await makeBot()
    const page = await openBot(botId, { viewport: { width: 390, height: 844 } })
    const welcome = page.getByRole("region", { name: "Group Welcome, 3 blocks" })
    await welcome.getByRole("button", { name: /^Yes/ }).click()
    await page.getByRole("dialog").getByText("Goodbye").click()
    await welcome.getByRole("button", { name: "Yes leads to Goodbye" }).waitFor()
    await welcome.getByRole("button", { name: "Add a block" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Number question" }).click()
    await becomes(botId, (draft) =>
      expect(typesIn(draft, "Welcome")).toEqual([
        "text",
        "text input",
        "choice input",
        "number input",
      ]),
    )
    expectNoComplaints(page)
  })
})
