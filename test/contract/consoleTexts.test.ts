/** The console has no text that no view shows. */
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, test } from "vitest"

const folder = "src/pages/console"
const names = (await readdir(folder, { recursive: true })).filter((name) => /\.tsx?$/.test(name))
const sources = new Map(
  await Promise.all(
    names.map(async (name) => [name, await readFile(join(folder, name), "utf8")] as const),
  ),
)

type Catalogue = { file: string; name: string; keys: string[]; isExported: boolean }

/** The declarations of texts of a file, and what it has beside them. */
function partsOf(file: string, source: string): { catalogues: Catalogue[]; code: string } {
  const catalogues: Catalogue[] = []
  let apart = ""
  const code = source
    // Long ones stand apart from their declaration.
    .replace(/^const (en|de)\b[^=]*= \{[\s\S]*?^\}/gm, (text, language: string) => {
      if (language === "en") apart = text.replaceAll("\n  ", "\n    ")
      return ""
    })
    .replace(declaration, (text, exported: string | undefined, name: string) => {
      const english = text.slice(text.indexOf("en: {"), text.search(/\bde: \{/))
      const keys = keysOf(english || apart)
      catalogues.push({ file, name, keys, isExported: exported !== undefined })
      return ""
    })
  return { catalogues, code }
}

const declaration = /^(export )?const (\w+) = defineTexts[\s\S]*?\n?\}?\)$/gm

/** The names of texts; not of the parameters of those that are functions. */
function keysOf(english: string): string[] {
  const places = /\n {4}\w/.test(english) ? /^ {4}(\w+)(?=:|,$)/gm : /(?:\{|,) (\w+): /g
  return [...english.matchAll(places)].map(([, key = ""]) => key)
}

const parts = [...sources].map(([file, source]) => ({ file, ...partsOf(file, source) }))
const catalogues = parts.flatMap((part) => part.catalogues)
const allCode = parts.map(({ code }) => code).join("\n")

/** Where a text may be shown: its own file, or those that import its catalogue. */
function codeAbout({ file, name, isExported }: Catalogue): string {
  const sharing = parts.filter((part) => part.file === file || part.code.includes(name))
  return (isExported ? sharing : parts.filter((part) => part.file === file))
    .map(({ code }) => code)
    .join("\n")
}

test("every text is shown by a view", () => {
  const unused = catalogues.flatMap((catalogue) => {
    const code = codeAbout(catalogue)
    // Keys that come from data, such as the names of states, are somewhere in the code.
    const searched = isIndexed(code, catalogue.name) ? allCode : code
    return catalogue.keys
      .filter((key) => !new RegExp(`\\b${key}\\b`).test(searched))
      .map((key) => `${catalogue.file}: ${key}`)
  })
  expect(unused).toEqual([])
})

/** Whether a catalogue is read by names that are values. */
function isIndexed(code: string, name: string): boolean {
  const readings = [
    ...code.matchAll(new RegExp(`(\\w+)(?: =)? (?:useTexts|textsNow)\\(${name}\\)`, "g")),
  ]
  // Returned, indexed, or given another name.
  return readings.some(
    ([, variable]) =>
      variable === "return" || new RegExp(`\\b${variable}\\[|= ${variable}$`, "m").test(code),
  )
}

test("catalogues are found, with their texts", () => {
  const calls = [...sources.values()].join("\n").match(/= defineTexts/g)
  expect(catalogues).toHaveLength(calls?.length ?? 0)
  expect(catalogues.filter(({ keys }) => keys.length === 0)).toEqual([])
})
