/** Forms of the OpenAPI document that popular generators of clients turn into code that compiles. */
import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { isJson, type Json, memberOf, walk } from "../../src/http/openapi/openapiSchemas.ts"

const document: Json = JSON.parse(readFileSync("openapi.json", "utf8"))
const schemas = memberOf(document, "components", "schemas")

function placesWhere(isWrong: (schema: Json) => boolean): string[] {
  const found: string[] = []
  walk(document, (schema) => {
    if (isWrong(schema)) found.push(JSON.stringify(schema).slice(0, 200))
  })
  return found
}

test("no pattern needs more than RE2: no look-arounds, no back references", () => {
  expect(placesWhere(({ pattern }) => /\(\?[=!<]|\\[1-9]/.test(String(pattern ?? "")))).toEqual([])
})

test("no boolean is a literal, which Java makes of a text", () => {
  expect(
    placesWhere(({ type, ...rest }) => type === "boolean" && ("const" in rest || "enum" in rest)),
  ).toEqual([])
})

test("each discriminator names schemas that have its value as a constant", () => {
  const wrong: unknown[] = []
  walk(document, ({ discriminator }) => {
    if (!isJson(discriminator)) return
    const { propertyName, mapping } = discriminator
    for (const [value, reference] of Object.entries(isJson(mapping) ? mapping : {})) {
      const name = String(reference).split("/").at(-1) ?? ""
      const member = memberOf(schemas, name, "properties", String(propertyName))
      if (member.const !== value) wrong.push({ value, reference })
    }
  })
  expect(wrong).toEqual([])
})

test("error codes, states and types of events are open: known names beside any other text", () => {
  const problem = memberOf(schemas, "Problem", "properties")
  for (const member of [problem.code, problem.reason]) {
    expect(member).toMatchObject({
      anyOf: [{ type: "string", enum: expect.arrayContaining(["NOT_FOUND"]) }, { type: "string" }],
    })
  }
  // Written where they are used: generators make empty types of components that are such a choice.
  expect(schemas).not.toHaveProperty("ParleyErrorCode")
  expect(schemas).not.toHaveProperty("ConversationState")
})

test("webhooks are no part of it: generators take them for operations", () => {
  expect(document).not.toHaveProperty("webhooks")
})
