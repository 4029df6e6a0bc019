/** Visible outputs of a turn, and the first difference between two turns. */
import { type Bot, blockAt } from "../../engine/bot.ts"
import type { Call } from "../../engine/calls.ts"
import type { ChatMessage } from "../../engine/payload.ts"
import { toMarkdown } from "../../engine/richText/toMarkdown.ts"
import type { Turn } from "../../engine/turn/run.ts"
import { isOver } from "../../engine/turn/settle.ts"
import { cut } from "../../lib/cut.ts"
import { AppError } from "../../lib/errors.ts"
import type { Difference, DifferenceKind, Place } from "./difference.ts"
import { type Played, type Side, variablesOf } from "./replaySide.ts"

/** One output of a turn. */
type Seen = {
  kind: DifferenceKind
  blockId: string | undefined
  /** Equal for outputs that look the same. */
  look: string
  excerpt: string
}

/** Two replays. */
type Sides = { before: Side; after: Side }

/** The first difference of a turn; undefined: none visible. */
export function firstDifference(
  sides: Sides,
  { before, after }: { before: Turn; after: Played },
): Difference | undefined {
  if (after instanceof AppError) {
    const last = { blockId: before.visits.at(-1)?.[1], excerpt: "" }
    return between("end", sides, [last, { blockId: undefined, excerpt: after.message }])
  }
  const [old, now] = [seenIn(before), seenIn(after)]
  const place = old.findIndex((seen, index) => seen.look !== now[index]?.look)
  const at = place < 0 ? old.length : place
  // Outputs after a call that stopped the turn are unknown.
  const isKnown = after.call === undefined || at < now.length
  const [one, other] = [old[at], now[at]]
  if (!isKnown || (!one && !other)) return undefined
  return between(kindOf(one, other, sides), sides, [one, other])
}

/** A difference with its places and excerpts. */
export function between(
  kind: DifferenceKind,
  { before, after }: Sides,
  [one, other]: readonly [Shown | undefined, Shown | undefined],
): Difference {
  const [old, now] = excerpts(one?.excerpt ?? "", other?.excerpt ?? "")
  return {
    kind,
    before: one && placeIn(before, one.blockId, old),
    after: other && placeIn(after, other.blockId, now),
  }
}

type Shown = Pick<Seen, "blockId" | "excerpt">

/**
 * A block that both versions have was reached here and not there: another path. Otherwise a block was
 * changed, added or removed, and names the difference.
 */
function kindOf(one: Seen | undefined, other: Seen | undefined, { before, after }: Sides) {
  if (!one || !other) return (one ?? other)?.kind ?? "end"
  if (one.blockId === other.blockId && one.kind === other.kind) return one.kind
  if (!positionIn(before, other.blockId)) return other.kind
  if (!positionIn(after, one.blockId)) return one.kind
  return one.kind === "end" || other.kind === "end" ? "end" : "path"
}

/** The place of a block in any of the bots, that of the chat first. */
function positionIn({ bots }: Side, blockId: string | undefined) {
  for (const bot of bots.values()) {
    const position = bot.positions.get(blockId ?? "")
    if (position) return position
  }
  return undefined
}

function placeIn(side: Side, blockId: string | undefined, excerpt: string): Place {
  const group = positionIn(side, blockId)?.group
  return {
    ...(group && { groupTitle: cut(group.title) }),
    ...(blockId !== undefined && { blockId }),
    ...(excerpt !== "" && { excerpt }),
  }
}

/** Messages, the question or wait, and actions of the client. */
function seenIn(turn: Turn): Seen[] {
  const last = turn.visits.at(-1)?.[1]
  const said = turn.messages.map(seenOf)
  const actions = turn.actions.map((action) => {
    const look = lookOf(action)
    return { kind: "action" as const, blockId: last, look, excerpt: look }
  })
  if (turn.call) return said
  return [...said, standOf(turn, last), ...actions]
}

function seenOf({ id: blockId, ...message }: ChatMessage): Seen {
  if (message.type !== "text") {
    // A video has an id that is no block's.
    const look = JSON.stringify(message, (_, member) => inOrder(member))
    return { kind: "text", blockId, look, excerpt: textsOf(message.content).join(" ") }
  }
  const { content } = message
  const excerpt = content.type === "markdown" ? content.markdown : toMarkdown(content.richText)
  return { kind: "text", blockId, look: lookOf(content), excerpt }
}

/** The end of a turn: a question, a wait, or the end of the chat. */
function standOf(turn: Turn, last: string | undefined): Seen {
  const { input } = turn
  if (input) {
    const items = "items" in input ? input.items?.map(withoutValue) : undefined
    const shown = { ...input, ...(items && { items }) }
    const excerpt = [input.type, ...textsOf({ ...shown, type: undefined })].join(" | ")
    return { kind: "question", blockId: input.id, look: lookOf(shown), excerpt }
  }
  const excerpt = isOver(turn) ? "the chat ends" : "the chat waits"
  return { kind: "end", blockId: last, look: excerpt, excerpt }
}

/** An item without its stored value, which only matters once chosen. */
function withoutValue({ value: _, ...item }: { value?: unknown }) {
  return item
}

/** Ids and members that only editors or later turns use. */
const unseen = new Set([
  "id",
  "blockId",
  "groupId",
  "outgoingEdgeId",
  "variableId",
  "displayCondition",
  "retryMessageContent",
  "credentialsId",
  "lastBubbleBlockId",
  "paymentIntentSecret",
  "paymentIntentId",
])

const isUnseen = (key: string) => unseen.has(key) || key.endsWith("VariableId")

function lookOf(value: object): string {
  return JSON.stringify(value, (key, member) => (isUnseen(key) ? undefined : inOrder(member)))
}

/** Sorts members by name: databases keep them in an order of their own. */
function inOrder(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** The displayed texts, in order. */
function textsOf(value: unknown): string[] {
  if (typeof value === "string") return value === "" ? [] : [value]
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([key, member]) => (isUnseen(key) ? [] : textsOf(member)))
}

/** Characters of an excerpt, and how many of them come before the first difference. */
const maxExcerpt = 200
const lead = 40

/** Both texts around the first character in which they differ. */
function excerpts(before: string, after: string): [string, string] {
  let same = 0
  while (same < before.length && before[same] === after[same]) same += 1
  const from = before.length > maxExcerpt || after.length > maxExcerpt ? same - lead : 0
  const part = (text: string) =>
    from > 0 ? `…${cut(text.slice(from), maxExcerpt)}` : cut(text, maxExcerpt)
  return [part(before), part(after)]
}

/** The request of a call without ids: includes its credential and its block. */
export function askOf(call: Call, turn: Turn, bots: Side["bots"]): string {
  const { carry: _, ...ask } = call
  const bot = bots.get(turn.session.queue[0]?.version ?? "")
  const block = blockAt(bot?.positions.get(turn.continuation.blockId ?? ""))
  const asked =
    call.kind === "inboundCall" ? call.kind : JSON.stringify(ask, (_, member) => inOrder(member))
  // Links only request the bot; its entry is known.
  return bot && block && call.kind !== "bot" ? `${asked} ${settingsOf(bot, block)}` : asked
}

/** A block without its ids, and with variables by name. */
function settingsOf(bot: Bot, block: object): string {
  const { byId } = variablesOf(bot)
  return JSON.stringify(block, (key, member) => {
    if (key === "id" || key === "outgoingEdgeId") return undefined
    return typeof member === "string" ? (byId.get(member)?.name ?? member) : inOrder(member)
  })
}
