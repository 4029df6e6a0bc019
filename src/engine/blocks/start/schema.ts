/** Where a flow of schema version 3, 4 or 5 begins. */
import type { z } from "zod"
import { optional } from "../../schema/members.ts"
import { blockSchemaOf } from "../blockSchema.ts"

export const startBlockSchema = blockSchemaOf("start", "The start of a flow before version 6", {
  label: optional.text("Text on the builder's canvas"),
}).meta({
  id: "StartBlock",
  description: "First block of the first group before version 6; later versions have an event",
})

export type StartBlock = z.infer<typeof startBlockSchema>
