/** The bots that come with the service, played by test files as bots of authors are. */
import { readdirSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { lintBot } from "../../src/authoring/lint/lint.ts"
import { builtInThemes } from "../../src/bots/builtInThemes.ts"
import { drawStarter } from "../../src/bots/starters/drawStarter.ts"
import { heightOf } from "../../src/bots/starters/layOut.ts"
import { flowOf } from "../../src/bots/starters/starter.ts"
import { starters } from "../../src/bots/starters/starters.ts"
import { openSandbox } from "../../src/effects/sandbox/sandbox.ts"
import { type Flow, flowSchema } from "../../src/engine/bot.ts"
import { createSuite } from "../../src/workshop/suite.ts"

const folder = join(import.meta.dirname, "starters")
const sandbox = openSandbox()
afterAll(() => sandbox.close())

const flows = new Map<string, Flow>(starters.map((starter) => [starter.id, flowOf(starter)]))
const connected = JSON.stringify(flows.get("faq")).replace(
  '"action":',
  '"credentialsId":"openai","action":',
)
flows.set("faq with a credential", flowSchema.parse(JSON.parse(connected)))

const suite = createSuite({
  readText: (path) => readFile(path, "utf8"),
  readBot: async (name) => flows.get(name) ?? Promise.reject(new Error(`No starter ${name}`)),
  resolve: (_, bot) => bot,
  runScripts: (scripts, how) => sandbox.run(scripts, how),
})

describe("a starter", () => {
  it.each(readdirSync(folder))("passes its tests: %s", async (name) => {
    const { tests, mistakes } = await suite.run(join(folder, name))
    const failures = tests.filter(({ failure }) => failure)
    const shown = failures.map(({ failure, line }) => ({ ...failure, line }))
    expect({ shown, mistakes }).toEqual({ shown: [], mistakes: [] })
    expect(tests.length).toBeGreaterThan(0)
  })

  it.each(starters.map(({ id }) => id))("is reached by its tests, all of it: %s", (id) => {
    // What is missed in every form of it.
    const forms = suite.coverage().filter(({ bot }) => bot.startsWith(id))
    const [first, ...others] = forms.map(({ missed }) => missed)
    expect(first?.filter((each) => others.every((missed) => missed.includes(each)))).toEqual([])
  })

  it.each([...flows])("has no finding but a credential to choose: %s", (id, flow) => {
    const findings = lintBot({ name: id, ...flow }).map(({ rule, place }) => `${rule} ${place}`)
    const expected =
      id === "faq" ? ['missing-credential Group "Ask the model" › block 2 "openai"'] : []
    expect(findings).toEqual(expected)
  })

  it.each(starters)("has places on the canvas that do not overlap: $id", ({
    groups,
    ...starter
  }) => {
    const placed = flowOf({ groups, ...starter }).groups.map(({ graphCoordinates }, index) => {
      const { x, y } = graphCoordinates
      const group = groups[index]
      return { left: x, right: x + 300, top: y, bottom: y + (group ? heightOf(group) : 0) }
    })
    for (const [index, one] of placed.entries())
      for (const other of placed.slice(index + 1)) {
        const isBeside = one.right <= other.left || other.right <= one.left
        expect(isBeside || one.bottom <= other.top || other.bottom <= one.top).toBe(true)
      }
  })
})

it("gives each starter a theme and an id of its own", () => {
  const themes = new Set(builtInThemes.map(({ id }) => id))
  expect(new Set(starters.map(({ id }) => id)).size).toBe(12)
  expect(new Set(starters.map(({ themeId }) => themeId)).size).toBe(12)
  expect(starters.filter(({ themeId }) => !themes.has(themeId))).toEqual([])
  expect(readdirSync(folder)).toEqual(
    expect.arrayContaining(starters.map(({ id }) => `${camel(id)}.test.yaml`)),
  )
})

const camel = (id: string) => id.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())

it("draws pictures of a few kilobytes that load nothing", () => {
  for (const starter of starters) {
    const picture = drawStarter(starter)
    expect(picture.length).toBeLessThan(4_000)
    expect(picture.replace("http://www.w3.org/2000/svg", "")).not.toMatch(/https?:|href|<script/)
  }
})
