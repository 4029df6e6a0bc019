/** The rules of src/engine/BEHAVIOUR.md and the tests that cite them, held to each other. */
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import { blockTypes } from "../../src/engine/blocks/registry.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const chapters = filesIn("src/engine/behaviour", /\.md$/)
const rules = chapters.flatMap(({ path, text }) =>
  [...text.matchAll(/^## (\d+\.\d+) \S/gm)].map(([, rule = ""]) => ({ path, rule })),
)
const tests = ["src", "test"].flatMap((folder) => filesIn(folder, /\.test\.ts$/))
const citations = tests.flatMap(({ path, text }) => citedIn(text).map((rule) => ({ path, rule })))

it("the pages and the citations are found", () => {
  expect(rules.length).toBeGreaterThan(150)
  expect(citations.length).toBeGreaterThan(150)
})

it("every rule has one number, in the page of its chapter", () => {
  const numbers = rules.map(({ rule }) => rule)
  expect(numbers.filter((rule, index) => numbers.indexOf(rule) !== index)).toEqual([])
  const astray = rules.filter(({ path, rule }) => {
    const chapter = rule.split(".")[0]?.padStart(2, "0")
    return !path.startsWith(`src/engine/behaviour/${chapter}-`)
  })
  expect(astray).toEqual([])
})

it("every rule that a test cites is in the pages", () => {
  const known = new Set(rules.map(({ rule }) => rule))
  const unknown = citations.filter(({ rule }) => !known.has(rule))
  expect(unknown.map(({ path, rule }) => `${path} cites ${rule}`)).toEqual([])
})

it("every rule is cited by a test", () => {
  const cited = new Set(citations.map(({ rule }) => rule))
  const loose = rules.filter(({ rule }) => !cited.has(rule))
  expect(loose.map(({ path, rule }) => `${path}: ${rule}`)).toEqual([])
})

it("the index lists every page, and pages refer to rules that exist", () => {
  const index = readFileSync(`${root}/src/engine/BEHAVIOUR.md`, "utf8")
  const listed = [...index.matchAll(/\]\((behaviour\/[\w-]+\.md)\)/g)].map(([, page]) => page)
  expect(listed.map((page) => `src/engine/${page}`)).toEqual(chapters.map(({ path }) => path))
  const known = new Set(rules.map(({ rule }) => rule))
  const referred = [...chapters, { path: "BEHAVIOUR.md", text: index }].flatMap(({ path, text }) =>
    [...text.matchAll(/\((?:[^()]*\s)?(\d{1,2}\.\d{1,2})(?=[),])/g)].map(([, rule = ""]) => ({
      path,
      rule,
    })),
  )
  expect(referred.length).toBeGreaterThan(50)
  expect(referred.filter(({ rule }) => !known.has(rule))).toEqual([])
})

// Spelled with a sign before the number, so that this file cites nothing.
it.each([
  ['describe("#6.5 dates", () => {', ["6.5"]],
  ['it("#19.4 opens the address", async () => {', ["19.4"]],
  ['describe.each(types)("#16.1 %s", (name) => {', ["16.1"]],
  ["test.each([\n  [1],\n])(\n  `#18.2 reads %s`,\n  (n) => {", ["18.2"]],
  ['expect(text).toBe("#6.5 dates")', []],
  ['describe("dates of #6.5", () => {', []],
])("citations stand at the beginning of a title: %j", (text, cited) => {
  expect(citedIn(text.replace("#", ""))).toEqual(cited)
})

it("16.4 every type of the registry has a rule", () => {
  const pages = chapters.filter(({ path }) => /\/(?:16|17|18|19|20|21)-/.test(path))
  const text = pages.map((page) => page.text).join("\n")
  const missing = Object.keys(blockTypes).filter((type) => !text.includes(`\`${type}\``))
  expect(missing).toEqual([])
})

it("18 the rule of every input says what events call it", () => {
  const { text = "" } = chapters.find(({ path }) => /\/18-/.test(path)) ?? {}
  const silent = Object.entries(blockTypes).filter(
    ([type, block]) =>
      block.kind === "input" &&
      !text.includes(` \`${type}\`\n\nEvents call it \`${block.replyName}\`.\n`),
  )
  const hint = "## 18.n `type`, a blank line, then: Events call it `replyName`."
  expect(
    silent.map(([type]) => type),
    hint,
  ).toEqual([])
})

/** The numbers at the beginning of titles: of strings that a function follows. */
function citedIn(text: string): string[] {
  const titles = text.matchAll(
    /\(\s*(["'`])(\d+\.\d+) [^\n]*?\1,\s*(?:async )?(?:\(|\w+ =>|function)/g,
  )
  return [...titles].map(([, , rule = ""]) => rule)
}

function filesIn(folder: string, ending: RegExp) {
  return readdirSync(`${root}/${folder}`, { recursive: true, encoding: "utf8" })
    .map((path) => `${folder}/${path.replaceAll("\\", "/")}`)
    .filter((path) => ending.test(path))
    .sort()
    .map((path) => ({ path, text: readFileSync(`${root}/${path}`, "utf8") }))
}
