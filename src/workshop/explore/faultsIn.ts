/** Faults that show in a conversation, turn by turn. */
import { pointerOf } from "../../authoring/lint/location.ts"
import { cut } from "../../engine/cut.ts"
import type { TrailBlock, Turn } from "../../engine/turn/run.ts"
import { isOver } from "../../engine/turn/settle.ts"
import { rootVersion } from "../play/play.ts"
import { type BlockFacts, type FlowFacts, leadsOneWay } from "./flowFacts.ts"
import type { ExploreRuleId } from "./rules.ts"

/** A fault and where it is. */
export type Fault = {
  rule: ExploreRuleId
  /** Keys from the flow to where it is. */
  path: readonly (string | number)[]
  /** What happens, as a sentence without a full stop. */
  message: string
  /** Tells it from others of its rule at its place. */
  about?: string | undefined
}

/** One name for the same fault in different conversations. */
export function keyOf({ rule, path, about = "" }: Fault): string {
  return `${rule} ${pointerOf(path)} ${about}`
}

/** What a conversation has come to, as far as faults depend on it. */
export type Sofar = {
  /** Ids of the variables that something could have set. */
  set: ReadonlySet<string>
  /** Whether the bot has said or done anything since the person's last reply. */
  hasSpoken: boolean
  /** Id of the question that was asked last. */
  asked?: string | undefined
}

/** How a turn came about. */
export type Cause = {
  /** Whether a person has said something, rather than a client reported. */
  isReply: boolean
  /** How often other systems have refused, or failed to answer. */
  failures: number
  /** How many scripts took longer than they may. */
  endless: number
}

/** A conversation that has not begun. */
export function beginning(facts: FlowFacts, prefilled: readonly string[] = []): Sofar {
  const given = [...facts.names].flatMap(([id, name]) => (prefilled.includes(name) ? id : []))
  return { set: new Set([...facts.given, ...given]), hasSpoken: false }
}

/** The faults of one more turn, and what the conversation has come to after it. */
export function passTurn(
  facts: FlowFacts,
  sofar: Sofar,
  { turn, isReply, failures, endless }: Cause & { turn: Turn },
): { faults: Fault[]; sofar: Sofar } {
  const { set, faults } = unsetIn(facts, sofar.set, turn)
  const hasSpoken = (!isReply && sofar.hasSpoken) || speaks(turn)
  const passed = [...new Set(placesOf(facts, turn))]
  faults.push(...passed.filter(leadsOneWay).map(sameWay))
  const hasFailed = failures > 0
  const ended = isOver(turn) ? ending(facts, turn, { hasSpoken, hasFailed }) : undefined
  if (ended) faults.push(ended)
  const last = passed.findLast(({ entry: { type } }) => {
    return type.kind === "action" && type.resume?.script !== undefined
  })
  if (endless > 0 && last) {
    const message = "A script runs longer than it may"
    faults.push({ rule: "endless-script", path: last.entry.path, message })
  }
  return { faults, sofar: { set, hasSpoken, asked: turn.input?.id } }
}

/** The fault of a reply after which the same question is asked. */
export function askedAgain(facts: FlowFacts, sofar: Sofar, turn: Turn): Fault | undefined {
  const known = turn.input && facts.blocks.get(turn.input.id)
  return known && turn.input?.id === sofar.asked ? askedAgainAt(known) : undefined
}

export function askedAgainAt({ entry: { path } }: BlockFacts): Fault {
  return { rule: "asked-again", path, message: "The question is asked again, whatever the answer" }
}

function factsAt(facts: FlowFacts, { blockId, version }: TrailBlock): BlockFacts | undefined {
  return version === rootVersion ? facts.blocks.get(blockId) : undefined
}

function placesOf(facts: FlowFacts, { trail = [] }: Turn): BlockFacts[] {
  return trail.flatMap((each) => factsAt(facts, each) ?? [])
}

function speaks({ messages, actions, input }: Turn): boolean {
  return messages.length > 0 || actions.length > 0 || input !== undefined
}

function unsetIn(
  facts: FlowFacts,
  before: ReadonlySet<string>,
  { trail = [] }: Turn,
): { faults: Fault[]; set: ReadonlySet<string> } {
  const set = new Set(before)
  const faults: Fault[] = []
  const use = ({ entry }: BlockFacts, variableId: string, what: string) => {
    const name = facts.names.get(variableId)
    if (set.has(variableId) || name === undefined) return
    const message = `The variable "${cut(name)}" is ${what} before anything could set it`
    faults.push({ rule: "unset-variable", path: entry.path, message, about: name })
  }
  for (const each of trail) {
    const known = factsAt(facts, each)
    // Another bot may set whatever it shares with this one.
    if (!known || leadsElsewhere(known)) for (const id of facts.names.keys()) set.add(id)
    if (!known) continue
    const { reads, compares, writes } = known
    for (const id of reads) use(known, id, "shown or sent")
    for (const id of compares) {
      const isAnswer = facts.writers.get(id)?.every(({ type }) => type.kind === "input")
      if (isAnswer) use(known, id, "compared")
    }
    for (const id of writes) set.add(id)
  }
  return { faults, set: set.size === before.size ? before : set }
}

/** Whether a block leads into another bot, which may have been left out. */
function leadsElsewhere({ entry: { block, type } }: BlockFacts): boolean {
  const { botId = "current" } = type.staticTarget?.(block) ?? {}
  return botId !== "current"
}

function sameWay({ entry }: BlockFacts): Fault {
  const message =
    entry.type.kind === "input"
      ? "All choices lead to the same place, and no variable keeps what was chosen"
      : "All ways lead to the same place"
  return { rule: "same-way", path: entry.path, message }
}

/** Whether a chat has ended where its author cannot have meant it to. */
function ending(
  facts: FlowFacts,
  turn: Turn,
  { hasSpoken, hasFailed }: { hasSpoken: boolean; hasFailed: boolean },
): Fault | undefined {
  const last = turn.trail?.at(-1)
  const known = last && factsAt(facts, last)
  if (!known) return undefined
  if (hasFailed && !speaksAfterCall(facts, turn)) {
    const { path } = (placesOf(facts, turn).findLast(isCaller) ?? known).entry
    const message = "The chat ends without a word when another system fails"
    return { rule: "silent-failure", path, message }
  }
  const { entry, exits } = known
  const found = (path: Fault["path"], message: string): Fault => ({
    rule: "dead-end",
    path,
    message,
  })
  if (last.edgeId !== undefined) {
    const to = exits.find(({ edgeId }) => edgeId === last.edgeId)?.to
    const isEmpty = to !== undefined && !("block" in to)
    if (!isEmpty || hasSpoken) return undefined
    return found(entry.path, "The chat ends without a word in a group that has no blocks")
  }
  if (isJump(entry)) return found(entry.path, "The chat ends because the jump leads nowhere")
  const lost = exits.filter(({ to }) => to === undefined)
  const [first] = lost
  if (!first) return undefined
  if (lost.every(({ edgeId }) => edgeId !== undefined))
    return found(first.path, "The chat ends because the edge leads nowhere")
  const isChooser = exits.some(({ item }) => item !== undefined)
  if (!isChooser || hasSpoken || lost.length === exits.length) return undefined
  const message =
    first.item === undefined
      ? "The chat ends without a word when no condition holds"
      : "The chat ends without a word, while the other ways lead on"
  return found(first.path, message)
}

/** Whether a block leads to another place of its own flow, whatever follows it. */
function isJump({ type, block }: BlockFacts["entry"]): boolean {
  const target = type.staticTarget?.(block)
  return target !== undefined && target.botId === undefined
}

/** Kinds of calls that a failure of another system can be the answer to. */
const outsideKinds = ["http", "email", "sheet", "model", "qrCode", "jwt"]

function isCaller({ entry: { type } }: BlockFacts): boolean {
  if (type.kind !== "action") return false
  return Object.keys(type.resume ?? {}).some((kind) => outsideKinds.includes(kind))
}

function speaksAfterCall(facts: FlowFacts, { trail = [], messages, actions }: Turn): boolean {
  const at = trail.findLastIndex((each) => {
    const known = factsAt(facts, each)
    return known !== undefined && isCaller(known)
  })
  const after = new Set(trail.slice(at + 1).map(({ blockId }) => blockId))
  return actions.length > 0 || messages.some(({ id }) => after.has(id))
}
