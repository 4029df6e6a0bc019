/** Targets of edges, jumps and links, and reachability. */
import type { Edge } from "../../../engine/schema/edge.ts"
import { type BlockEntry, itemExits } from "../blockEntries.ts"
import { type Violation, warning } from "../finding.ts"
import { hasBlock, isOwnBot, type LintContext, targetInFlow } from "../lintContext.ts"
import type { Path } from "../location.ts"
import { endlessLoops, unreachedParts } from "../reach.ts"
import { problemsOf } from "./blocks.ts"

export const danglingEdge = warning({
  id: "dangling-edge",
  description: "Every `outgoingEdgeId` names an edge, and every edge is named by one.",
  remedy: "Connect it again, or remove what is left of the connection.",
  check: (context) => [...withoutEdge(context), ...withoutSource(context)],
})

function withoutEdge({ edgeReferences, edges }: LintContext): Violation[] {
  return edgeReferences.flatMap(({ path, edgeId, isOwn }) => {
    if (edges.has(edgeId)) return []
    const effect = isOwn ? "nothing follows this block" : "choosing this item leads nowhere"
    return [{ path, message: `Edge "${edgeId}" does not exist, so ${effect}` }]
  })
}

function withoutSource({ flow, edgeReferences, edgePath }: LintContext): Violation[] {
  const named = new Set(edgeReferences.map(({ edgeId }) => edgeId))
  return flow.edges.flatMap(({ id }, index) =>
    named.has(id)
      ? []
      : [{ path: edgePath(index), message: "No block, item or event uses this edge" }],
  )
}

export const edgeWithoutTarget = warning({
  id: "edge-without-target",
  description: "Every edge leads to a group of the flow and, if it names one, to a block of it.",
  remedy: "Connect it to a group that exists, or remove the edge.",
  check: (context) => {
    const sources = new Map<string, Path>()
    for (const { edgeId, path } of context.edgeReferences) {
      if (!sources.has(edgeId)) sources.set(edgeId, path)
    }
    return context.flow.edges.flatMap((edge, index) => {
      const seenAt = sources.get(edge.id)
      const isFollowed = seenAt !== undefined && context.edges.get(edge.id) === edge
      return isFollowed
        ? alongEdge(context, edge, index).map((found) => ({ ...found, seenAt }))
        : []
    })
  },
})

function alongEdge(context: LintContext, { to }: Edge, index: number): Violation[] {
  const group = context.groups.get(to.groupId)
  const path = [...context.edgePath(index), "to"]
  if (!group) {
    const message = `The edge leads to group "${to.groupId}", which does not exist: the chat ends`
    return [{ path: [...path, "groupId"], message }]
  }
  if (to.blockId === undefined || hasBlock(context, group, to.blockId)) return []
  const message =
    `The edge leads to block "${to.blockId}", which is not in group "${group.title}": ` +
    "the group runs from its first block"
  return [{ path: [...path, "blockId"], message }]
}

/** An unreachable group; of several connected ones the one to connect. */
export const unreachableGroup = warning({
  id: "unreachable-group",
  description: "Every group can be reached from the start or from another event.",
  remedy: "Connect the group, or delete it, unless a link of another bot enters it.",
  check(context) {
    const others = new Map(unreachedParts(context).map((part) => [part.head, part.others]))
    return context.flow.groups.flatMap((group, index) => {
      const count = others.get(group)
      return count === undefined ? [] : [{ path: ["groups", index], message: messageOf(count) }]
    })
  },
})

function messageOf(others: number): string {
  if (others === 0) return "No chat can reach this group"
  const behind = others === 1 ? "the group" : `the ${others} groups`
  return `No chat can reach this group and ${behind} behind it`
}

export const emptyGroup = warning({
  id: "empty-group",
  description: "Every group has at least one block; a chat that enters an empty one ends there.",
  remedy: "Add a block, or delete the group.",
  check: ({ flow }) =>
    flow.groups.flatMap(({ blocks }, index) =>
      blocks.length > 0
        ? []
        : [{ path: ["groups", index, "blocks"], message: "The group has no blocks" }],
    ),
})

/**
 * An answer, an item or an event without a successor. A group may end with a message: every chat ends
 * somewhere.
 */
export const deadEnd = warning({
  id: "dead-end",
  description: "Every event, question and item has a successor.",
  remedy: "Connect it to a group, unless the chat is meant to end there silently.",
  check: eventsWithout,
  checkBlock: endsAt,
})

function eventsWithout({ flow }: LintContext): Violation[] {
  return (flow.events ?? []).flatMap(({ type, outgoingEdgeId }, index) =>
    outgoingEdgeId === undefined && type !== "start"
      ? [{ path: ["events", index], message: `Nothing follows the ${type} event` }]
      : [],
  )
}

function endsAt(entry: BlockEntry): Violation[] {
  const { block, type, group, index, path } = entry
  const hasOwnWay = block.outgoingEdgeId !== undefined || index + 1 < group.blocks.length
  if (hasOwnWay && !type.needsItemEdges) return []
  const exits = itemExits(entry)
  const missing = exits.filter(({ edgeId }) => edgeId === undefined)
  const found = missing.map((exit) => ({ path: exit.path, message: "Nothing follows this item" }))
  if (type.needsItemEdges || missing.length < exits.length) return found
  return type.kind === "input" ? [{ path, message: "Nothing follows the answer" }] : []
}

export const cycleWithoutInput = warning({
  id: "cycle-without-input",
  description: "Every loop has a block that waits for the user.",
  remedy: "Ask something inside the loop, or make sure that a condition leaves it soon.",
  check: (context) =>
    endlessLoops(context).flatMap((loop) => {
      const [first] = loop
      if (!first) return []
      const titles = [...new Set(loop.map(({ group }) => `"${group.title}"`))]
      const shown = titles.slice(0, 5).join(", ") + (titles.length > 5 ? ", …" : "")
      const message = `The flow can loop through ${shown} without ever asking anything`
      return [{ path: first.path, message }]
    }),
})

export const missingJumpTarget = warning({
  id: "missing-jump-target",
  description:
    "Every jump names a group and block of the flow, and every link a bot and its group.",
  remedy: "Select the target again, or delete the block.",
  checkBlock: (entry, context) => [
    ...problemsOf(entry, "missing-jump-target"),
    ...missingPlace(context, entry),
    ...missingBot(context, entry),
  ],
})

function missingPlace(context: LintContext, entry: BlockEntry): Violation[] {
  const target = targetInFlow(context, entry)
  if (typeof target !== "object") return []
  const { path, groupId, blockId } = target
  const group = context.groups.get(groupId)
  if (!group) {
    return [
      { path: [...path, "groupId"], message: `Group with the id "${groupId}" does not exist` },
    ]
  }
  if (blockId === undefined || hasBlock(context, group, blockId)) return []
  const message = `Group "${group.title}" has no block with the id "${blockId}"`
  return [{ path: [...path, "blockId"], message }]
}

function missingBot(context: LintContext, { block, type, path }: BlockEntry): Violation[] {
  const { botIds, linked } = context.surroundings
  const { botId, groupId = "", at = [] } = type.staticTarget?.(block) ?? {}
  if (botId === undefined || isOwnBot(context, botId)) return []
  const found = (message: string) => [{ path: [...path, ...at], message }]
  if (botIds && !botIds.has(botId)) {
    const where = linked ? "The linked bots include none" : "The workspace has no bot"
    return found(`${where} with the id "${botId}"`)
  }
  const flow = linked?.get(botId)
  if (!flow || groupId === "" || groupId.includes("{{")) return []
  const isThere = [...flow.groups, ...(flow.events ?? [])].some(({ id }) => id === groupId)
  return isThere ? [] : found(`The linked bot has no group with the id "${groupId}"`)
}
