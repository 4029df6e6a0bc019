/** The pages of the guide: their links lead somewhere, they name every reason, and they load nothing foreign. */
import { readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { chapterPaths } from "../../src/http/guide/chapters.ts"
import { guidePage, operationLinks } from "../../src/http/guide/guidePage.ts"
import { remedies } from "../../src/http/guide/remedies.ts"
import { renderMarkdown } from "../../src/http/guide/renderMarkdown.ts"
import type { Json } from "../../src/http/openapi/openapiSchemas.ts"
import { usualRates } from "../../src/http/rateLimit.ts"
import { scopes } from "../../src/people/grants.ts"
import { examples } from "../support/documentExamples.ts"
import { chapters } from "../support/guideSteps.ts"

const document: Json = JSON.parse(readFileSync("openapi.json", "utf8"))
const frame = { chapters, operations: operationLinks(document), style: "/s", script: "/j" }
const pages = new Map(
  chapters.map((chapter) => [
    chapter.path,
    guidePage(frame, chapter, renderMarkdown(chapter.text)),
  ]),
)

/** What the service serves besides the guide. */
const served = ["/openapi.json", "/openapi.webhooks.json", "/llms.txt", "/docs.md", "/s", "/j"]

const titles = [
  "Getting started",
  "Authentication",
  "Errors",
  "Pagination",
  "Idempotency",
  "Rate limits",
  "Webhooks",
  "Streaming",
  "Versions and deprecation",
  "Clients",
]

test("the chapters are in the order of reading", () => {
  expect(chapters.map(({ title }) => title)).toEqual(titles)
  expect(chapterPaths[0]).toBe("/docs")
})

describe.each([...pages])("%s", (path, page) => {
  test("links pages, sections and operations that exist", () => {
    const links = [...page.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, link = ""]) => link)
    const lost = links.filter((link) => !isThere(link, path))
    expect(lost).toEqual([])
    // Each page leads to every operation.
    expect(links.filter((link) => /#tag\/\w+\/[A-Z]+\//.test(link))).toHaveLength(examples.length)
  })

  test("has one heading of the first level, ids that are unique, and no code of its own", () => {
    expect(page.match(/<h1/g)).toHaveLength(1)
    const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
    expect(ids).toEqual([...new Set(ids)])
    expect(page).not.toMatch(/ style="| on\w+="|<script>|\[\[/)
  })

  test("is small", () => {
    expect(page.length).toBeLessThan(160_000)
  })
})

function isThere(link: string, from: string): boolean {
  if (/^https:\/\/www\.standardwebhooks\.com$|^\/embed\/icon\.svg$/.test(link)) return true
  const [path = "", hash] = link.split("#")
  if (path === "/docs/reference") return hash === undefined || isOperation(hash)
  const target = pages.get(path === "" ? from : path)
  if (target === undefined) return served.includes(path)
  return hash === undefined || target.includes(` id="${hash}"`)
}

/** Whether the reference has a tag, or an operation, at a place. */
function isOperation(hash: string): boolean {
  const [, tag = "", method, path] = /^tag\/(\w+)(?:\/([A-Z]+)(.+))?$/.exec(hash) ?? []
  const tags = document.tags as { name: string }[]
  if (!tags.some(({ name }) => name.toLowerCase() === tag)) return false
  const paths = document.paths as Record<string, Json>
  return path === undefined || paths[path]?.[method?.toLowerCase() ?? ""] !== undefined
}

test("every reason of a refusal has a section with its status, its remedy and an example", () => {
  const page = pages.get("/docs/errors") ?? ""
  for (const reason of Object.keys(remedies)) {
    const id = reason.toLowerCase().replaceAll("_", "-")
    const [, section = ""] = page.split(`<h4 id="${id}">`)
    const [own = ""] = section.split("<h4")
    expect(own, reason).toContain("<strong>Do:</strong>")
    expect(own, reason).toContain(`&quot;/problems/${id}&quot;`)
  }
})

test("every limit and every scope has a row", () => {
  for (const name of Object.keys(usualRates)) {
    expect(pages.get("/docs/rate-limits")).toContain(`<td><code>${name}</code></td>`)
  }
  for (const name of Object.keys(scopes)) {
    expect(pages.get("/docs/authentication")).toContain(`<td><code>${name}</code></td>`)
  }
})
