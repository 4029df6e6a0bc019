/** Opens panels of blocks and events, changes something in them, and sees what that changed. */
import type { Page } from "playwright-core"

/** Changes the address as a link of the console does. */
export async function show(page: Page, address: string): Promise<void> {
  await page.evaluate(`history.pushState({}, "", ${JSON.stringify(address)})`)
}

/** Opens the panel of a block or an event, with all of its fields. */
export async function openPanel(page: Page, botId: string, elementId: string): Promise<void> {
  await show(page, `/console/bots/${botId}?block=${encodeURIComponent(elementId)}`)
  await page.locator(`[data-options-of=${JSON.stringify(elementId)}]`).waitFor()
  // Editors of code and of rich text are loaded with the first field that needs one.
  await page.locator("aside .mantine-Skeleton-root").first().waitFor({ state: "detached" })
}

/** Closes the panel, and waits until all that it changed is saved. */
export async function closePanel(page: Page, botId: string): Promise<void> {
  await show(page, `/console/bots/${botId}`)
  await page.locator("[data-options-of]").waitFor({ state: "detached" })
  await page.getByRole("status").getByText("Saved", { exact: true }).waitFor()
}

/** Changes the first field that takes text, or else a switch; false: there is none. */
export async function changeSomething(page: Page): Promise<boolean> {
  // What stands below the form does not belong to the block.
  const panel = page.getByRole("complementary").locator("fieldset").first()
  const fields = panel.locator(
    "input:not([readonly], [aria-haspopup], [type=checkbox], [type=radio], [type=hidden]), textarea, [role=textbox]",
  )
  const [field] = await fields.all()
  if (field) {
    if (await field.evaluate((node) => node.isContentEditable)) {
      await field.press("ControlOrMeta+End")
      await field.pressSequentially("7")
    } else await field.fill("7")
    return true
  }
  const [toggle] = await panel.getByRole("switch").all()
  await toggle?.click({ force: true })
  return toggle !== undefined
}

/** The paths of the members in which two values differ. */
export function changesBetween(before: unknown, after: unknown): string[] {
  const [was, is] = [leavesOf(before), leavesOf(after)]
  const paths = new Set([...was.keys(), ...is.keys()])
  return [...paths].filter((path) => was.get(path) !== is.get(path))
}

function leavesOf(value: unknown, path = ""): Map<string, string> {
  if (typeof value !== "object" || value === null || Object.keys(value).length === 0)
    return new Map([[path, JSON.stringify(value)]])
  const entries = Object.entries(value)
  return new Map(entries.flatMap(([name, part]) => [...leavesOf(part, `${path}/${name}`)]))
}
