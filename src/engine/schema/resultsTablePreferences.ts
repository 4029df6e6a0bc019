/** Preferences of the results table: order, visibility and width of columns. */

import { z } from "zod"
import { listOf, mapOf } from "./lists.ts"
import { namedObject } from "./sharedMembers.ts"

// Old builders stored an empty map of widths as an empty list.
const readWidths = (sent: unknown) => (Array.isArray(sent) && sent.length === 0 ? {} : sent)

/** Preferences of the results table; omitted members are empty. */
export const resultsTablePreferencesSchema = namedObject(
  "ResultsTablePreferences",
  "How the builder shows the results",
  {
    columnsOrder: listOf(z.string()).default([]).describe("Ids of the columns, left to right"),
    columnsVisibility: mapOf(z.string(), z.boolean())
      .default({})
      .describe("Whether a column is shown, by its id; absent: shown"),
    columnsWidth: z
      .preprocess(readWidths, mapOf(z.string(), z.number()).default({}))
      .describe("Width of a column in pixels, by its id")
      .meta({ override: { type: "object", additionalProperties: { type: "number" } } }),
  },
)

export type ResultsTablePreferences = z.infer<typeof resultsTablePreferencesSchema>
