/** Writes values of flows as plain text for people. */
import { type Block, typeOf } from "../../engine/blocks/registry.ts"
import type { Flow } from "../../engine/bot.ts"
import { childrenOf, leavesOf } from "../../engine/richText/leavesOf.ts"
import { toMarkdown } from "../../engine/richText/toMarkdown.ts"
import type { Comparison, Condition } from "../../engine/schema/condition.ts"
import type { RichText } from "../../engine/schema/richText.ts"
import { cut } from "../../lib/cut.ts"
import { isMembers, type Members } from "../../lib/json.ts"
import { richText } from "./differences.ts"
import type { Part } from "./parts.ts"

/** Names for the ids of one flow, cut for display. */
export type Names = {
  /** Names of variables by id. */
  variables: ReadonlyMap<string, string>
  /** Titles of groups by id. */
  groups: ReadonlyMap<string, string>
}

export function namesOf({ variables, groups }: Flow): Names {
  return {
    variables: new Map(variables.map(({ id, name }) => [id, cut(name)])),
    groups: new Map(groups.map(({ id, title }) => [id, cut(title)])),
  }
}

/** The value of a member of that name as text; undefined without a value. */
export function textOf(value: unknown, name: string, names: Names): string | undefined {
  if (value === undefined) return undefined
  if (typeof value === "string") return namedText(value, name, names)
  if (isRichText(value, name)) return plainText(value)
  if (isCondition(value)) return conditionText(value, names)
  if (Array.isArray(value)) return joined(value.map((element) => textOf(element, name, names)))
  return isMembers(value) ? membersText(value, names) : String(value)
}

/**
 * The texts of two different values: plain text if that shows the difference, else Markdown or JSON,
 * which also show marks such as bold.
 */
export function textsOf(
  [before, beforeNames]: readonly [unknown, Names],
  [after, afterNames]: readonly [unknown, Names],
  name: string,
): { before: string | undefined; after: string | undefined } {
  const plain = {
    before: textOf(before, name, beforeNames),
    after: textOf(after, name, afterNames),
  }
  if (plain.before !== plain.after) return plain
  if (isRichText(before, name) && isRichText(after, name)) {
    const marked = { before: toMarkdown(before), after: toMarkdown(after) }
    if (marked.before !== marked.after) return marked
  }
  return { before: JSON.stringify(before), after: JSON.stringify(after) }
}

/** A condition as text; empty without comparisons. */
function conditionText({ comparisons, logicalOperator }: Condition, names: Names): string {
  const parts = (comparisons ?? []).map((comparison) => comparisonText(comparison, names))
  return parts.join(` ${logicalOperator ?? "AND"} `)
}

/** The label of an item of a block, or of one of its paths, by index; undefined: it has none. */
export function itemText(
  block: Block,
  at: readonly [item: number, path?: number],
  names: Names,
): string | undefined {
  const label = typeOf(block).itemLabel?.(block, ...at)
  return typeof label === "object" ? conditionText(label, names) : label
}

/** The members of an object without its ids, with their names where the value alone is ambiguous. */
function membersText(members: Members, names: Names): string {
  return joined(
    Object.entries(members).map(([name, value]) => {
      if (omitted.has(name)) return undefined
      const text = textOf(value, name, names)
      if (!text || unnamed.has(name)) return text
      return isMembers(value) ? `${name}: (${text})` : `${name}: ${text}`
    }),
  )
}

const omitted = new Set(["id", "blockId", "outgoingEdgeId", "graphCoordinates", "blocks"])
const unnamed = new Set(["content", "options", "items", richText, "name", "title"])

function namedText(text: string, name: string, { variables, groups }: Names): string {
  if (/variableId$/i.test(name)) return variableText(text, variables)
  const title = /groupId$/i.test(name) ? groups.get(text) : undefined
  return title === undefined ? text : `Group "${title}"`
}

function variableText(id: string, variables: Names["variables"]): string {
  const name = variables.get(id)
  return name === undefined ? id : `{{${name}}}`
}

function comparisonText(
  { variableId, comparisonOperator, value }: Partial<Comparison>,
  { variables }: Names,
): string {
  const variable = variableId === undefined ? undefined : variableText(variableId, variables)
  return [variable, comparisonOperator, value].filter((word) => word !== undefined).join(" ")
}

function plainText(nodes: RichText): string {
  return leavesOf(nodes)
    .map((leaf) => leaf.text ?? plainText(childrenOf(leaf)))
    .join("")
}

function isRichText(value: unknown, name: string): value is RichText {
  return name === richText && Array.isArray(value) && value.every(isMembers)
}

function isCondition(value: unknown): value is Condition {
  return isMembers(value) && Array.isArray(value.comparisons) && value.comparisons.every(isMembers)
}

function joined(texts: readonly (string | undefined)[]): string {
  return texts.filter((text) => text).join(", ")
}

/** For example `Group "Contact" › block 2 (email input) › item 1 "Yes"` or `Variable "Name"`. */
export function placeOf(part: Part, names: Names): string {
  // Cached: a part may have many changes, and a long name.
  part.place ??= writtenPlace(part, names)
  return part.place
}

function writtenPlace(part: Part, names: Names): string {
  const { what, value, parent, index, block } = part
  const within = parent ? `${placeOf(parent, names)} › ` : ""
  if (what === "group") return `Group "${short(value.title)}"`
  if (what === "block" || what === "event") {
    return `${within}${what === "block" ? "block" : "Event"} ${index + 1} (${short(value.type)})`
  }
  if (what === "item")
    return `${within}item ${index + 1}${quoted(block && itemText(block, [index], names))}`
  if (what === "variable") return `Variable "${short(value.name)}"`
  if (what === "edge") return `Edge "${short(value.id)}"`
  return `${what.charAt(0).toUpperCase()}${what.slice(1)}`
}

function short(text: unknown): string {
  return typeof text === "string" ? cut(text) : ""
}

function quoted(text: string | undefined): string {
  return text ? ` "${short(text)}"` : ""
}
