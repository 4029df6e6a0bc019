/** OpenAPI 3.2 types each part of a stream, which 3.1 can only refer to. */
import { readFileSync } from "node:fs"
import { Ajv2020 } from "ajv/dist/2020.js"
import { afterAll, expect, test } from "vitest"
import { type Json, memberOf, operationsOf } from "../../src/http/openapi/openapiSchemas.ts"
import { inOpenApi32 } from "../../src/http/openapi/streamItems.ts"
import type { ChatEvent } from "../../src/routers/chat/streams.ts"
import { chatNewsSchema } from "../../src/routers/conversation/hearMessages.ts"
import { botChangeSchema } from "../../src/routers/edit/hearBot.ts"
import { serveToy } from "./toy.ts"

const document: Json = JSON.parse(readFileSync("openapi.json", "utf8"))
const next = inOpenApi32(document)
const toy = await serveToy()
afterAll(() => toy.stop(0))

/** What a stream answers with, by media type. */
function contentOf(of: Json, operationId: string): Record<string, Json> {
  const operation = operationsOf(of).find((each) => each.operationId === operationId) ?? {}
  return memberOf(operation, "responses", "200", "content") as Record<string, Json>
}

/** The names of the events of a stream. */
function eventsIn(operationId: string): unknown[] {
  const item = contentOf(next, operationId)["text/event-stream"]?.itemSchema as { oneOf: Json[] }
  return item.oneOf.map((each) => memberOf(each, "properties", "event").const)
}

const chatEvents: Record<Exclude<ChatEvent["type"], "listening">, true> = {
  message: true,
  "conversation.paused": true,
  "conversation.resumed": true,
  "conversation.reply": true,
  "conversation.typing": true,
  "conversation.continued": true,
  "conversation.idle": true,
  "conversation.ended": true,
  "conversation.expired": true,
}

test("every event of the event streams is typed", () => {
  const [changes, news] = [botChangeSchema, chatNewsSchema].map(({ options }) =>
    options.map((option) => option.shape.type.value),
  )
  expect(eventsIn("listenForChanges")).toEqual(changes)
  expect(eventsIn("listenForMessages")).toEqual(news)
  expect(eventsIn("listenForSessionMessages")).toEqual(news)
  expect(eventsIn("listenForEvents").sort()).toEqual(Object.keys(chatEvents).sort())
})

test.each([
  "listenForChanges",
  "listenForEvents",
  "listenForMessages",
  "listenForSessionMessages",
  "streamMessage",
  "exportResults",
])("the parts of %s are as their schema says, in their example", (operationId) => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema({ $id: "document", components: next.components })
  const typed = Object.entries(contentOf(next, operationId)).filter(([, each]) => each.itemSchema)
  expect(typed).toHaveLength(1)
  for (const [type, { itemSchema, example }] of typed) {
    const text = JSON.stringify(itemSchema).replaceAll('"#/comp', '"document#/comp')
    const accepts = ajv.compile(JSON.parse(text))
    const parts = partsOf(type, String(example))
    expect(parts.length).toBeGreaterThan(0)
    expect(parts.filter((part) => !accepts(part))).toEqual([])
  }
})

/** The parts of a stream as values. */
function partsOf(type: string, text: string): unknown[] {
  if (type === "text/plain") return text.split("\n").filter((line) => line !== "")
  if (type === "application/x-ndjson")
    return text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
  const events = text
    .split("\n\n")
    .map((event) => Object.fromEntries(event.split("\n").map((line) => line.split(": ", 2))))
  return events.filter((event) => "data" in event)
}

test("it is the same document otherwise: 3.1 keeps a text and names the schema beside it", async () => {
  const served = await fetch(`${toy.address}/openapi-3.2.json`)
  expect(await served.json()).toMatchObject({ openapi: "3.2.0" })
  expect(next.components).toEqual(document.components)
  const [before, after] = [document, next].map(
    (each) => contentOf(each, "listenForEvents")["text/event-stream"],
  )
  expect(before).toMatchObject({ schema: { type: "string" }, "x-item-schema": "/openapi-3.2.json" })
  expect(after).not.toHaveProperty("schema")
  expect(after).not.toHaveProperty("x-item-schema")
})
