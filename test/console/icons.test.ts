/** The console has a drawing for every icon that the catalogue names. */
import { expect, test } from "vitest"
import { catalogueEntries } from "../../src/authoring/catalogue/catalogue.ts"
import { catalogueIconNames } from "../../src/pages/console/editor/blocks/catalogueIconNames.ts"

test("every block and event has the icon that its type names", () => {
  const drawn: readonly string[] = catalogueIconNames
  const missing = [...catalogueEntries()].filter(({ icon }) => !drawn.includes(icon))
  expect(missing.map(({ type, icon }) => `${type}: ${icon}`)).toEqual([])
})
