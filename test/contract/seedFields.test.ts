/** No field of the seed is without effect: a test shows what each does. */
import { existsSync, readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { shownBy, withoutEffect } from "./seedFields.ts"
import { endpoints, nameOf, shapedFields } from "./seedTable.ts"

const shown = shownBy.flatMap(([file, title, fields]) =>
  fields.split(";").flatMap((part) => {
    const [shape = "", names = ""] = part.split(":")
    const places = names.trim().split(/\s+/)
    return places.map((name) => ({ field: `${shape.trim()}.${name}`, file, title }))
  }),
)

/** The bodies of these have the members of bots and chats, which have lines of their own. */
const requests = endpoints
  .filter(({ name }) => /Chat$|^importBot$/.test(name))
  .flatMap(({ name, request }) =>
    request.filter(({ path }) => path.length === 1).map((field) => `${name}.${nameOf(field)}`),
  )
  .filter((name) => !/\.(bot|workspaceId)$/.test(name))

const fields = [...shapedFields, ...requests]

const isWithout = (field: string) =>
  Object.keys(withoutEffect).some((each) => field === each || field.startsWith(`${each}.`))

test("every field is shown by a test, or has no effect", () => {
  const named = new Set(shown.map(({ field }) => field))
  expect(fields.length).toBeGreaterThan(200)
  expect(fields.filter((field) => !named.has(field) && !isWithout(field))).toEqual([])
  expect(fields.filter((field) => named.has(field) && isWithout(field))).toEqual([])
})

test("no field of the table is unknown, and only what WhatsApp needs is without effect", () => {
  expect(shown.map(({ field }) => field).filter((field) => !fields.includes(field))).toEqual([])
  expect(Object.keys(withoutEffect).filter((each) => !/whatsApp/.test(each))).toEqual([])
})

describe("a test has this title:", () => {
  test.each(shownBy.map(([file, title]) => ({ file, title })))("$file: $title", ({
    file,
    title,
  }) => {
    const path = `${file.startsWith("src/") ? file : `test/${file}`}.test.ts`
    expect(existsSync(path), path).toBe(true)
    expect(readFileSync(path, "utf8").includes(title), title).toBe(true)
  })
})
