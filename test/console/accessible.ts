/** What axe finds in a view. */
import axe from "axe-core"
import type { Page } from "playwright-core"
import { expect } from "vitest"

/** Fails with what axe finds in the page as it is now: rule and element. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe.source)
  const found = await page.evaluate(
    "axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html, any }) => id + ' ' + html + ' ' + any.map(({ message }) => message))))",
  )
  expect(found).toEqual([])
}
