/** Draws a flow as a Mermaid flowchart. */
import type { Flow, Group } from "../../engine/bot.ts"
import type { BotEvent } from "../../engine/schema/event.ts"
import { itemText, type Names, namesOf, textOf } from "../diff/values.ts"
import type { BlockEntry } from "../lint/blockEntries.ts"
import {
  type EdgeReference,
  type LintContext,
  lintContextOf,
  targetInFlow,
  type Vertex,
  vertexAt,
} from "../lint/lintContext.ts"
import { reachOf } from "../lint/reach.ts"

/** Max blocks shown in a group's node. */
const maxBlocks = 12

/** A flow, and the names of its nodes in the drawing. */
type Sketch = {
  context: LintContext
  names: Names
  nodes: ReadonlyMap<Group, string>
}

/**
 * The flow as text that any Mermaid 11 reads: groups with their blocks are nodes, events round ones; edges
 * are labelled with their item or condition, jumps are dotted, and unreachable groups dashed. Viewers refuse
 * drawings of more than 500 edges or 50,000 characters unless they are configured otherwise.
 */
export function drawFlow(flow: Flow): string {
  const context = lintContextOf(flow)
  const nodes = new Map(flow.groups.map((group, index) => [group, `g${index}`]))
  const sketch = { context, names: namesOf(flow), nodes }
  const events = flow.events ?? []
  const lines = [
    "flowchart TD",
    ...events.map((event, index) => `e${index}([${eventLabel(event, sketch)}])`),
    ...flow.groups.map((group, index) => `g${index}[${groupLabel(group, sketch)}]`),
    ...context.edgeReferences.flatMap((reference) => edgeLine(reference, sketch)),
    ...context.blocks.flatMap((entry) => jumpLine(entry, sketch)),
    ...unreachable(sketch),
  ]
  return `${lines.join("\n  ")}\n`
}

function eventLabel({ type, ...event }: BotEvent, { names }: Sketch): string {
  const options = "options" in event ? textOf(event.options, "", names) : undefined
  return labelOf([type, options ?? ""])
}

function groupLabel({ title, blocks }: Group, { names }: Sketch): string {
  const shown = blocks.slice(0, maxBlocks).map((block) => {
    const text = textOf({ ...block, type: undefined }, "", names)
    return text ? `${block.type} · ${text}` : block.type
  })
  const others = blocks.length - shown.length
  return labelOf([title, ...shown, others > 0 ? `and ${others} more` : ""])
}

function edgeLine(reference: EdgeReference, sketch: Sketch): string[] {
  const { entry, path, edgeId } = reference
  const to = sketch.context.edges.get(edgeId)?.to
  const from = entry ? sketch.nodes.get(entry.group) : `e${path[1]}`
  return to ? arrow(`${from} -->`, exitText(reference, sketch), to, sketch) : []
}

/** The reason for leaving along an edge; empty without an alternative. */
function exitText({ entry, path, isOwn }: EdgeReference, { context, names }: Sketch): string {
  if (!entry) return ""
  const { block, group, index } = entry
  if (isOwn) {
    const hasOthers = (context.referencesOf.get(entry)?.length ?? 0) > 1
    const isLast = index === group.blocks.length - 1
    return [isLast ? "" : `block ${index + 1}`, hasOthers ? "otherwise" : ""].join(" ")
  }
  const [, item, , button] = path.slice(entry.path.length)
  if (typeof item !== "number") return `block ${index + 1}`
  const text = itemText(block, [item], names) || `item ${item + 1}`
  const inside = typeof button === "number" ? itemText(block, [item, button], names) : undefined
  return inside ? `${text} › ${inside}` : text
}

/** The entry of a group; empty: its first block. */
function targetText(to: Vertex | undefined): string {
  return to && "block" in to && to.index > 0 ? `to block ${to.index + 1}` : ""
}

function jumpLine(entry: BlockEntry, sketch: Sketch): string[] {
  const target = targetInFlow(sketch.context, entry)
  if (typeof target !== "object") return []
  return arrow(`${sketch.nodes.get(entry.group)} -.->`, entry.block.type, target, sketch)
}

/** An arrow to a place; none without the group. */
function arrow(
  from: string,
  text: string,
  to: { groupId: string; blockId?: string | undefined },
  { context, nodes }: Sketch,
): string[] {
  const group = context.groups.get(to.groupId)
  if (!group) return []
  const label = labelOf([text, targetText(vertexAt(context, to))])
  const shown = label === labelOf([]) ? "" : `|${label}|`
  return [`${from}${shown} ${nodes.get(group)}`]
}

function unreachable({ context, nodes }: Sketch): string[] {
  const { groups, isOpen } = reachOf(context)
  const others = isOpen ? [] : context.flow.groups.filter((group) => !groups.has(group))
  if (others.length === 0) return []
  const names = others.map((group) => nodes.get(group))
  return ["classDef unreachable stroke-dasharray: 5 5", `class ${names.join(",")} unreachable`]
}

/** Max characters of a label's line. */
const maxLength = 60

/**
 * One line of a label, cut if long. Letters, digits and few signs are kept, all others written as code points
 * (Mermaid 11, "Entity codes to escape characters"), so that no text becomes syntax of Mermaid, Markdown or
 * HTML.
 */
function labelLine(text: string): string {
  // Skips text that will be cut anyway.
  const start = text.slice(0, 4 * maxLength)
  const characters = Array.from(start.replace(/[\s\p{Cc}]+/gu, " ").trim())
  const isLong = characters.length > maxLength || start.length < text.length
  const shown = isLong ? [...characters.slice(0, maxLength - 1), "…"] : characters
  return shown.join("").replace(/[^\p{L}\p{M}\p{N} ,!?_…]/gu, written)
}

/** The label of a node or an edge; lines without text are left out. */
function labelOf(lines: readonly string[]): string {
  return `"${lines.map(labelLine).filter(Boolean).join("<br/>")}"`
}

function written(sign: string, at: number, text: string): string {
  // A full stop after a number makes a list.
  if (sign === "." && /\p{L}/u.test(text[at - 1] ?? "")) return sign
  // A lone surrogate is no character.
  return `#${/\p{Surrogate}/u.test(sign) ? 0xfffd : sign.codePointAt(0)};`
}
