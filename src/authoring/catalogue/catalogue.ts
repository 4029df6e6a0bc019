/** The catalogue: every type of block and event, for editors. */
import { type BlockType, blockTypes, typeOf } from "../../engine/blocks/registry.ts"
import type { CatalogueTraits, messengers } from "../../engine/schema/catalogueTraits.ts"
import { eventCatalogue, eventSchemas } from "../../engine/schema/event.ts"
import type { EditorHints } from "../../engine/schema/sharedMembers.ts"
import { pick } from "../../lib/foreignJson.ts"
import { defined } from "../../lib/presentMembers.ts"
import { editorSchemaOf, type JsonSchema, visitMembers } from "./editorSchema.ts"

/** Kinds of types, from the most to the least visible to visitors. */
export const kinds = ["bubble", "input", "logic", "integration", "event"] as const

/** Where edges leave: at items, at paths within items, at the block itself, or nowhere. */
export const exits = ["items", "paths", "one", "none"] as const

/** A type of block or event. */
export type CatalogueEntry = Omit<CatalogueTraits, "messengers" | "isLegacy"> & {
  type: string
  kind: (typeof kinds)[number]
  /** A new one, without its id. */
  defaults: { type: string }
  /** The type of credential that it needs; absent: none. */
  credentials?: string
  /** Whether a bot with it cannot be published on the free plan. */
  isPaid: boolean
  /** Whether only flows of former versions have it: editors show it but do not offer it. */
  isLegacy: boolean
  exits: (typeof exits)[number]
  channels: Record<"web" | (typeof messengers)[number], "full" | "reduced" | "none">
  schema: JsonSchema
}

/** Yields the entries one by one: all of them take 0.1 s in a new process. */
export function* catalogueEntries(): Generator<CatalogueEntry> {
  for (const type of Object.keys(blockTypes)) yield blockEntry(type, typeOf({ id: "", type }))
  for (const schema of eventSchemas) {
    const type = schema.shape.type.value
    const defaults = { graphCoordinates: { x: 0, y: 0 }, ...eventCatalogue[type].defaults }
    const traits = { ...eventCatalogue[type], defaults, category: "events" } as const
    const own = { type, kind: "event", exits: "one", isPaid: false } as const
    yield entryOf(traits, own, editorSchemaOf(schema))
  }
}

function blockEntry(type: string, blockType: BlockType): CatalogueEntry {
  const { catalogue, kind, isPaid = false, schema: blockSchema } = blockType
  const schema = editorSchemaOf(blockSchema)
  const credentials = credentialsIn(schema, type)
  markSecretPlaces(schema, blockType)
  const isLogic = catalogue.category === "logic"
  const own = {
    type,
    kind: kind !== "action" ? kind : isLogic ? "logic" : "integration",
    ...(blockType.needsCredentials && defined({ credentials })),
    isPaid,
    exits: exitsOf(blockType, type),
  } as const
  return entryOf(catalogue, own, schema)
}

type OwnMembers = Pick<CatalogueEntry, "type" | "kind" | "credentials" | "isPaid" | "exits">

function entryOf(traits: CatalogueTraits, own: OwnMembers, schema: JsonSchema): CatalogueEntry {
  const { messengers: inMessengers = "full", isLegacy = false, defaults, label, ...shown } = traits
  const support = (name: (typeof messengers)[number]) =>
    typeof inMessengers === "string" ? inMessengers : inMessengers[name]
  return {
    ...own,
    label,
    ...shown,
    defaults: { type: own.type, ...defaults },
    isLegacy,
    channels: { web: "full", whatsapp: support("whatsapp"), telegram: support("telegram") },
    schema: { ...schema, title: label, description: shown.description },
  }
}

/** The type of the first credential that a block names; fills in the block's own type in the schema. */
function credentialsIn(schema: JsonSchema, ownType: string): string | undefined {
  const found: string[] = []
  visitMembers(schema, (member) => {
    const hints = member["x-parley"] as EditorHints | undefined
    if (hints?.credentials === undefined) return
    const type = hints.credentials === true ? ownType : hints.credentials
    member["x-parley"] = { ...hints, credentials: type }
    found.push(type)
  })
  return found[0]
}

/** Marks the templates of a block from which secrets of the workspace leave. */
function markSecretPlaces(schema: JsonSchema, { sendsSecrets }: BlockType): void {
  for (const path of sendsSecrets?.({ options: {} } as never) ?? []) {
    const place = pick(schema, ...path.flatMap((name) => ["properties", name])) as JsonSchema
    visitMembers({ properties: { place } }, (member) => {
      const hints = member["x-parley"] as EditorHints | undefined
      if (hints?.template) member["x-parley"] = { ...hints, sendsSecrets: true }
    })
  }
}

/** A block that is passed by default continues within its group, so it has no edge of its own. */
function exitsOf(blockType: BlockType, type: string): CatalogueEntry["exits"] {
  if (blockType.pathEdges) return "paths"
  if (blockType.edges) return "items"
  const passes = blockType.kind === "action" && blockType.passes?.({ id: "", type } as never)
  return passes && !blockType.isStart ? "none" : "one"
}
