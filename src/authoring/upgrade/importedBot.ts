/** Reads a bot from a file: an export, a dump of a published bot, a hand-written flow. */
import { z } from "zod"
import type { BlockBase } from "../../engine/blocks/block.ts"
import { typeOf } from "../../engine/blocks/registry.ts"
import {
  edgesSchema,
  eventsSchema,
  type Flow,
  flowLimits,
  groupSchema,
  groupsSchema,
  hasEvents,
  latestVersion,
  schemaVersionSchema,
  variablesSchema,
} from "../../engine/bot.ts"
import { resultsTablePreferencesSchema } from "../../engine/schema/resultsTablePreferences.ts"
import { settingsSchema } from "../../engine/schema/settings.ts"
import { namedObject } from "../../engine/schema/sharedMembers.ts"
import { themeSchema } from "../../engine/schema/theme.ts"
import { badRequest } from "../../lib/errors.ts"
import { pickList } from "../../lib/foreignJson.ts"
import { isMembers, type Members } from "../../lib/json.ts"
import { type Path, pointerOf } from "../lint/location.ts"
import { toLatest } from "./latest.ts"
import { normalizeFlow } from "./normalize.ts"
import { type Validation, validateFlow } from "./validateFlow.ts"

const defaultName = "My bot"

export const maxBotNameLength = 255

/** A member of exports that the flow does not use; its value is not validated. */
const unchecked = (description: string) =>
  z
    .unknown()
    .optional()
    .describe(description)
    .meta({ override: { type: "string" } })

/** A bot from a file, with absent members completed. */
export const completeBotSchema = namedObject(
  "ImportedBot",
  "A bot from a file; groups, blocks, edges, events and variables keep their ids",
  {
    $schema: unchecked("JSON Schema by which editors check the file; ignored"),
    id: unchecked(
      "Id of the bot that the file was made from; an import by a caller that may read that bot " +
        "copies its public files that the flow names",
    ),
    workspaceId: unchecked("Workspace of that bot; without it no files are copied"),
    updatedAt: unchecked("When that bot was last changed; ignored"),
    version: schemaVersionSchema
      .default(latestVersion)
      .describe("Version of the file; absent: 3 without events, else the latest"),
    name: z
      .string()
      .min(1)
      .default(defaultName)
      .describe(`Name; default ${defaultName}; cut to ${maxBotNameLength} characters`),
    events: eventsSchema.nullable().default(null).describe("Entry points; null before version 6"),
    groups: groupsSchema.default([]),
    edges: edgesSchema.default([]),
    variables: variablesSchema.default([]),
    theme: themeSchema.default({}),
    settings: settingsSchema.default({}),
    icon: z.string().nullable().default(null).describe("Emoji or address of a picture"),
    folderId: z
      .string()
      .nullable()
      .default(null)
      .describe("Folder of the target workspace; one it does not have counts as none"),
    resultsTablePreferences: resultsTablePreferencesSchema.nullable().default(null),
    selectedThemeTemplateId: z.string().nullable().default(null).describe("Theme template"),
  },
)

/** A bot from a file. Optional members have defaults; unknown members are dropped. */
export const importedBotSchema: z.ZodType<
  ImportedBot,
  z.input<typeof completeBotSchema>
> = z.preprocess(completed, completeBotSchema) as never

export type ImportedBot = z.output<typeof completeBotSchema>

/** Like `importedBotSchema.safeParse(raw)`, but stops once further issues would not be reported. */
export function readImport(raw: unknown): Validation<ImportedBot> {
  if (isOfStepTimes(raw)) {
    const issue = { code: "custom", path: ["blocks"], message: tooOld, input: "" }
    return { success: false, error: new z.ZodRealError([{ ...issue, code: "custom" }]) }
  }
  return validateFlow(completeBotSchema, completed(raw))
}

const tooOld =
  "The file is older than version 3: its groups are called `blocks` and its blocks `steps`. Open it with a " +
  "builder that writes version 3 or later, and export it from there"

function isOfStepTimes(raw: unknown): boolean {
  if (!isMembers(raw) || !Array.isArray(raw.blocks) || raw.groups != null) return false
  return raw.blocks.some((block) => isMembers(block) && Array.isArray(block.steps))
}

/** The sent flow, in the version of its structure. */
export function sentFlow(bot: ImportedBot): Flow {
  const { events, groups, edges, variables, theme, settings } = bot
  // A dump of an old bot may claim a newer version; its structure decides.
  const version = hasEvents(bot.version) && events === null ? "5" : bot.version
  return { version, events, groups, edges, variables, theme, settings }
}

/**
 * The imported flow, brought up to date; version 6 stays 6. Refuses a flow without a start. `at`: the path of
 * the bot in the request, for the pointer of that refusal.
 */
export function flowOfImport(bot: ImportedBot, newId: () => string, at: Path = []): Flow {
  const latest = toLatest(sentFlow(bot), newId)
  if (latest !== undefined) return latest
  const message = "Invalid bot file: start event is missing"
  const path = [...at, hasEvents(bot.version) ? "events" : "groups"]
  throw badRequest(message, [{ message, path, pointer: pointerOf(path), code: "no-start" }])
}

/** Unknown members are not read: a hostile file may have 100,000. */
function completed(raw: unknown): unknown {
  if (!isMembers(raw)) return raw
  const { groups: sent, ...others } = membersNamed(botMembers, raw)
  const bot: Members = {}
  for (const [name, value] of Object.entries(others)) {
    if (value !== null) bot[name] = isTooLong(name, value) ? value : stripped(value, 0)
  }
  const groups = completedGroups(sent ?? undefined)
  const version = bot.version ?? (Array.isArray(bot.events) ? latestVersion : "3")
  return normalizeFlow({
    ...bot,
    version: typeof version === "number" ? String(version) : version,
    groups,
    events: eachOf(bot.events, flowLimits.events, (event) => ({ ...placed, ...event })),
    edges: withTargetGroups(bot.edges, groups),
  })
}

const botMembers = Object.keys(completeBotSchema.shape)
const groupMembers = Object.keys(groupSchema.shape)

/** Whether a list is refused by its length alone. */
function isTooLong(name: string, value: unknown): boolean {
  const { [name]: most = Number.POSITIVE_INFINITY }: Readonly<Record<string, number>> = flowLimits
  return Array.isArray(value) && value.length > most
}

/** Those members of an object that have one of these names. */
function membersNamed(names: readonly string[], all: Members): Members {
  const known = names.filter((name) => Object.hasOwn(all, name))
  return Object.fromEntries(known.map((name) => [name, all[name]]))
}

/** Hand-written edges may name only a block: its group is added. */
function withTargetGroups(edges: unknown, groups: unknown): unknown {
  if (!Array.isArray(edges) || edges.length > flowLimits.edges) return edges
  const groupOf = new Map<unknown, unknown>()
  for (const group of Array.isArray(groups) ? groups : []) {
    if (!isMembers(group) || !Array.isArray(group.blocks)) continue
    for (const block of group.blocks) if (isMembers(block)) groupOf.set(block.id, group.id)
  }
  return edges.map((edge) => {
    if (!isMembers(edge) || !isMembers(edge.to) || edge.to.groupId != null) return edge
    const groupId = groupOf.get(edge.to.blockId)
    return groupId === undefined ? edge : { ...edge, to: { ...edge.to, groupId } }
  })
}

/**
 * Groups without nulls, with absent members completed. Blocks of unknown types are kept word for word. Groups
 * with more blocks than a bot may have stay unchanged, for validation to refuse.
 */
function completedGroups(groups: unknown): unknown {
  if (!Array.isArray(groups) || groups.length > flowLimits.blocks) return groups
  let count = 0
  const complete: unknown[] = []
  for (const [index, group] of groups.entries()) {
    count += pickList(group, "blocks").length
    if (count > flowLimits.blocks) return groups
    complete.push(isMembers(group) ? completedGroup(group, index) : group)
  }
  return complete
}

function completedGroup(sent: Members, index: number): Members {
  const { blocks, ...group } = membersNamed(groupMembers, sent)
  const bare = eachOf(blocks ?? [], flowLimits.blocks, (block) =>
    typeOf(block as BlockBase).isUnknown ? block : withoutNulls(block),
  )
  return { ...placed, title: `Group #${index + 1}`, ...withoutNulls(group), blocks: bare }
}

/** Deeper than anything in a flow except texts. */
const deepestMember = 12

/**
 * The members that are not null, at any depth; generated clients write null for members that were absent when
 * read. Unchanged objects are returned themselves, because copying many members is slow.
 */
function withoutNulls(members: Members, depth = 0): Members {
  let bare: Members | undefined
  for (const name in members) {
    const value = members[name]
    const kept = name === "richText" ? value : stripped(value, depth)
    if (kept === value && value !== null) continue
    bare ??= { ...members }
    if (value === null) delete bare[name]
    else bare[name] = kept
  }
  return bare ?? members
}

function stripped(value: unknown, depth: number): unknown {
  if (Array.isArray(value)) return value.map((element) => stripped(element, depth))
  return isMembers(value) && depth < deepestMember ? withoutNulls(value, depth + 1) : value
}

/** A list with each object changed; a list that is too long stays, for validation to refuse. */
function eachOf(parts: unknown, max: number, change: (part: Members) => Members): unknown {
  if (!Array.isArray(parts) || parts.length > max) return parts
  return parts.map((part) => (isMembers(part) ? change(part) : part))
}

const placed = { graphCoordinates: { x: 0, y: 0 } }
