/** What a visitor sees of a turn, and the first thing that two turns show differently. */
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

/** One thing that a turn shows or does. */
type Seen = {
  kind: DifferenceKind
  blockId: string | undefined
  /** Equal for what looks the same. */
  look: string
  excerpt: string
}

/** Two replays. */
type Sides = { before: Side; after: Side }

/** The first thing that differs in a turn; undefined: nothing that anybody would notice. */
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
  // What a turn that stopped at a call would have shown after it, nobody knows.
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
 * A block that both versions have was reached here and not there: the chat went another way. Otherwise a
 * block was changed, added or removed, and is what the difference is called after.
 */
function kindOf(
  one: Seen | undefined,
  other: Seen | undefined,
  { before, after }: Sides,
): DifferenceKind {
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

/** Messages, what is asked or awaited, and actions of the client. */
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

/** What a turn comes to: a question, a wait, or the end. */
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

/** What is stored when an item is chosen shows when somebody chooses it. */
function withoutValue({ value: _, ...item }: { value?: unknown }) {
  return item
}

/** Ids and what only editors or later turns use. */
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

/** A value whose members are in the order of their names: databases keep them in one of their own. */
function inOrder(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** The texts in what is shown, in order. */
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

/** What a call asks, whatever its ids: the credential counts, and so does the block that makes it. */
export function askOf(call: Call, turn: Turn, bots: Side["bots"]): string {
  const { carry: _, ...ask } = call
  const bot = bots.get(turn.session.queue[0]?.version ?? "")
  const block = blockAt(bot?.positions.get(turn.continuation.blockId ?? ""))
  const asked =
    call.kind === "inboundCall" ? call.kind : JSON.stringify(ask, (_, member) => inOrder(member))
  // Which bot a link enters is asked; how it enters is known.
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
