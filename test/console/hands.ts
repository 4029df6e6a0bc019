/** What people do in the console, and how they do it with a mouse. */
import type { Locator, Page } from "playwright-core"

export type Hands = {
  press(target: Locator): Promise<void>
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
