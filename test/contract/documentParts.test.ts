/** Parts of the OpenAPI document, and the document of the webhooks, stand alone. */
import { readFileSync } from "node:fs"
import { afterAll, describe, expect, test } from "vitest"
import { joinWebhooks, partOf } from "../../src/http/openapi/documentParts.ts"
import { type Json, memberOf, operationsOf } from "../../src/http/openapi/openapiSchemas.ts"
import { webhooksDocument } from "../support/documentExamples.ts"
import { serveToy } from "./toy.ts"

const document: Json = JSON.parse(readFileSync("openapi.json", "utf8"))
const webhooks: Json = webhooksDocument
const tags = (document.tags as { name: string }[]).map(({ name }) => name)
const ids = operationsOf(document).map(({ operationId }) => String(operationId))

/** References that lead nowhere. */
function danglingIn(part: Json): string[] {
  const references = JSON.stringify(part).match(/(?<="#\/components\/)\w+\/[^"]+/g) ?? []
  return references.filter((reference) => {
    const [kind = "", name = ""] = reference.split("/")
    return memberOf(part, "components", kind)[name] === undefined
  })
}

describe("a part", () => {
  test.each([...tags, ...ids])("with %s resolves all its references", (name) => {
    const part = partOf(document, [name])
    expect(danglingIn(part)).toEqual([])
    expect(operationsOf(part).length).toBeGreaterThan(0)
  })

  test("has only what its operations need", () => {
    const part = partOf(document, ["startChat", "continueChat"])
    expect(operationsOf(part)).toHaveLength(2)
    expect(Object.keys(memberOf(part, "components", "schemas"))).not.toContain("Workspace")
    expect(part.tags).toEqual([expect.objectContaining({ name: "Chat" })])
    expect(Object.keys(memberOf(part, "x-admissions"))).toEqual(["anybody", "visitors"])
    expect(Object.keys(memberOf(part, "x-scopes"))).toEqual(["bots:write"])
  })

  test("for chats has less than 110 kB before it is compressed", () => {
    const part = partOf(document, ["startChat", "continueChat"])
    expect(Buffer.byteLength(JSON.stringify(part))).toBeLessThan(110_000)
  })

  test("of all tags is the whole document", () => {
    expect(partOf(document, tags)).toEqual(document)
  })
})

describe("the webhooks", () => {
  test("are a document of their own, which resolves all its references", () => {
    expect(document.webhooks).toBeUndefined()
    expect(danglingIn(webhooks)).toEqual([])
    expect(danglingIn(document)).toEqual([])
  })

  test("are joined with the operations for the reference", () => {
    const whole = joinWebhooks({ document, webhooks })
    expect(whole.webhooks).toEqual(webhooks.webhooks)
    expect(danglingIn(whole)).toEqual([])
  })
})

describe("the served document", async () => {
  const toy = await serveToy()
  afterAll(() => toy.stop(0))
  const get = (path: string, headers = {}) => fetch(toy.address + path, { headers })

  test("is cached, and 304 while it has not changed", async () => {
    const first = await get("/openapi.json")
    expect(first.headers.get("cache-control")).toBe("public, max-age=300")
    const etag = first.headers.get("etag") ?? ""
    expect((await get("/openapi.json", { "if-none-match": etag })).status).toBe(304)
    expect((await get("/openapi.json", { "if-none-match": '"other"' })).status).toBe(200)
  })

  test("refuses unknown and too many names", async () => {
    const unknown = await get("/openapi.json?operations=nothing")
    expect(unknown.status).toBe(400)
    expect(await unknown.json()).toMatchObject({
      message: "No operation or tag is called `nothing`: send operation ids or tags",
    })
    const many = Array.from({ length: 101 }, (_, n) => `o${n}`).join()
    expect((await get(`/openapi.json?operations=${many}`)).status).toBe(400)
  })

  test("links the webhooks", async () => {
    expect(document.info).toMatchObject({
      description: expect.stringContaining("`/openapi.webhooks.json`"),
    })
    expect(await (await get("/openapi.webhooks.json")).json()).toHaveProperty("webhooks")
  })
})
