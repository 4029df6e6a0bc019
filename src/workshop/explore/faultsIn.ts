/** Finds faults in a conversation, turn by turn. */
import { pointerOf } from "../../authoring/lint/location.ts"
import { offersOf } from "../../engine/blocks/registry.ts"
import { toMarkdown } from "../../engine/richText/toMarkdown.ts"
import type { TrailBlock, Turn } from "../../engine/turn/run.ts"
import { isOver } from "../../engine/turn/settle.ts"
import { cut } from "../../lib/cut.ts"
import { rootVersion } from "../play/play.ts"
import type { ExploreRuleId } from "./exploreRules.ts"
import {
  type BlockFacts,
  dependsOnOutside,
  type FlowFacts,
  isCaller,
  leadsElsewhere,
  leadsOneWay,
} from "./flowFacts.ts"
import { impossibleConditions } from "./witnesses.ts"

export type Fault = {
  rule: ExploreRuleId
  /** Keys from the flow to the fault. */
  path: readonly (string | number)[]
  /** A sentence without a full stop. */
  message: string
  /** Distinguishes faults of one rule at one place. */
  about?: string | undefined
}

/** A key for the same fault in different conversations. */
export function keyOf({ rule, path, about = "" }: Fault): string {
  return `${rule} ${pointerOf(path)} ${about}`
}

/** The state of a conversation that faults depend on. */
export type Sofar = {
  /** Ids of the variables that may have been set. */
  set: ReadonlySet<string>
  /** Whether the bot has shown or done anything since the person's last reply. */
  hasSpoken: boolean
  /** Id of the question that was asked last. */
  asked?: string | undefined
  /** True: a reply contained words for a missing value. */
  hasNullWords?: boolean
}

export type Cause = {
  /** Whether a person replied, rather than a client reported. */
  isReply: boolean
  /** The number of refusals and failures of other systems. */
  failures: number
  /** The number of scripts that timed out. */
  endless: number
  /** The ids of the known linked bots. */
  linked: ReadonlySet<string>
}

/** The state of a conversation before its start. */
export function beginning(facts: FlowFacts, prefilled: readonly string[] = []): Sofar {
  const given = [...facts.names].flatMap(([id, name]) => (prefilled.includes(name) ? id : []))
  return { set: new Set([...facts.given, ...given]), hasSpoken: false }
}

/** The faults of one more turn, and the state after it. */
export function passTurn(
  facts: FlowFacts,
  sofar: Sofar,
  { turn, isReply, failures, endless, linked }: Cause & { turn: Turn },
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
    const message = "A script exceeds its time limit"
    faults.push({ rule: "endless-script", path: last.entry.path, message })
  } else faults.push(...failingScripts(facts, turn))
  faults.push(...unfollowedLinks(facts, turn, linked))
  const hasNullWords =
    sofar.hasNullWords ||
    (turn.trail ?? []).some(({ answer }) => answer !== undefined && nothing.test(answer.content))
  if (!hasNullWords) faults.push(...showsNothing(facts, turn))
  return { faults, sofar: { set, hasSpoken, asked: turn.input?.id, hasNullWords } }
}

/** Failed code, if no other system can be the cause. */
function failingScripts(facts: FlowFacts, { trail = [] }: Turn): Fault[] {
  return trail.flatMap((each) => {
    const known = factsAt(facts, each)
    if (!each.failure || !known || dependsOnOutside(known, facts)) return []
    const message = `Code fails here: ${cut(each.failure, 300).replace(/\.$/, "")}`
    return { rule: "failing-script", path: known.entry.path, message }
  })
}

function unfollowedLinks(facts: FlowFacts, { trail = [] }: Turn, linked: ReadonlySet<string>) {
  return trail.flatMap((each, index) => {
    const entry = factsAt(facts, each)?.entry
    const { botId, groupId } = entry?.type.staticTarget?.(entry.block) ?? {}
    if (!entry || botId === undefined) return []
    const found = (message: string): Fault => ({
      rule: "unfollowed-link",
      path: entry.path,
      message,
    })
    if (botId === "current") {
      const isMissing = groupId && !groupId.includes("{{") && !facts.context.groups.has(groupId)
      return isMissing
        ? found(`The link leads to group "${cut(groupId)}", which does not exist`)
        : []
    }
    if (!linked.has(botId))
      return found(`The link leads to bot "${cut(botId)}", which is not given`)
    const isFollowed = trail[index + 1]?.version === botId
    return isFollowed ? [] : found(`The link leads nowhere in bot "${cut(botId)}"`)
  })
}

/** Text that code makes of a missing value. */
const nothing = /(?<![\p{L}\p{N}_])(?:null|undefined|NaN|\[object Object\])(?![\p{L}\p{N}_])/u

/**
 * Words for a missing value in messages or choices, unless their block contains them or its values come from
 * outside.
 */
function showsNothing(facts: FlowFacts, { messages, input }: Turn): Fault[] {
  const shown = messages.map((message) => ({ id: message.id, texts: textsOf(message) }))
  const offered = input && offersOf(input)?.map(({ label }) => label)
  if (input && offered) shown.push({ id: input.id, texts: offered })
  return shown.flatMap(({ id, texts }) => {
    const known = facts.blocks.get(id)
    const text = texts.find((each) => nothing.test(each))
    if (!known || text === undefined) return []
    const isMeant = nothing.test(JSON.stringify(known.entry.block))
    if (isMeant || dependsOnOutside(known, facts)) return []
    const message = `The chat shows ${JSON.stringify(cut(text, 200))}`
    return { rule: "says-nothing", path: known.entry.path, message }
  })
}

function textsOf({ content }: Turn["messages"][number]): string[] {
  if ("richText" in content) return [toMarkdown(content.richText)]
  return "markdown" in content ? [content.markdown] : []
}

/** The fault of a reply after which the same question is asked. */
export function askedAgain(facts: FlowFacts, sofar: Sofar, turn: Turn): Fault | undefined {
  const known = turn.input && facts.blocks.get(turn.input.id)
  return known && turn.input?.id === sofar.asked ? askedAgainAt(known) : undefined
}

export function askedAgainAt({ entry: { path } }: BlockFacts): Fault {
  return { rule: "asked-again", path, message: "The question is asked again after every answer" }
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

function unsetIn(facts: FlowFacts, before: ReadonlySet<string>, { trail = [] }: Turn) {
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
    // Another bot may set every variable that it shares with this one.
    if (!known || leadsElsewhere(known.entry)) for (const id of facts.names.keys()) set.add(id)
    if (!known) continue
    const { reads, compares, writes } = known
    for (const id of reads) use(known, id, "shown or sent")
    for (const id of compares) {
      const isAnswer = facts.writers.get(id)?.every(({ type }) => type.kind === "input")
      if (isAnswer) use(known, id, "compared")
    }
    faults.push(...neverHolding(facts, known, set))
    for (const id of writes) set.add(id)
  }
  return { faults, set: set.size === before.size ? before : set }
}

function sameWay({ entry }: BlockFacts): Fault {
  const message =
    entry.type.kind === "input"
      ? "All choices lead to the same place, and no variable stores the choice"
      : "All ways lead to the same place"
  return { rule: "same-way", path: entry.path, message }
}

/** Conditions that no reply makes hold, if all compared values were asked. */
function neverHolding(facts: FlowFacts, known: BlockFacts, set: ReadonlySet<string>): Fault[] {
  if (!known.entry.type.needsItemEdges) return []
  return known.conditions.flatMap(({ at, condition }) => {
    const exit = known.exits.find(({ item }) => item === at[1])
    const isAsked = condition.comparisons?.every(({ variableId }) => set.has(variableId ?? ""))
    if (!isAsked || exit?.edgeId === undefined) return []
    if (!impossibleConditions(facts).has(condition)) return []
    return { rule: "never-holds", path: exit.path, message: "No reply makes this condition hold" }
  })
}

/** Finds an end of the chat that its author cannot intend. */
function ending(
  facts: FlowFacts,
  turn: Turn,
  { hasSpoken, hasFailed }: { hasSpoken: boolean; hasFailed: boolean },
): Fault | undefined {
  const last = turn.trail?.at(-1)
  const known = last && factsAt(facts, last)
  if (!known) return undefined
  if (hasFailed && !speaksAfterCall(facts, turn)) {
    const { path } = (placesOf(facts, turn).findLast(({ entry }) => isCaller(entry)) ?? known).entry
    const message = "The chat ends silently when another system fails"
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
    return found(entry.path, "The chat ends silently in a group without blocks")
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
      ? "The chat ends silently when no condition holds"
      : "The chat ends silently, while the other ways continue"
  return found(first.path, message)
}

/** Whether a block jumps within its own flow. */
function isJump({ type, block }: BlockFacts["entry"]): boolean {
  const target = type.staticTarget?.(block)
  return target !== undefined && target.botId === undefined
}

function speaksAfterCall(facts: FlowFacts, { trail = [], messages, actions }: Turn): boolean {
  const at = trail.findLastIndex((each) => {
    const known = factsAt(facts, each)
    return known !== undefined && isCaller(known.entry)
  })
  const after = new Set(trail.slice(at + 1).map(({ blockId }) => blockId))
  return actions.length > 0 || messages.some(({ id }) => after.has(id))
}
