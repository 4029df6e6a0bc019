/** The two ways in which people use the console: with a mouse, and with keys alone. */
import type { Locator, Page } from "playwright-core"
import { expect } from "vitest"

export type Hands = {
  press(target: Locator): Promise<void>
  /** Goes to a view of the bot that is open. */
  goTo(page: Page, view: string): Promise<void>
  /** Replaces what a field holds. */
  write(field: Locator, text: string): Promise<void>
  /** Chooses an option of a list, after typing into it if it is one to type in. */
  pick(list: Locator, option: string, typed?: string): Promise<void>
  /** Adds a block after the selected one, and opens its options. */
  addBlock(page: Page, label: string): Promise<void>
  /** Leads an exit to a new group, which is selected then. */
  leadOn(page: Page, exit: string): Promise<void>
}

const exitOf = (page: Page, name: string) =>
  page.getByRole("button", { name: `Connect “${name}”`, exact: true })

/** An option by its label, which may have a description below it. */
const optionOf = (list: Locator, name: string) => {
  const page = list.page()
  const described = page.getByRole("option").filter({ has: page.getByText(name, { exact: true }) })
  return page.getByRole("option", { name, exact: true }).or(described).first()
}

export const mouse: Hands = {
  press: (target) => target.click(),
  goTo: (page, view) => page.getByRole("link", { name: view, exact: true }).click(),
  async write(field, text) {
    await field.click()
    await replaceBy(field.page(), text)
  },
  async pick(list, option, typed) {
    await list.click()
    if (typed !== undefined) await list.page().keyboard.type(typed)
    await optionOf(list, option).click()
  },
  async addBlock(page, label) {
    const palette = page.getByRole("complementary", { name: "Blocks to add" })
    await palette.getByRole("button", { name: label, exact: true }).click()
  },
  async leadOn(page, name) {
    await page.getByRole("button", { name: "Zoom to fit" }).click()
    const exit = exitOf(page, name)
    await exit.hover()
    const { x, y } = (await exit.boundingBox()) ?? { x: 0, y: 0 }
    await page.mouse.down()
    // To the side, below what is there already.
    const boxes = await page.locator("[data-group]").all()
    const bottoms = await Promise.all(boxes.slice(1).map((each) => each.boundingBox()))
    const below = Math.max(y - 120, ...bottoms.map((box) => (box ? box.y + box.height + 60 : 0)))
    await page.mouse.move(x + 90, below, { steps: 4 })
    await page.mouse.move(x + 120, below, { steps: 2 })
    await page.mouse.up()
  },
}

async function replaceBy(page: Page, text: string): Promise<void> {
  await page.keyboard.press("ControlOrMeta+a")
  await page.keyboard.type(text)
}

/** Tabs in the direction in which an element is, as people do who know the page. */
const maxTabs = 60

async function reach(target: Locator): Promise<void> {
  await target.waitFor()
  const page = target.page()
  for (let tabs = 0; tabs < maxTabs; tabs++) {
    const way = await target.evaluate((node) => {
      type Root = typeof node.ownerDocument & { host?: typeof node }
      let to = node
      let root = to.getRootNode() as Root
      // Out of shadow trees, to one in which something has the focus.
      while (!root.activeElement && root.host) {
        to = root.host
        root = to.getRootNode() as Root
      }
      if (root.activeElement === node) return "here"
      const preceding = 2
      return (root.activeElement?.compareDocumentPosition(to) ?? 0) & preceding ? "back" : "on"
    })
    if (way === "here") return
    await page.keyboard.press(way === "back" ? "Shift+Tab" : "Tab")
  }
  throw new Error(`${maxTabs} tabs do not lead to ${target}`)
}

/** Lists follow their keys a moment later, which is shorter than any finger takes. */
const settled = (page: Page) => page.evaluate("new Promise(requestIdleCallback)")

const idOfSelected = (page: Page) =>
  page.evaluate<string>("document.querySelector('[data-combobox-selected]')?.id")

export const keyboard: Hands = {
  async press(target) {
    await reach(target)
    await target.page().keyboard.press("Enter")
  },
  async goTo(page, view) {
    await page.keyboard.press("ControlOrMeta+k")
    await keyboard.pick(page.getByRole("textbox", { name: "Jump to" }), view, view)
  },
  async write(field, text) {
    await reach(field)
    await replaceBy(field.page(), text)
  },
  async pick(list, option, typed) {
    await reach(list)
    await settled(list.page())
    const { keyboard } = list.page()
    if (typed !== undefined) await keyboard.type(typed)
    else await keyboard.press("ArrowDown")
    const wanted = optionOf(list, option)
    await wanted.waitFor()
    while ((await wanted.getAttribute("data-combobox-selected")) === null) {
      const before = await idOfSelected(list.page())
      await keyboard.press("ArrowDown")
      await expect.poll(() => idOfSelected(list.page())).not.toBe(before)
    }
    await settled(list.page())
    await keyboard.press("Enter")
  },
  async addBlock(page, label) {
    await page.getByRole("application", { name: "Flow" }).waitFor()
    await leaveOptions(page)
    await page.keyboard.press("a")
    const dialog = page.getByRole("dialog", { name: "Add a block" })
    await keyboard.pick(dialog.getByRole("textbox"), label, label)
  },
  async leadOn(page, name) {
    await leaveOptions(page)
    await keyboard.press(exitOf(page, name))
    await keyboard.pick(page.getByRole("dialog").getByRole("textbox"), "New group", "New")
  },
}

/** Options that are open give the focus back to the canvas, once the help of a field is closed. */
async function leaveOptions(page: Page): Promise<void> {
  const options = page.getByRole("complementary", { name: "Options of the block" })
  if ((await options.count()) === 0) return
  if ((await page.getByRole("tooltip").count()) > 0) await page.keyboard.press("Escape")
  await page.keyboard.press("Escape")
  await options.waitFor({ state: "detached" })
}
