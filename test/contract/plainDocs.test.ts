/** The docs as text for assistants: every chapter, operation and event, within a bound. */
import { readFileSync } from "node:fs"
import { afterAll, expect, test } from "vitest"
import { docsText, llmsText } from "../../src/http/guide/plainDocs.ts"
import { remedies } from "../../src/http/guide/remedies.ts"
import type { Json } from "../../src/http/openapi/openapiSchemas.ts"
import { examples, webhooksDocument } from "../support/documentExamples.ts"
import { chapters } from "../support/guideSteps.ts"
import { serveToy } from "./toy.ts"

const document: Json = JSON.parse(readFileSync("openapi.json", "utf8"))
const publicUrl = "https://parley.example.com"
const source = { document, webhooks: webhooksDocument as Json, chapters, publicUrl }
const [all, overview] = [docsText(source), llmsText(source)]

test("everything is in one text of bounded size", () => {
  const headings = [...all.matchAll(/^#+ (.+)$/gm)].map(([, title]) => title)
  expect(headings).toEqual(expect.arrayContaining(chapters.map(({ title }) => title)))
  expect(headings).toEqual(expect.arrayContaining(examples.map(({ id }) => id)))
  expect(headings).toEqual(expect.arrayContaining(Object.keys(remedies)))
  for (const type of Object.keys(webhooksDocument.webhooks))
    expect(all).toContain(`- \`${type}\`: `)
  for (const { method, path } of examples) {
    const [fixed = ""] = path.split(/[?]/)
    expect(all).toContain(`\`${method} ${fixed.split("/").slice(0, 4).join("/")}`)
  }
  expect(all.length).toBeLessThan(200_000)
})

test("every operation says who may call it, and shows its members", () => {
  const [, operations = ""] = all.split("\n# Operations\n")
  const sections = operations.split(/^### /m).slice(1)
  expect(sections).toHaveLength(examples.length)
  for (const section of sections) expect(section).toMatch(/^\w+\n\n.*\n(?:.*\n)*Needs: /)
  const startChat = sections.find((each) => each.startsWith("startChat"))
  expect(startChat).toContain("Body: `{ resultId?: string | null, message?: Message | null,")
  expect(startChat).toContain("Answer: `{ sessionId: string, resultId?: string,")
})

test("links are whole, since assistants read the text elsewhere", () => {
  expect(`${all}${overview}`).not.toMatch(/\]\((?!https?:)|\[object|\[\[/)
})

test("the overview has the form of llms.txt: a title, a summary, and lists of links", () => {
  expect(overview).toMatch(/^# Parley\n\n> Parley is .*\n\n/)
  const lines = overview.split("\n").filter((line) => line.startsWith("- "))
  expect(lines.length).toBe(chapters.length + (document.tags as []).length + 3)
  for (const line of lines) expect(line).toMatch(/^- \[[^\]]+\]\(https:\/\/[^)]+\): \S/)
})

test("both are text with an ETag, 304 while they have not changed", async () => {
  const toy = await serveToy()
  afterAll(() => toy.stop(0))
  for (const path of ["/llms.txt", "/docs.md"]) {
    const first = await fetch(toy.address + path)
    expect(first.headers.get("content-type")).toMatch(/^text\/(?:plain|markdown); charset=utf-8$/)
    const headers = { "if-none-match": first.headers.get("etag") ?? "" }
    expect((await fetch(toy.address + path, { headers })).status).toBe(304)
  }
})
