/** Looks for what keeps people out of a view. */
import axe from "axe-core"
import type { Page } from "playwright-core"
import { expect } from "vitest"

const standard = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]

type Where = {
  /** Selector. Absent: the whole page. */
  within?: string | undefined
  /** Absent: all of the standard. */
  rules?: string[]
}

/** Colours and shadows that still change are on their way to what people see. What moves without end does not count. */
const comeToRest = `Promise.allSettled(document.getAnimations()
  .filter(({ effect }) => effect.getComputedTiming().endTime < Infinity)
  .map(({ finished }) => finished))`

/** Every violation of WCAG 2.2 AA that axe finds in the page as it is now. */
export async function violationsOf(page: Page, where: Where = {}): Promise<{ id: string }[]> {
  await page.evaluate(axe.source)
  await page.evaluate(comeToRest)
  return await page.evaluate(
    async ({ within = "html", runOnly }) => {
      const inPage = (globalThis as unknown as { axe: typeof axe }).axe
      const { violations } = await inPage.run(within, { runOnly, resultTypes: ["violations"] })
      return violations.map(({ id, nodes }) => ({ id, html: nodes.map(({ html }) => html) }))
    },
    { within: where.within, runOnly: where.rules ?? standard },
  )
}

/** Fails with every violation. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await violationsOf(page)).toEqual([])
}
