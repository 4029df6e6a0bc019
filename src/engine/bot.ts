/** A bot's flow as it is stored, and the same flow prepared for running. */

import { z } from "zod"
import { pickList } from "../lib/foreignJson.ts"
import { firstBy } from "../lib/groupBy.ts"
import { type Block, blockSchema, typeOf } from "./blocks/registry.ts"
import { type Edge, edgeSchema } from "./schema/edge.ts"
import { type BotEvent, eventSchema } from "./schema/event.ts"
import { listOf } from "./schema/lists.ts"
import { settingsSchema } from "./schema/settings.ts"
import { coordinatesSchema, idSchema, namedObject } from "./schema/sharedMembers.ts"
import { themeSchema } from "./schema/theme.ts"
import { variableSchema } from "./schema/variable.ts"
import { type Silence, silenceOf } from "./silence.ts"
import { tokensIn } from "./variables/interpolate.ts"

/** Schema versions of flows, oldest first. */
export const schemaVersions = ["3", "4", "5", "6", "6.1"] as const

export type SchemaVersion = (typeof schemaVersions)[number]

/** The version of new and upgraded bots. */
export const latestVersion = "6.1" satisfies SchemaVersion

/** Largest flow that is accepted. */
export const flowLimits = { blocks: 5_000, edges: 10_000, variables: 1_000, events: 1_000 } as const

export const schemaVersionSchema = z
  .enum(schemaVersions)
  .meta({ id: "SchemaVersion", description: "Version of the flow's format" })

export const groupSchema = namedObject("Group", "Blocks that run one after the other", {
  id: idSchema.describe("Id of the group"),
  title: z.string().describe("Title of the group"),
  graphCoordinates: coordinatesSchema,
  blocks: listOf(blockSchema, flowLimits.blocks).describe("Blocks in the order in which they run"),
})

export type Group = z.infer<typeof groupSchema>

/** Refuses groups with too many blocks in total, before any other check. */
export const fewBlocks = z.refine<readonly unknown[]>(
  (groups) => countBlocks(groups) <= flowLimits.blocks,
  { message: `A bot has at most ${flowLimits.blocks} blocks` },
)

export const fewEdges = z.maxLength(flowLimits.edges)

export const fewVariables = z.maxLength(flowLimits.variables)

export const groupsSchema = listOf(groupSchema, flowLimits.blocks)
  .check(fewBlocks)
  .describe("Groups of blocks")

export const edgesSchema = listOf(edgeSchema, flowLimits.edges).describe(
  "Connections; they may dangle",
)

export const variablesSchema = listOf(variableSchema, flowLimits.variables).describe(
  "Variables of the bot",
)

export const eventsSchema = listOf(eventSchema, flowLimits.events)
  .refine((events) => events[0]?.type === "start", {
    message: "The first event must be the start event",
  })
  .refine((events) => events.filter((event) => event.type === "start").length <= 1, {
    message: "A bot has exactly one start event",
  })
  .describe("Entry points, the start event first")

/** The contents of a bot's version. */
export const flowSchema = z.object({
  version: schemaVersionSchema,
  events: eventsSchema.nullable().describe("Entry points; null before version 6"),
  groups: groupsSchema,
  edges: edgesSchema,
  variables: variablesSchema,
  theme: themeSchema,
  settings: settingsSchema,
})

export type Flow = z.infer<typeof flowSchema>

/** Whether a flow of that version starts at an event; older ones start at a block. */
export function hasEvents(version: SchemaVersion): boolean {
  return Number(version) >= 6
}

function countBlocks(groups: readonly unknown[]): number {
  return groups.reduce<number>((sum, group) => sum + pickList(group, "blocks").length, 0)
}

/** A position of the walk: a group and the index of a block in it. */
export type Position = { group: Group; index: number }

/** The block at a position; undefined without a position or in a group without blocks. */
export function blockAt(position: Position | undefined): Block | undefined {
  return position?.group.blocks[position.index]
}

/** A flow with everything looked up once: immutable, shared by all chats on this version. */
export type Bot = {
  /** Id of the version, or the hash of a previewed flow. */
  version: string
  id: string
  flow: Flow
  groups: ReadonlyMap<string, Group>
  /** The first group of each title. */
  groupsByTitle: ReadonlyMap<string, Group>
  edges: ReadonlyMap<string, Edge>
  positions: ReadonlyMap<string, Position>
  /** Ids of the variables whose changes are kept with their values. */
  watched: ReadonlySet<string>
  /** Whether it makes transcripts, or links to another bot, which may. */
  makesTranscripts: boolean
  /** Edge on which a chat starts; undefined when the flow has none. */
  startEdgeId: string | undefined
  /** Undefined: the bot does not react to silence. */
  silence: Silence | undefined
}

/** Prepares a flow; the first of several equal ids wins. */
export function prepareBot(flow: Flow, version: string, id: string): Bot {
  const positions = new Map<string, Position>()
  for (const group of flow.groups) {
    for (const [index, block] of group.blocks.entries()) {
      if (!positions.has(block.id)) positions.set(block.id, { group, index })
    }
  }
  const isOld = !hasEvents(flow.version)
  return {
    version,
    id,
    flow,
    groups: firstBy(flow.groups, ({ id }) => id),
    groupsByTitle: firstBy(flow.groups, ({ title }) => title),
    edges: firstBy(flow.edges, ({ id }) => id),
    positions,
    watched: watchedVariables(flow),
    makesTranscripts: flow.groups.some(({ blocks }) => blocks.some(makesTranscript)),
    startEdgeId: isOld
      ? flow.groups[0]?.blocks[0]?.outgoingEdgeId
      : eventOf(flow, "start")?.outgoingEdgeId,
    silence: silenceOf(flow.settings, flow.events),
  }
}

export function mapBlocks(groups: readonly Group[], change: (block: Block) => Block): Group[] {
  return groups.map((group) => ({ ...group, blocks: group.blocks.map((block) => change(block)) }))
}

/** Distinct ids of the bots that these groups link to, without `ownId`. */
export function linkedBotIds(groups: readonly Group[], ownId?: string): string[] {
  const ids = groups.flatMap(({ blocks }) =>
    blocks.flatMap((block) => typeOf(block).staticTarget?.(block)?.botId ?? []),
  )
  return [...new Set(ids)].filter((id) => id !== "current" && id !== ownId)
}

/** The first event of a kind. */
export function eventOf<T extends BotEvent["type"]>(
  flow: Flow,
  type: T,
): Extract<BotEvent, { type: T }> | undefined {
  return flow.events?.find((event): event is Extract<BotEvent, { type: T }> => event.type === type)
}

function makesTranscript(block: Block): boolean {
  const type = typeOf(block)
  const { botId = "current" } = type.staticTarget?.(block) ?? {}
  return botId !== "current" || (type.kind === "action" && type.wantsHistory?.(block) === true)
}

function watchedVariables(flow: Flow): Set<string> {
  const names = new Set<string>()
  const ids = new Set<string>()
  for (const group of flow.groups) {
    for (const block of group.blocks) collectMentions(block, names, ids)
  }
  for (const variable of flow.variables) if (names.has(variable.name)) ids.add(variable.id)
  return ids
}

function collectMentions(block: Block, names: Set<string>, ids: Set<string>): void {
  const mentions = typeOf(block).mentions?.(block)
  for (const id of mentions?.variableIds ?? []) if (id) ids.add(id)
  for (const text of mentions?.texts ?? []) {
    for (const name of tokensIn(text ?? "")) names.add(name)
  }
}
