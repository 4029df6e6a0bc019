/** Holds the generator of the OpenAPI document to what readers and tools of the document rely on. */
import { expect, test } from "vitest"
import { z } from "zod"
import { generateOpenApi } from "../../src/http/openapi/openapi.ts"
import type { Json } from "../../src/http/openapi/openapiSchemas.ts"
import { problemComponents } from "../../src/http/openapi/problemParts.ts"
import { publicProcedure, router, tokenProcedure } from "../../src/routers/trpc.ts"
import { repeatedObjects } from "../support/repeatedObjects.ts"

const leafSchema = z.object({ at: z.iso.datetime(), mail: z.email() }).meta({ id: "Leaf" })
const treeSchema = z
  .object({
    name: z.string(),
    leaf: leafSchema,
    get children() {
      return z.array(treeSchema).optional()
    },
  })
  .meta({ id: "Tree" })
const settingsSchema = z.object({ size: z.number().default(1) }).meta({ id: "Settings" })
const blockSchema = z.looseObject({ id: z.string(), type: z.string() }).meta({ id: "Block" })

const toy = router({
  plant: tokenProcedure
    .meta({
      admits: "botWriters",
      example: { request: { tree: {} }, response: { tree: {} } },
      openapi: {
        method: "POST",
        path: "/api/v1/bots/{botId}/trees",
        operationId: "plantTree",
        tags: ["Bots"],
        errorResponses: [409],
      },
    })
    .input(z.object({ botId: z.string(), tree: treeSchema, settings: settingsSchema }))
    .output(z.object({ tree: treeSchema, settings: settingsSchema, block: blockSchema }))
    .mutation(({ input }) => ({ ...input, block: { id: "b", type: "text" } })),
  start: publicProcedure
    .meta({
      admits: "anybody",
      takesKey: true,
      example: { path: { publicId: "oak" }, response: { sessionId: "s" } },
      openapi: {
        method: "POST",
        path: "/api/v1/bots/{publicId}/startChat",
        operationId: "startChat",
        tags: ["Chat"],
        protect: false,
      },
    })
    .input(z.object({ publicId: z.string(), tree: treeSchema.optional() }))
    .output(z.object({ sessionId: z.string() }))
    .mutation(() => ({ sessionId: "s" })),
  preview: publicProcedure
    .meta({
      openapi: {
        method: "POST",
        path: "/api/v1/bots/{botId}/preview/startChat",
        operationId: "startPreviewChat",
        tags: ["Chat"],
        protect: false,
      },
      takesToken: true,
      admits: ["flowPreviewers", "botReaders"],
      example: { response: {} },
    })
    .input(z.object({ botId: z.string(), size: z.union([z.number(), z.string()]) }))
    .output(z.object({ at: z.string().max(9).nullable(), tree: treeSchema.nullable() }))
    .mutation(() => ({ at: null, tree: null })),
})

const components = {
  TextBlock: z.object({ type: z.literal("text"), words: z.string() }).meta({ id: "TextBlock" }),
  OtherBlock: z.looseObject({ type: z.string() }).meta({ id: "OtherBlock" }),
  WaitBlock: z
    .object({ type: z.literal("wait.long"), seconds: z.number() })
    .meta({ id: "WaitBlock" }),
}

const document = generateOpenApi({ router: toy, version: "1.2.3", components })

/** The value at a path of keys. */
function at(...keys: string[]): unknown {
  return keys.reduce<unknown>((value, key) => (value as Json | undefined)?.[key], document)
}

const plant = ["paths", "/api/v1/bots/{botId}/trees", "post"]
const start = ["paths", "/api/v1/bots/{publicId}/startChat", "post"]
const preview = ["paths", "/api/v1/bots/{botId}/preview/startChat", "post"]

test("the server is where the document was read, and no path has one of its own", () => {
  expect(at("servers")).toEqual([{ url: "/" }])
  expect(at("paths", "/api/v1/bots/{publicId}/startChat", "servers")).toBeUndefined()
})

test("a token is needed, unless an operation says that it is not", () => {
  expect(at("security")).toEqual([{ accessToken: [] }])
  expect(at(...plant, "security")).toBeUndefined()
  expect(at(...start, "security")).toEqual([])
  expect(at(...preview, "security")).toEqual([{}, { accessToken: [] }])
})

test("every error response is the one error document", () => {
  const responses = at(...plant, "responses") as Json
  expect(Object.keys(responses)).toEqual([
    "200",
    "400",
    "401",
    "403",
    "404",
    "409",
    "413",
    "415",
    "429",
    "503",
  ])
  expect(responses["404"]).toEqual({ $ref: "#/components/responses/NotFound" })
  expect(at("components", "responses", "Unauthorized", "content")).toEqual({
    "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } },
  })
  const ofData = Object.keys(problemComponents).concat("DraftAuthor", "StoredAmount")
  const others = Object.keys(at("components", "schemas") as Json).filter(
    (name) => ![...ofData, "ProblemData"].includes(name),
  )
  expect(others).toEqual([
    "Block",
    "Issue",
    "IssueKey",
    "Leaf",
    "OtherBlock",
    "Settings",
    "TextBlock",
    "Tree",
    "WaitBlock",
  ])
})

test("request and response share one component, in which a default makes a member optional", () => {
  const tree = ["content", "application/json", "schema", "properties", "tree"]
  expect(at(...plant, "requestBody", ...tree)).toEqual({ $ref: "#/components/schemas/Tree" })
  expect(at(...plant, "responses", "200", ...tree)).toEqual({ $ref: "#/components/schemas/Tree" })
  expect(JSON.stringify(document)).not.toContain("Output")
  expect(at("components", "schemas", "Settings")).toEqual({
    type: "object",
    properties: { size: { type: "number", format: "double" } },
  })
})

test("formats carry no pattern, objects are open", () => {
  expect(at("components", "schemas", "Leaf", "properties")).toEqual({
    at: { type: "string", format: "date-time" },
    mail: { type: "string", format: "email" },
  })
  expect(JSON.stringify(document)).not.toContain('"additionalProperties":false')
})

test("a block is one of the block types by its type, which no other type can have", () => {
  expect(at("components", "schemas", "Block")).toMatchObject({
    oneOf: [
      { $ref: "#/components/schemas/TextBlock" },
      { $ref: "#/components/schemas/WaitBlock" },
      { $ref: "#/components/schemas/OtherBlock" },
    ],
    discriminator: {
      propertyName: "type",
      mapping: {
        text: "#/components/schemas/TextBlock",
        "wait.long": "#/components/schemas/WaitBlock",
      },
    },
  })
  expect(at("components", "schemas", "OtherBlock", "properties", "type")).toEqual({
    type: "string",
    not: { enum: ["text", "wait.long"] },
  })
})

test("null is a type beside another, or a choice beside a component", () => {
  const properties = [...preview, "responses", "200", "content", "application/json", "schema"]
  expect(at(...properties, "properties")).toEqual({
    at: { type: ["string", "null"], maxLength: 9 },
    tree: { anyOf: [{ $ref: "#/components/schemas/Tree" }, { type: "null" }] },
  })
})

test("a choice of plain types is a choice of schemas, and numbers are doubles", () => {
  const body = [...preview, "requestBody", "content", "application/json", "schema", "properties"]
  expect(at(...body, "size")).toEqual({
    oneOf: [{ type: "number", format: "double" }, { type: "string" }],
  })
})

test("the headers for request ids and repetitions are described where they work", () => {
  const refs = (keys: string[]) =>
    (at(...keys, "parameters") as Json[]).map((each) => each.$ref ?? each.name)
  expect(refs(plant)).toEqual([
    "#/components/parameters/BotId",
    "#/components/parameters/RequestId",
  ])
  expect(refs(start)).toContain("#/components/parameters/IdempotencyKey")
  expect(at("components", "parameters", "IdempotencyKey", "name")).toBe("Idempotency-Key")
  expect(at(...start, "responses", "422")).toBeDefined()
  expect(at(...start, "responses", "200", "headers")).toHaveProperty("idempotent-replayed")
  expect(at(...plant, "responses", "200", "headers")).not.toHaveProperty("idempotent-replayed")
})

test("limits are in the headers of every success and of their refusals", () => {
  const names = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"]
  for (const operation of [plant, start, preview]) {
    const told = Object.keys(at(...operation, "responses", "200", "headers") as Json)
    expect(told).toEqual(expect.arrayContaining(names))
  }
  const refused = Object.keys(at("components", "responses", "TooManyRequests", "headers") as Json)
  expect(refused).toEqual(["x-request-id", "retry-after", ...names])
})

test("refusals declare the headers that they have: when to come back, and how to sign in", () => {
  const declared = (name: string) =>
    Object.keys(at("components", "responses", name, "headers") as Json)
  expect(declared("NotFound")).toEqual(["x-request-id"])
  expect(declared("ServiceUnavailable")).toEqual(["x-request-id", "retry-after"])
  expect(declared("Unauthorized")).toEqual(["x-request-id", "www-authenticate"])
})

test("events are the webhooks of the document, with the parameters that they name", () => {
  const parameters = {
    PingId: { name: "ping-id", in: "header", required: true, schema: { type: "string" } },
  }
  const post = { operationId: "onPing", parameters: [{ $ref: "#/components/parameters/PingId" }] }
  const webhooks = { events: { ping: { post } }, parameters }
  const withEvents = generateOpenApi({ router: toy, version: "1", webhooks })
  expect(withEvents.webhooks).toEqual({ ping: { post } })
  expect(withEvents.components).toMatchObject({ parameters })
})

test("a body is required only where a member is", () => {
  expect(at(...plant, "requestBody", "required")).toBe(true)
  expect(at(...start, "requestBody", "required")).toBeUndefined()
})

test("shapes that are written out twice are found", () => {
  expect(repeatedObjects(document)).toEqual([])
  const pair = { type: "object", properties: { x: {}, y: {} } }
  const places = [["#/a", "#/b/0"]]
  expect(repeatedObjects({ a: pair, b: [{ ...pair, description: "again" }] })).toEqual(places)
})

test("an operation documents whom it admits", () => {
  expect(at("paths", "/api/v1/bots/{botId}/trees", "post", "x-admits")).toEqual(["botWriters"])
  expect(at("paths", "/api/v1/bots/{botId}/preview/startChat", "post", "x-admits")).toEqual([
    "flowPreviewers",
    "botReaders",
  ])
  expect(at("x-admissions")).toMatchObject({ anybody: "Public: no token needed" })
})

test("an operation shows what it takes and answers, and ids in its path", () => {
  expect(at(...start, "responses", "200", "content", "application/json", "example")).toEqual({
    sessionId: "s",
  })
  expect(at(...plant, "requestBody", "content", "application/json", "example")).toEqual({
    tree: {},
  })
  const [named] = at(...start, "parameters") as Json[]
  expect(named).toMatchObject({ name: "publicId", example: "oak" })
  expect(at("components", "parameters", "BotId", "example")).toBe("p9s8d7f6g5h4j3k2l1q0w9e8")
})
