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

/** Most blocks that the node of a group shows. */
const maxBlocks = 12

/** A flow, and the names of its nodes in the drawing. */
type Sketch = {
  context: LintContext
  names: Names
  nodes: ReadonlyMap<Group, string>
}

/**
 * The flow as text that any Mermaid 11 reads: groups with their blocks are nodes, events round ones;
 * edges are labelled with the item or condition that leads there, jumps are dotted, and groups that
 * no chat reaches dashed. Viewers refuse drawings of more than 500 edges or 50,000 characters unless
 * they are configured otherwise.
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
  return labelOf([labelLine(type), labelLine(options ?? "")])
}

function groupLabel({ title, blocks }: Group, { names }: Sketch): string {
  const shown = blocks.slice(0, maxBlocks).map((block) => {
    const text = textOf({ ...block, type: undefined }, "", names)
    return labelLine(text ? `${block.type} · ${text}` : block.type)
  })
  const others = blocks.length - shown.length
  return labelOf([labelLine(title), ...shown, others > 0 ? `and ${others} more` : ""])
}

function edgeLine(reference: EdgeReference, sketch: Sketch): string[] {
  const { context, nodes } = sketch
  const { entry, path, edgeId } = reference
  const to = context.edges.get(edgeId)?.to
  const group = to && context.groups.get(to.groupId)
  if (!group) return []
  const from = entry ? nodes.get(entry.group) : `e${path[1]}`
  const lines = [
    labelLine(exitText(reference, sketch)),
    labelLine(targetText(vertexAt(context, to))),
  ]
  return [arrow(`${from} -->`, lines, nodes.get(group))]
}

/** What makes a chat leave there; empty when there is no other way out. */
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

/** Where a chat enters a group; empty when it does so at the first block. */
function targetText(to: Vertex | undefined): string {
  return to && "block" in to && to.index > 0 ? `to block ${to.index + 1}` : ""
}

function jumpLine(entry: BlockEntry, { context, nodes }: Sketch): string[] {
  const target = targetInFlow(context, entry)
  const group = typeof target === "object" ? context.groups.get(target.groupId) : undefined
  if (typeof target !== "object" || !group) return []
  const lines = [labelLine(entry.block.type), labelLine(targetText(vertexAt(context, target)))]
  return [arrow(`${nodes.get(entry.group)} -.->`, lines, nodes.get(group))]
}

function arrow(from: string, lines: readonly string[], to: string | undefined): string {
  const label = labelOf(lines)
  return label === labelOf([]) ? `${from} ${to}` : `${from}|${label}| ${to}`
}

function unreachable({ context, nodes }: Sketch): string[] {
  const { groups, isOpen } = reachOf(context)
  const others = isOpen ? [] : context.flow.groups.filter((group) => !groups.has(group))
  if (others.length === 0) return []
  const names = others.map((group) => nodes.get(group))
  return ["classDef unreachable stroke-dasharray: 5 5", `class ${names.join(",")} unreachable`]
}

/** Longest text of a label's line, in characters. */
const maxLength = 60

/**
 * One line of a label, cut when it is long. Letters, digits and few signs are written as they are,
 * all others by their code points (Mermaid 11, "Entity codes to escape characters"), so that
 * nothing of the text is syntax of Mermaid, Markdown or HTML.
 */
function labelLine(text: string): string {
  // The rest of a text that will be cut anyway need not be looked at.
  const start = text.slice(0, 4 * maxLength)
  const characters = Array.from(start.replace(/[\s\p{Cc}]+/gu, " ").trim())
  const isLong = characters.length > maxLength || start.length < text.length
  const shown = isLong ? [...characters.slice(0, maxLength - 1), "…"] : characters
  return shown.join("").replace(/[^\p{L}\p{M}\p{N} ,!?_…]/gu, written)
}

/** The label of a node or an edge, of written lines; those without text are left out. */
function labelOf(lines: readonly string[]): string {
  return `"${lines.filter((line) => line !== "").join("<br/>")}"`
}

function written(sign: string, at: number, text: string): string {
  // A full stop behind a number makes a list.
  if (sign === "." && /\p{L}/u.test(text[at - 1] ?? "")) return sign
  // Half a surrogate pair is no character.
  return `#${/\p{Surrogate}/u.test(sign) ? 0xfffd : sign.codePointAt(0)};`
}
