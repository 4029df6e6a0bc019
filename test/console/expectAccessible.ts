/** Looks for what keeps people out of a view. */
import axe from "axe-core"
import type { Page } from "playwright-core"
import { expect } from "vitest"

const standard = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]

/** Fails with every violation of WCAG 2.2 AA that axe finds in the page as it is now. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe.source)
  const found = await page.evaluate(async (runOnly) => {
    const inPage = (globalThis as unknown as { axe: typeof axe }).axe
    const { violations } = await inPage.run({ runOnly })
    return violations.map(({ id, nodes }) => ({ id, html: nodes.map(({ html }) => html) }))
  }, standard)
  expect(found).toEqual([])
}
