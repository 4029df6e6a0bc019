/** The chat so far, replayed from its answers, the edges taken and the changes of variables. */
import type { BlockContext, Step, TranscriptContent } from "./blocks/block.ts"
import { answerVariable, type Block, typeOf } from "./blocks/registry.ts"
import { type Bot, blockAt, eventOf, type Position } from "./bot.ts"
import { type Fuel, judgingUnits, readingUnits, spend } from "./budget/fuel.ts"
import type { CallKind, Script } from "./calls.ts"
import { type Change, groupChanges, type History, withHidden } from "./records.ts"
import type { ReplyEvent } from "./schema/event.ts"
import { jumpTarget, replyAssignments } from "./turn/events.ts"
import { alongEdge, nextPosition } from "./turn/places.ts"
import { type Run, rootBotOf } from "./turn/run.ts"
import { inlineScript } from "./variables/inlineCode.ts"
import { initialValues, openVariables, type VariableStore } from "./variables/variables.ts"

/** One line of a transcript. */
type TranscriptLine = TranscriptContent & {
  role: "bot" | "user"
  blockId: string
  attachedFileUrls?: string[] | undefined
}

/** What is replayed. */
type Recording = {
  bot: Bot
  history: History
  /** Stops here once all answers are used up; absent: at the end. */
  until?: string | undefined
  /** False when absent. */
  isPreview?: boolean
  world: BlockContext["world"]
  fuel: Fuel
  inline?: InlineResult | undefined
}

/** Result of a piece of inline code; nothing: it prints its source. */
export type InlineResult = (script: Script) => { value?: unknown } | null | undefined

/** The transcript of a run as text; empty when nothing was said. */
export function transcriptOf(run: Run): string {
  const known = run.continuation.replayed ?? {}
  return printLines(replay(recordingOf(run, (script) => known[JSON.stringify(script)])))
}

/** The inline code of the texts in the transcript, as far as its results are not known yet. */
export function unknownScripts(run: Run): Script[] {
  const known = run.continuation.replayed ?? {}
  const missing = new Map<string, Script>()
  replay(
    recordingOf(run, (script) => {
      const key = JSON.stringify(script)
      if (Object.hasOwn(known, key)) return known[key]
      missing.set(key, script)
      return null
    }),
  )
  return [...missing.values()]
}

function recordingOf(run: Run, inline: Recording["inline"]): Recording {
  const root = run.session.queue.at(-1)
  const present = run.results.find((record) => record.resultId === root?.resultId)
  const past = [run.continuation.history, present]
  const history = run.session.history ?? {
    answers: past.flatMap((part) => part?.answers ?? []),
    edges: past.flatMap((part) => part?.edges ?? []),
    changes: withHidden(
      past.flatMap((part) => part?.changes ?? []),
      run.session.hiddenValues,
    ),
  }
  return {
    bot: rootBotOf(run),
    history,
    // A copy of the root, linked by it, has blocks of the same ids.
    until: run.session.queue[0]?.version === root?.version ? run.continuation.blockId : undefined,
    isPreview: run.session.isPreview,
    world: run.deps.world,
    fuel: run.fuel,
    inline,
  }
}

/** Lines as text, a blank line between them. */
function printLines(lines: readonly TranscriptLine[]): string {
  return lines
    .map(({ role, content, attachedFileUrls }) => {
      const files = attachedFileUrls?.length ? `${attachedFileUrls.join(", ")}\n\n` : ""
      return `${role === "bot" ? "Assistant" : "User"}: "${files}${content}"`
    })
    .join("\n\n")
}

/** Blocks that a replay passes at most: one that strayed from what was recorded might never end. */
const maxPassed = 10_000
const passUnits = 40

/** Replays a chat; links to other bots are passed over. */
export function replay(recording: Recording): TranscriptLine[] {
  const state = openReplay(recording)
  const { bot } = recording
  let here = alongEdge(bot, bot.startEdgeId)
  for (let passed = 0; here && passed < maxPassed; passed++) here = pass(state, here)
  return state.lines
}

/** A replay in progress: what is left of the recording, and where paths go on. */
type ReplayState = {
  recording: Recording
  lines: TranscriptLine[]
  answers: History["answers"]
  edges: string[]
  changes: Map<string, Change[][]>
  store: VariableStore
  context: BlockContext
  queued: Position[]
  replyEvent: ReplyEvent | undefined
  mark?: { blockId: string; isReply: boolean } | undefined
}

function openReplay(recording: Recording): ReplayState {
  const { bot, history, fuel } = recording
  const store = openVariables(bot.flow.variables, initialValues(bot.flow.variables), fuel)
  spend(fuel, unitsOf(history))
  store.set(history.changes.filter((change) => change.isPrefilled))
  return {
    recording,
    lines: [],
    answers: history.answers.filter(({ blockId }) => bot.positions.has(blockId)),
    edges: [...history.edges],
    changes: groupChanges(
      history.changes.filter((change) => !change.isPrefilled),
      ({ blockId }) => blockId,
    ),
    store,
    context: replayContext(recording, store),
    queued: [],
    replyEvent: eventOf(bot.flow, "reply"),
  }
}

/** What blocks see while a chat is replayed. */
export function replayContext(
  { bot, isPreview = false, world, fuel, inline }: Omit<Recording, "history" | "until">,
  variables: VariableStore,
): BlockContext {
  return {
    variables,
    fuel,
    world,
    inline: (source) => {
      const result = inline?.(inlineScript(source, variables, fuel))
      return result ? { value: result.value } : undefined
    },
    chat: {
      isPreview,
      isStreamEnabled: false,
      textFormat: "richText",
      printsLastOfList: bot.printsLastOfList,
      mergesLinks: bot.mergesLinks,
      systemMessages: {},
    },
    answers: () => [],
    transcript: () => "",
    isNextSpoken: () => false,
  }
}

/** To copy it and to sort it by blocks. */
function unitsOf({ answers, edges, changes }: History): number {
  return 4 * (answers.length + edges.length + changes.length)
}

/** Passes one block; the next place, or undefined at the end of the replay. */
function pass(state: ReplayState, here: Position): Position | undefined {
  const { fuel } = state.context
  spend(fuel, passUnits)
  const block = blockAt(here)
  if (!block) return alongEdgeOrQueue(state, undefined)
  if (block.id === state.recording.until && state.answers.length === 0) return undefined
  const type = typeOf(block)
  const noted = state.changes.get(block.id)
  // An input keeps them until its answer is taken: an event may come first.
  const changes = type.kind === "input" ? noted?.[0] : noted?.shift()
  if (changes) state.store.set(changes)
  if (type.kind === "input") return passInput(state, here, block)
  if (type.kind === "action") return passAction(state, here, block)
  const spoken = type.transcribe?.(block, state.context)
  if (spoken?.content) {
    spend(fuel, readingUnits(spoken.content.length))
    state.lines.push({ role: "bot", blockId: block.id, ...spoken })
  }
  return inGroup(state, here)
}

function passInput(state: ReplayState, here: Position, block: Block): Position | undefined {
  const type = typeOf(block)
  if (type.kind !== "input") return undefined
  const event = state.replyEvent
  const isReturned = state.mark?.blockId === block.id
  state.mark = undefined
  if (event?.outgoingEdgeId !== undefined && !isReturned && state.answers.length > 0) {
    const target = alongEdge(state.recording.bot, event.outgoingEdgeId)
    const content = state.answers[0]?.content ?? ""
    if (target) {
      state.store.set(replyAssignments(event, here, content))
      state.mark = { blockId: block.id, isReply: true }
      return target
    }
  }
  const answer = state.answers.shift()
  if (!answer) return undefined
  const { content, attachedFileUrls } = answer
  state.lines.push({ role: "user", blockId: block.id, type: "text", content, attachedFileUrls })
  spend(state.context.fuel, judgingUnits(content))
  const message = { type: "text", text: content, attachedFileUrls } as const
  const verdict = type.reply(block, message, state.context)
  const accepted = typeof verdict === "object" && "accept" in verdict ? verdict : undefined
  if (accepted?.set) state.store.set(accepted.set)
  // The answer does not tell which button of a card was chosen.
  const noted = state.changes.get(block.id)?.shift()
  if (noted && !attachedFileUrls) state.store.set(noted)
  const variableId = answerVariable(block)
  const present = variableId === undefined ? undefined : state.store.value(variableId)
  if (variableId !== undefined) {
    const value = Array.isArray(present) ? [...present, content] : content
    state.store.set([{ variableId, value }])
  }
  const edge = edgeOfAnswer(state, block, accepted?.edge)
  return edge === undefined ? ownContinuation(state, here) : alongEdgeOrQueue(state, edge)
}

/** Several items may share a value, and buttons a card: the edge that was taken says which it was. */
function edgeOfAnswer(
  state: ReplayState,
  block: Block,
  edge: string | undefined,
): string | undefined {
  const isOwn = edge === undefined || edge === block.outgoingEdgeId
  if (isOwn && !typeOf(block).pathEdges) return edge
  return takenEdge(state, block) ?? edge
}

/** The next edge that was taken of those that leave the block besides its own. */
function takenEdge(state: ReplayState, block: Block): string | undefined {
  const type = typeOf(block)
  const ways = [...(type.edges?.(block) ?? []), ...(type.pathEdges?.(block) ?? [])]
  spend(state.context.fuel, state.edges.length)
  const taken = state.edges.findIndex((edge) => ways.includes(edge))
  return taken < 0 ? undefined : state.edges.splice(taken, 1)[0]
}

function passAction(state: ReplayState, here: Position, block: Block): Position | undefined {
  const type = typeOf(block)
  if (type.kind !== "action") return undefined
  if (type.replay === "edge") {
    const edge = takenEdge(state, block)
    return edge === undefined ? ownContinuation(state, here) : alongEdgeOrQueue(state, edge)
  }
  if (type.replay !== "run") return ownContinuation(state, here)
  return afterStep(state, here, type.run(block, state.context))
}

function afterStep(
  state: ReplayState,
  here: Position,
  { next }: Step<CallKind>,
): Position | undefined {
  const { bot } = state.recording
  if (next === "pass") return inGroup(state, here)
  if (next === "end") return alongEdgeOrQueue(state, undefined)
  if (next === "back" && state.mark) {
    const back = bot.positions.get(state.mark.blockId)
    if (!state.mark.isReply) state.mark = undefined
    return back ?? alongEdgeOrQueue(state, undefined)
  }
  if (typeof next !== "object" || "call" in next) return ownContinuation(state, here)
  if ("edge" in next) return alongEdgeOrQueue(state, next.edge)
  const after = nextPosition(bot, here)
  if ("jump" in next) {
    const blockId = after && blockAt(after)?.id
    if (blockId !== undefined) state.mark = { blockId, isReply: false }
    return jumpTarget(bot, next.jump) ?? alongEdgeOrQueue(state, undefined)
  }
  const target = next.enter.version === undefined ? jumpTarget(bot, next.enter) : undefined
  if (target && after) state.queued.unshift(after)
  return target ?? ownContinuation(state, here)
}

function ownContinuation(state: ReplayState, here: Position): Position | undefined {
  const edge = blockAt(here)?.outgoingEdgeId
  return edge === undefined ? inGroup(state, here) : alongEdgeOrQueue(state, edge)
}

function inGroup(state: ReplayState, here: Position): Position | undefined {
  return nextPosition(state.recording.bot, here) ?? state.queued.shift()
}

function alongEdgeOrQueue(state: ReplayState, edge: string | undefined): Position | undefined {
  return alongEdge(state.recording.bot, edge) ?? state.queued.shift()
}
