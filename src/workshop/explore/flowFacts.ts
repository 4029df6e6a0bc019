/** Facts of a flow for exploring: targets of blocks, and the variables they read and set. */
import { type BlockEntry, itemExits } from "../../authoring/lint/blockEntries.ts"
import {
  type LintContext,
  lintContextOf,
  type Vertex,
  vertexAt,
} from "../../authoring/lint/lintContext.ts"
import type { Path } from "../../authoring/lint/location.ts"
import { answerVariable } from "../../engine/blocks/registry.ts"
import type { Flow, Group } from "../../engine/bot.ts"
import type { Condition } from "../../engine/schema/condition.ts"
import { tokensIn } from "../../engine/variables/interpolate.ts"
import { pick, pickText } from "../../lib/foreignJson.ts"
import { groupBy } from "../../lib/groupBy.ts"
import { memoize } from "../../lib/memoize.ts"

export type Exit = {
  /** Keys from the flow to its source. */
  path: Path
  /** Absent: to the next block of the group, or along no edge. */
  edgeId?: string | undefined
  /** Undefined: no target. */
  to: Vertex | undefined
  /** Index of its item; absent: the block's own way. */
  item?: number | undefined
}

export type BlockFacts = {
  entry: BlockEntry
  exits: readonly Exit[]
  /** Ids of the variables that it shows or sends, and of those that it compares. */
  reads: readonly string[]
  compares: readonly string[]
  /** Ids of the variables that it may set. */
  writes: readonly string[]
  conditions: readonly { at: Path; condition: Condition }[]
}

export type FlowFacts = {
  flow: Flow
  context: LintContext
  blocks: ReadonlyMap<string, BlockFacts>
  /** Every condition of the flow. */
  conditions: readonly Condition[]
  /** The blocks that may set a variable, by its id. */
  writers: ReadonlyMap<string, readonly BlockEntry[]>
  /** Variables that no block must set: with initial values, filled in by events, or only from outside. */
  given: ReadonlySet<string>
  /** Variables whose values depend on more than replies: other systems, the client, the page around it. */
  outside: ReadonlySet<string>
  /** The names of variables by id, and vice versa. */
  names: ReadonlyMap<string, string>
  ids: ReadonlyMap<string, string>
}

export const factsOf = memoize((flow: Flow): FlowFacts => {
  const context = lintContextOf(flow)
  const ids = new Map(flow.variables.map(({ id, name }) => [name, id]))
  const names = new Map(flow.variables.map(({ id, name }) => [id, name]))
  const textsOf = groupBy(context.texts, ({ entry }) => entry)
  const blocks = new Map<string, BlockFacts>()
  const writers = new Map<string, BlockEntry[]>()
  for (const entry of context.blocks) {
    if (blocks.has(entry.block.id)) continue
    const writes = writesOf(entry, names, ids)
    const isOther = (id: string) => !writes.includes(id)
    const conditions = (entry.type.conditions?.(entry.block) ?? []).flatMap(({ at, condition }) =>
      condition ? [{ at, condition }] : [],
    )
    blocks.set(entry.block.id, {
      entry,
      exits: exitsOf(context, entry),
      reads: printedIn(entry, textsOf.get(entry) ?? [], ids).filter(isOther),
      compares: comparedIn(conditions).filter(isOther),
      writes,
      conditions,
    })
    for (const id of writes) {
      const known = writers.get(id)
      if (known) known.push(entry)
      else writers.set(id, [entry])
    }
  }
  const given = new Set(
    flow.variables.flatMap(({ id, value }) =>
      (value !== undefined && value !== null) || !writers.has(id) ? id : [],
    ),
  )
  for (const event of flow.events ?? []) {
    for (const value of Object.values(("options" in event && event.options) || {})) {
      if (names.has(String(value))) given.add(String(value))
    }
  }
  const conditions = [...blocks.values()].flatMap((each) =>
    each.conditions.map(({ condition }) => condition),
  )
  const facts = { flow, context, blocks, conditions, writers, given, names, ids }
  return { ...facts, outside: outsideIn(facts) }
})

/** Kinds of calls that another system answers. */
const outsideKinds = ["http", "email", "sheet", "model", "mcpTool", "qrCode", "jwt", "inboundCall"]

/** Whether a block calls another system, or is called by one. */
export function isCaller({ type }: BlockEntry): boolean {
  if (type.kind !== "action") return false
  return Object.keys(type.resume ?? {}).some((kind) => outsideKinds.includes(kind))
}

/** Whether a block leads into another bot, which may set all shared variables. */
export function leadsElsewhere({ block, type }: BlockEntry): boolean {
  const { botId = "current" } = type.staticTarget?.(block) ?? {}
  return botId !== "current"
}

function outsideIn({ flow, blocks, writers, ids, names }: Omit<FlowFacts, "outside">): Set<string> {
  const entries = [...blocks.values()].map(({ entry }) => entry)
  if (entries.some(leadsElsewhere)) return new Set(flow.variables.map(({ id }) => id))
  const outside = new Set<string>()
  for (const { id, value } of flow.variables) {
    if ((value === undefined || value === null) && !writers.has(id)) outside.add(id)
  }
  const usersOf = new Map<string, BlockFacts[]>()
  const spread = ({ writes }: BlockFacts) => {
    for (const id of writes) outside.add(id)
  }
  for (const known of blocks.values()) {
    const { block, type } = known.entry
    const isReported = type.kind === "action" && type.waits?.(block) === true
    const text = JSON.stringify(block)
    if (isCaller(known.entry) || isReported || /\bfetch\s*\(/.test(text)) spread(known)
    for (const id of mentionedIn(text, ids, names)) {
      const users = usersOf.get(id)
      if (users) users.push(known)
      else usersOf.set(id, [known])
    }
  }
  // Grows during the loop: dependence on the outside spreads.
  for (const id of outside) for (const user of usersOf.get(id) ?? []) spread(user)
  return outside
}

/** Ids of the variables that a block mentions, in texts or by their ids. */
function mentionedIn(text: string, ids: FlowFacts["ids"], names: FlowFacts["names"]): string[] {
  const quoted = Array.from(text.matchAll(/"([^"\\]{1,255})"/g), ([, id = ""]) => id)
  const named = tokensIn(text).flatMap((name) => ids.get(name) ?? [])
  return [...named, ...quoted.filter((id) => names.has(id))]
}

/** Whether a block's behaviour depends on more than replies. */
export function dependsOnOutside({ entry: { block } }: BlockFacts, facts: FlowFacts): boolean {
  const text = JSON.stringify(block)
  return (
    /\bfetch\s*\(/.test(text) ||
    mentionedIn(text, facts.ids, facts.names).some((id) => facts.outside.has(id))
  )
}

/** Members whose variable is only read. */
const readMembers = new Set([
  "dynamicVariableId",
  "pictureSrcsVariableId",
  "titlesVariableId",
  "descriptionsVariableId",
  "attachmentsVariableId",
  "baseItemVariableId",
  "baseListVariableId",
  "targetListVariableId",
])

/** A member that names a variable may set it, unless known to read it. */
function writesOf(
  { block }: BlockEntry,
  names: ReadonlyMap<string, string>,
  ids: ReadonlyMap<string, string>,
): string[] {
  const found = new Set<string>()
  const visit = (value: unknown, key: string): void => {
    if (typeof value === "string") {
      if (/variableId$/i.test(key) && !readMembers.has(key) && names.has(value)) found.add(value)
      if (!value.includes("setVariable(")) return
      for (const [, , name = ""] of value.matchAll(/(["'`])([^"'`]{1,255})\1/g)) {
        const id = ids.get(name)
        if (id !== undefined) found.add(id)
      }
    } else if (typeof value === "object" && value !== null) {
      for (const [member, each] of Object.entries(value)) {
        if (member !== "comparisons") visit(each, Array.isArray(value) ? key : member)
      }
    }
  }
  visit(block, "")
  return [...found]
}

/** Members of actions that are code, which handles unset values, or are only stored. */
const codeMembers = ["expressionToEvaluate", "content", "item", "bodyPath"]

function printedIn(
  { type }: BlockEntry,
  texts: LintContext["texts"],
  ids: ReadonlyMap<string, string>,
): string[] {
  const unread = ["retryMessageContent", ...(type.kind === "action" ? codeMembers : [])]
  const shown = texts.filter(
    ({ path, isFilled }) => isFilled && !unread.some((member) => path.includes(member)),
  )
  return [...new Set(shown.flatMap(({ tokens }) => tokens.flatMap((name) => ids.get(name) ?? [])))]
}

/** Excludes variables that the block also tests for being set. */
function comparedIn(conditions: BlockFacts["conditions"]): string[] {
  const comparisons = conditions.flatMap(({ condition }) => condition.comparisons ?? [])
  const careful = new Set(
    comparisons.flatMap(({ variableId, comparisonOperator }) =>
      comparisonOperator === "Is set" || comparisonOperator === "Is empty" ? variableId : [],
    ),
  )
  const compared = new Set(comparisons.flatMap(({ variableId }) => variableId || []))
  return [...compared].filter((id) => !careful.has(id))
}

function exitsOf(context: LintContext, entry: BlockEntry): Exit[] {
  const { block, type, path, group, index } = entry
  const along = (edgeId: string | undefined) => {
    const to = edgeId === undefined ? undefined : context.edges.get(edgeId)?.to
    return to && vertexAt(context, to)
  }
  const exits: Exit[] = itemExits(entry).map((exit) => ({ ...exit, to: along(exit.edgeId) }))
  const next = group.blocks[index + 1]
  const following = next && context.blocksOf.get(group)?.get(next.id)
  const own = block.outgoingEdgeId
  // A bubble's own edge counts only at the end of its group.
  const isPassed = next !== undefined && (type.kind === "bubble" || type.isUnknown)
  if (own !== undefined && !isPassed) exits.push({ path, edgeId: own, to: along(own) })
  else exits.push({ path, to: following })
  return exits
}

export function groupOf(vertex: Vertex): Group {
  return "block" in vertex ? vertex.group : vertex
}

/** Whether a block's separately drawn ways all lead to the same place and the choice is not stored. */
export function leadsOneWay({ entry, exits }: BlockFacts): boolean {
  const { block, type } = entry
  const items = exits.filter(({ item }) => item !== undefined)
  const [first] = items
  const isSame = (exit: Exit) => exit.to !== undefined && exit.to === first?.to
  if (!first || !items.every(isSame)) return false
  if (type.needsItemEdges) return exits.every(isSame)
  if (items.length < 2) return false
  if (type.kind === "action") return true
  const isPlainChoice = type.kind === "input" && type.isChoice === true
  return isPlainChoice && answerVariable(block) === undefined && !isDynamic(block)
}

function isDynamic(block: object): boolean {
  return (
    pickText(block, "options", "dynamicVariableId") !== undefined ||
    pick(block, "options", "isMultipleChoice") === true ||
    pick(block, "options", "dynamicItems", "isEnabled") === true
  )
}

/** The variables that decide paths or choices, and whether their full values matter. */
export const deciding = memoize((facts: FlowFacts): ReadonlyMap<string, "full" | "compared"> => {
  const found = new Map<string, "full" | "compared">()
  const waiting: [string, "full" | "compared"][] = []
  const addTokens = (text: unknown) => {
    if (typeof text !== "string" || !text.includes("{{")) return
    for (const name of tokensIn(text)) {
      const id = facts.ids.get(name)
      if (id !== undefined) waiting.push([id, "full"])
    }
  }
  for (const { comparisons = [] } of facts.conditions) {
    for (const { variableId, value } of comparisons) {
      addTokens(value)
      if (variableId) waiting.push([variableId, "compared"])
    }
  }
  for (const { entry } of facts.blocks.values()) {
    const { block, type } = entry
    if (type.kind === "input") {
      const options: object = ("options" in block && block.options) || {}
      for (const [key, value] of Object.entries(options)) {
        if (readMembers.has(key)) waiting.push([String(value), "full"])
        if (key === "min" || key === "max") addTokens(value)
      }
    }
    addTokens(type.staticTarget?.(block)?.groupId)
  }
  const followed = new Set<object>()
  while (waiting.length > 0) {
    const [id, wanted] = waiting.pop() ?? ["", "full"]
    const sources = (facts.writers.get(id) ?? []).filter(({ type }) => type.kind !== "input")
    const how = sources.length > 0 ? "full" : wanted
    if (found.get(id) === "full" || found.get(id) === how) continue
    found.set(id, how)
    for (const { block } of sources) {
      if (!followed.has(block)) addTokens(JSON.stringify(block))
      followed.add(block)
    }
  }
  return found
})
