/** The German console has a text for everything that the service says of blocks and starters. */
import { readFile } from "node:fs/promises"
import { expect, test } from "vitest"
import {
  textsOfCatalogue,
  textsOfStarters,
  withTexts,
} from "../../src/pages/console/shell/serviceTexts.ts"
import { testServer } from "../support/server.ts"

const german = JSON.parse(
  await readFile("src/pages/console/shell/serviceTexts.de.json", "utf8"),
) as Record<string, string>
const { send } = await testServer()

const said = new Set<string>()
const keep = (text: string) => {
  said.add(text)
  return text
}
withTexts((await send("GET", "/api/v1/blocks")).body, textsOfCatalogue, keep)
withTexts((await send("GET", "/api/v1/templates")).body, textsOfStarters, keep)

test("each text of the service has a German one, and each of those is used", () => {
  expect([...said].filter((text) => !german[text])).toEqual([])
  expect(Object.keys(german).filter((text) => !said.has(text))).toEqual([])
})

test("what stands for the values of visitors is in both", () => {
  const parts = /\{\{?\w+\}?\}|`[^`]+`/g
  const differing = Object.entries(german).filter(
    ([english, text]) =>
      (english.match(parts) ?? []).sort().join() !== (text.match(parts) ?? []).sort().join(),
  )
  expect(differing).toEqual([])
})
