/** Tests how rows become responses. */

import { expect, it } from "vitest"
import { z } from "zod"
import { presentRow } from "./presentRow.ts"

const schema = z.object({
  id: z.string(),
  at: z.string(),
  note: z.string().optional(),
  icon: z.string().nullable(),
})

it("members that the schema does not name stay behind, and dates become ISO 8601", () => {
  const row = { id: "a", at: new Date(0), note: "Hi", icon: "x", secret: "hidden" }
  const presented = { id: "a", at: "1970-01-01T00:00:00.000Z", note: "Hi", icon: "x" }
  expect(presentRow(schema, row)).toEqual(presented)
})

it("null is absent, unless the schema takes it", () => {
  const row = { id: "a", at: new Date(0), note: null, icon: null }
  expect(Object.keys(presentRow(schema, row))).toEqual(["id", "at", "icon"])
  expect(presentRow(schema, row).icon).toBeNull()
})
