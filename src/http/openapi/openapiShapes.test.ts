/** Shapes that the operations of today do not have, and those of tomorrow may. */
import { expect, test } from "vitest"
import { shapeSchemas } from "./openapiShapes.ts"

/** What becomes of a member of a component. */
function shaped(member: object): unknown {
  const holder = { type: "object", properties: { member } }
  shapeSchemas({ components: { schemas: { Holder: holder } } })
  return holder.properties.member
}

test("a text or null is one type of two", () => {
  const either = { anyOf: [{ type: "string", maxLength: 9 }, { type: "null" }] }
  expect(shaped(either)).toEqual({ type: ["string", "null"], maxLength: 9 })
})

test("one of a few words or null still allows null", () => {
  const words = { type: "string", enum: ["read", "write"] }
  expect(shaped({ anyOf: [words, { type: "null" }] })).toEqual({ anyOf: [words, { type: "null" }] })
})
