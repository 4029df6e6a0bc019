/** Holds the committed OpenAPI document, the route table and the seed endpoints to each other. */
import { readdirSync, readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { isJson, type Json } from "../../src/http/openapi/openapiSchemas.ts"
import { buildRoutes } from "../../src/http/rest/routes.ts"
import { appRouter } from "../../src/routers/app.ts"
import { repeatedObjects } from "../support/repeatedObjects.ts"

const document: Json = JSON.parse(readFileSync("openapi.json", "utf8"))
const { routes } = buildRoutes(appRouter)

function operations(): [string, Json][] {
  const paths = Object.entries(document.paths as Record<string, Json>)
  return paths.flatMap(([path, item]) =>
    Object.entries(item)
      .filter((entry): entry is [string, Json] => isJson(entry[1]))
      .map(([method, operation]): [string, Json] => [`${method.toUpperCase()} ${path}`, operation]),
  )
}

test("the document knows the operations of the route table, and the endpoints beside it", () => {
  const served = routes.map(({ method, path }) => `${method} ${path}`)
  const beside = [
    "POST /api/v1/sessions/{sessionId}/streamMessage",
    "GET /api/v1/sessions/{sessionId}/events",
    "GET /api/v1/bots/{botId}/changes",
    "GET /api/v1/bots/{botId}/conversations/{key}/messages/events",
    "GET /api/v1/sessions/{sessionId}/messages/events",
    "GET /api/v1/bots/{botId}/results/export",
    "GET /api/v1/bots/{botId}/files/{folder}/{fileName}",
  ]
  expect(
    operations()
      .map(([name]) => name)
      .sort(),
  ).toEqual([...served, ...beside].sort())
})

test("a choice that `type` does not decide holds no other choice", () => {
  const { schemas = {} } = document.components as Record<string, Record<string, Json>>
  const inner = Object.values(schemas)
    .filter(({ oneOf, discriminator }) => oneOf !== undefined && discriminator === undefined)
    .flatMap(({ oneOf }) => (oneOf as Json[]).map(({ $ref }) => String($ref).split("/").at(-1)))
  expect(inner.filter((name) => schemas[name ?? ""]?.oneOf !== undefined)).toEqual([])
})

test("a list that has no pages says how many it holds at most", () => {
  const lists = operations().filter(([, { operationId }]) => /^list[A-Z]/.test(`${operationId}`))
  const whole = lists.filter(([, { parameters = [] }]) => {
    return !(parameters as Json[]).some(({ name, $ref }) =>
      /^cursor$|\/cursor$/i.test(`${name ?? $ref}`),
    )
  })
  // Streams, and what only another version of the service changes.
  const others = ["listenForEvents", "listenForChanges", "listBlocks"]
  const unbounded = whole
    .filter(([, { description }]) => !/(?:at most|the newest) [\d,]+/.test(String(description)))
    .map(([, { operationId }]) => String(operationId))
  const hint = "add a `cursor`, or `at most N` to the description"
  expect(
    unbounded.filter((name) => !others.includes(name)),
    hint,
  ).toEqual([])
})

test("every operation has one known tag, and a name of its own in camel case", () => {
  const known = (document.tags as Json[]).map(({ name }) => [name])
  const names = operations().map(([, { operationId }]) => operationId)
  expect(names.length).toBe(new Set(names).size)
  for (const [name, { operationId, tags }] of operations()) {
    expect(known, name).toContainEqual(tags)
    expect(operationId, name).toMatch(/^[a-z][A-Za-z0-9]*$/)
  }
})

test("every operation says in words who may call it, and with which scope", () => {
  for (const [name, operation] of operations()) {
    const [, needs = ""] = String(operation.description).split("\n\nNeeds: ")
    const scope = operation["x-scope"]
    expect(needs, name).toMatch(/^[a-zA-Z].*\.$/)
    if (scope !== undefined)
      expect(needs, name).toContain(scope === "any" ? "any scope" : `\`${scope}\``)
    expect(/^no token/.test(needs), name).toBe(
      /anybody|visitors|flowPreviewers/.test(String(operation["x-admits"])),
    )
  }
})

test("every operation says whom it admits", () => {
  const known = Object.keys(document["x-admissions"] as Json)
  for (const [name, operation] of operations()) {
    const admits = operation["x-admits"] as string[]
    expect(admits.length, name).toBeGreaterThan(0)
    expect(known, name).toEqual(expect.arrayContaining(admits))
  }
})

test("every operation shows the parameters that it needs, and what it answers", () => {
  const { parameters: named = {} } = document.components as Record<string, Json>
  for (const [name, operation] of operations()) {
    const needed = ((operation.parameters ?? []) as Json[])
      .map((each) => (named[String(each.$ref).split("/").at(-1) ?? ""] ?? each) as Json)
      .filter(({ required }) => required === true)
    expect(
      needed.filter(({ example }) => example === undefined),
      name,
    ).toEqual([])
    const { content = {} } =
      (operation.responses as Record<string, Record<string, Json>>)[200] ?? {}
    expect(
      Object.values(content).some((media) => isJson(media) && "example" in media),
      name,
    ).toBe(true)
  }
})

test("what may be null beside a choice has a name", () => {
  const inner = JSON.stringify(document).match(/"anyOf":\[\{"oneOf"/g)
  expect(inner).toBeNull()
})

test("no parameter has the name of a schema", () => {
  const { schemas = {}, parameters = {} } = document.components as Record<string, Json>
  expect(Object.keys(parameters).filter((name) => name in schemas)).toEqual([])
})

test("the document has less than 640 KiB on its way, before it is compressed", () => {
  expect(Buffer.byteLength(JSON.stringify(document))).toBeLessThan(640 * 1024)
})

test("the ten first endpoints keep their paths and names", () => {
  const names = operations().map(([name, operation]) => `${name} ${operation.operationId}`)
  expect(names).toEqual(
    expect.arrayContaining([
      "POST /api/v1/workspaces createWorkspace",
      "GET /api/v1/workspaces/{workspaceId} getWorkspace",
      "POST /api/v1/bots/import importBot",
      "GET /api/v1/bots/{botId} getBot",
      "PATCH /api/v1/bots/{botId} updateBot",
      "GET /api/v1/bots/{botId}/publishedBot getPublishedBot",
      "GET /api/v1/bots/{botId}/results/{resultId} getResult",
      "POST /api/v1/bots/{publicId}/startChat startChat",
      "POST /api/v1/sessions/{sessionId}/continueChat continueChat",
      "POST /api/v1/bots/{botId}/preview/startChat startPreviewChat",
    ]),
  )
})

test("only chats and the catalogue are called without a token, and every operation has a description", () => {
  for (const [name, operation] of operations()) {
    const isOpen = ["Chat", "Catalogue"].includes((operation.tags as string[])[0] ?? "")
    const security = (operation.security ?? document.security) as object[]
    const needsToken = security.some((each) => "accessToken" in each) && security.length === 1
    expect([name, needsToken]).toEqual([name, !isOpen])
    expect(operation.summary, name).toBeTypeOf("string")
  }
})

test("operations that do heavy work declare the 422 for what is too much", () => {
  const heavy = readdirSync("src/routers", { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .flatMap((path) => readFileSync(`src/routers/${path}`, "utf8").split(/Operation\(\s*"/))
    .filter((text) => text.includes("heavy.run("))
  expect(heavy.length).toBeGreaterThan(4)
  for (const text of heavy) expect(text).toMatch(/errorResponses: \[[^\]]*\b422\]/)
})

test("bodies of chats and of calls to them may have 1 MiB, all others and previews 4 MiB", () => {
  for (const { path, isChat, takesWholeBody, maxBodyBytes } of routes) {
    const mebibytes = takesWholeBody || (isChat && !path.includes("/preview/")) ? 1 : 4
    expect([path, maxBodyBytes]).toEqual([path, mebibytes * 1024 * 1024])
  }
})

test("no shape is written out twice", () => {
  expect(repeatedObjects(document)).toEqual([])
})

test("every reference leads somewhere", () => {
  const refs = new Set(JSON.stringify(document).match(/#\/components\/\w+\/\w+/g))
  const names = Object.entries(document.components as Record<string, Json>).flatMap(
    ([kind, members]) => Object.keys(members).map((name) => `#/components/${kind}/${name}`),
  )
  expect([...refs].filter((ref) => !names.includes(ref))).toEqual([])
})

test("every member on the wire is described", () => {
  expect(undescribed(document, "#")).toEqual([])
})

test("every parameter is described", () => {
  const { parameters: named = {}, schemas = {} } = document.components as Record<string, Json>
  const at = (members: Json, ref: unknown) => members[String(ref).split("/").at(-1) ?? ""] as Json
  const silent = operations().flatMap(([name, operation]) =>
    ((operation.parameters ?? []) as Json[])
      .map((each) => (each.$ref === undefined ? each : at(named, each.$ref)))
      .filter(({ description, schema }) => {
        const { description: ofSchema, $ref } = schema as Json
        return (description ?? ofSchema ?? ($ref && at(schemas, $ref).description)) === undefined
      })
      .map((parameter) => `${name} ${parameter.name}`),
  )
  expect(silent).toEqual([])
})

function undescribed(value: unknown, place: string): string[] {
  if (Array.isArray(value))
    return value.flatMap((each, index) => undescribed(each, `${place}/${index}`))
  if (!isJson(value)) return []
  const own = isJson(value.properties) ? Object.entries(value.properties) : []
  const silent = own.filter(([, member]) => isJson(member) && !speaks(member))
  return [
    ...silent.map(([name]) => `${place}/${name}`),
    ...Object.entries(value).flatMap(([key, member]) => undescribed(member, `${place}/${key}`)),
  ]
}

// A reference is described where it leads to; a constant says all there is.
function speaks(member: Json): boolean {
  const branches = Array.isArray(member.anyOf) ? member.anyOf.filter(isJson) : []
  return [member, ...branches].some(
    ({ description, $ref, const: only }) => (description ?? $ref ?? only) !== undefined,
  )
}
