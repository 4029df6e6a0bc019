/** The JSON Schema of bot files, for text editors that check and complete them. */

import { z } from "zod"
import { groupSchema, schemaVersionSchema, schemaVersions } from "../../engine/bot.ts"
import { edgeSchema } from "../../engine/schema/edge.ts"
import { mapOf } from "../../engine/schema/lists.ts"
import { resultsTablePreferencesSchema } from "../../engine/schema/resultsTablePreferences.ts"
import { completeBotSchema } from "../upgrade/importedBot.ts"
import type { CatalogueEntry } from "./catalogue.ts"
import { editorSchemaOf, type JsonSchema, visitMembers } from "./editorSchema.ts"

/** Old builders wrote an empty list for no widths. */
const widths = mapOf(z.string(), z.number()).describe("Width of a column in pixels, by its id")

/** Members that an import completes are optional. Blocks, events and edges have definitions of their own. */
const fileSchema = completeBotSchema.extend({
  $schema: z.string().optional().describe("JSON Schema by which editors check the file; ignored"),
  version: z
    .union([schemaVersionSchema, z.literal(schemaVersions.map(Number))])
    .optional()
    .describe("Version of the file; absent: 3 without events, else the latest"),
  groups: z
    .array(groupSchema.partial({ title: true, graphCoordinates: true, blocks: true }))
    .optional()
    .describe("Groups of blocks"),
  events: z
    .unknown()
    .optional()
    .describe("Entry points, the start event first; none before version 6"),
  edges: z.array(z.unknown()).optional().describe("Connections"),
  resultsTablePreferences: resultsTablePreferencesSchema
    .extend({ columnsWidth: z.union([widths, z.array(z.never()).max(0)]).optional() })
    .nullish(),
})

const fileEdgeSchema = edgeSchema.extend({ to: edgeSchema.shape.to.partial({ groupId: true }) })

/** Describes importable files, as far as JSON Schema can. */
export function botFileSchemaOf(entries: readonly CatalogueEntry[]): JsonSchema {
  const blocks = entries.filter(({ kind }) => kind !== "event")
  const events = entries.filter(({ kind }) => kind === "event")
  const { properties, ...bot } = nullable(editorSchemaOf(fileSchema)) as Parts
  properties.groups.items.properties.blocks.items = { $ref: "#/$defs/block" }
  return {
    ...bot,
    title: "Bot",
    properties,
    // Before version 5, edges of another form are dropped; before version 6, so are all events.
    allOf: [
      when(
        { anyOf: [since("5"), hasEvents] },
        { properties: { edges: { $ref: "#/$defs/edges" } } },
      ),
      when(
        { anyOf: [since("6"), hasEvents] },
        { properties: { events: { $ref: "#/$defs/events" } } },
      ),
    ],
    $defs: {
      block: choiceOf(blocks, {
        anyOf: [namesOf(blocks), { type: "string", minLength: 1, maxLength: 255 }],
      }),
      event: choiceOf(events, namesOf(events)),
      events: eventsSchema,
      edges: { type: ["array", "null"], items: edgeOfFile() },
      ...Object.fromEntries(entries.map((entry) => [nameOf(entry), partOfFile(entry)])),
    },
  }
}

type Parts = { properties: { groups: { items: { properties: { blocks: JsonSchema } } } } }

const since = (version: string): JsonSchema => {
  const enough = schemaVersions.filter((each) => Number(each) >= Number(version))
  return {
    type: "object",
    required: ["version"],
    properties: { version: { enum: [...enough, ...enough.map(Number)] } },
  }
}

/** Files without a version are of the latest, if they have events. */
const hasEvents: JsonSchema = {
  type: "object",
  required: ["events"],
  properties: { version: { type: "null" }, events: { type: "array" } },
}

/** Written with `else`, because an object with `then` would pass for a promise. */
const when = (condition: JsonSchema, consequence: JsonSchema): JsonSchema => ({
  if: { not: condition },
  else: consequence,
})

const isOfType = (type: string): JsonSchema => ({
  type: "object",
  required: ["type"],
  properties: { type: { const: type } },
})

const eventsSchema: JsonSchema = {
  type: ["array", "null"],
  items: { $ref: "#/$defs/event" },
  // Only the first event is the start; written so that mistakes belong to the list.
  not: { type: "array", minItems: 1, prefixItems: [{ not: isOfType("start") }] },
  contains: isOfType("start"),
  maxContains: 1,
}

/** Blocks or events, each by the schema of its type, so that mistakes are reported at their places. */
function choiceOf(entries: readonly CatalogueEntry[], type: JsonSchema): JsonSchema {
  return {
    type: "object",
    required: ["id", "type"],
    properties: { id: { type: "string", minLength: 1, maxLength: 255 }, type },
    allOf: entries.map((entry) => when(isOfType(entry.type), { $ref: `#/$defs/${nameOf(entry)}` })),
  }
}

const namesOf = (entries: readonly CatalogueEntry[]) => ({ enum: entries.map(({ type }) => type) })

/** The name of a definition: a type may be one of blocks and of events. */
const nameOf = ({ kind, type }: CatalogueEntry) =>
  `${kind === "event" ? "event" : "block"}-${type.replace(/\W/g, "-")}`

function partOfFile({ schema }: CatalogueEntry): JsonSchema {
  const { $schema: _, required, ...part } = schema
  const kept = (required as string[]).filter((name) => name !== "graphCoordinates")
  return nullable({ ...part, required: kept })
}

function edgeOfFile(): JsonSchema {
  const { $schema: _, ...edge } = nullable(editorSchemaOf(fileEdgeSchema))
  const { from, to } = edge.properties as Record<"from" | "to", JsonSchema>
  from.anyOf = [textIn("blockId"), textIn("eventId")]
  to.anyOf = [textIn("groupId"), textIn("blockId")]
  return edge
}

const textIn = (member: string): JsonSchema => ({
  type: "object",
  required: [member],
  properties: { [member]: { type: "string" } },
})

/** The same schema with null for every member that may be absent, as generated clients write it. */
function nullable(schema: JsonSchema): JsonSchema {
  const copy = structuredClone(schema)
  visitMembers(copy, (member, _name, isRequired) => {
    if (!isRequired) addNull(member)
  })
  return copy
}

function addNull(member: JsonSchema): void {
  const { const: only, enum: some = "const" in member ? [only] : undefined, anyOf } = member
  delete member.const
  if (Array.isArray(some)) member.enum = [...some, null]
  if (Array.isArray(anyOf)) anyOf.push({ type: "null" })
  if (member.type !== undefined) member.type = [...new Set([member.type, "null"].flat())]
  if (typeof member.additionalProperties === "object") {
    addNull(member.additionalProperties as JsonSchema)
  }
}
