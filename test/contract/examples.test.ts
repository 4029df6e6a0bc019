/** The document shows by example what every operation takes and answers, and every event. */
import { Ajv2020 } from "ajv/dist/2020.js"
import { expect, it } from "vitest"
import { escaped } from "../../scripts/drills/judge.ts"
import { webhookEventSchema } from "../../src/chat/events/eventSchemas.ts"
import { document, examples, webhooksDocument } from "../support/documentExamples.ts"

const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false })
ajv.addSchema(document, "openapi")
ajv.addSchema(webhooksDocument, "webhooks")

type Body = { content?: Record<string, { example?: unknown }> } | undefined

/** What is wrong with the example in a body of JSON. */
function faultsOf(body: Body, place: string[], within = "openapi"): unknown {
  const { example } = body?.content?.["application/json"] ?? {}
  if (example === undefined) return null
  const pointer = [...place, "content", "application/json", "schema"].map(escaped).join("/")
  const validate = ajv.compile({ $ref: `${within}#/${pointer}` })
  return validate(example) ? null : validate.errors
}

it.each(examples)("$id shows an answer", (example) => {
  expect(example.response).toBeDefined()
  expect(example.path).not.toContain("undefined")
})

it("every operation that changes something shows its body", () => {
  const silent = examples.filter(({ takesBody, request }) => takesBody && request === undefined)
  expect(silent.map(({ id }) => id)).toEqual([])
})

it("every example is valid", () => {
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, { requestBody, responses, operationId }] of Object.entries(item)) {
      const place = ["paths", path, method]
      expect(faultsOf(requestBody, [...place, "requestBody"]), operationId).toBeNull()
      const success = [...place, "responses", "200"]
      expect(faultsOf(responses["200"], success), operationId).toBeNull()
    }
  }
})

it("every event is in the document, with its headers and a valid example", () => {
  const types = webhookEventSchema.options.map(({ shape }) => shape.type.value)
  expect(Object.keys(webhooksDocument.webhooks)).toEqual(types)
  for (const [type, { post }] of Object.entries(webhooksDocument.webhooks)) {
    const names = post.parameters.map(({ $ref }) => $ref?.split("/").at(-1) ?? "")
    const headers = names.map((name) => webhooksDocument.components.parameters[name]?.name)
    expect(headers).toEqual(["webhook-id", "webhook-timestamp", "webhook-signature"])
    const { example } = post.requestBody.content["application/json"]
    expect(webhookEventSchema.parse(example)).toEqual(example)
    expect(example).toMatchObject({ type })
    expect(
      faultsOf(post.requestBody, ["webhooks", type, "post", "requestBody"], "webhooks"),
      type,
    ).toBeNull()
  }
})
