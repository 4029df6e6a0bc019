/** The chat so far, replayed from its answers, the edges taken and the changes of variables. */
import type { Scene, Spoken, Step } from "./blocks/block.ts"
import { type Block, typeOf } from "./blocks/registry.ts"
import { type Bot, eventOf, type Position } from "./bot.ts"
import { judgingUnits, readingUnits, spend } from "./budget/fuel.ts"
import type { CallKind, Script } from "./calls.ts"
import type { Change, History } from "./records.ts"
import { type Run, rootBotOf } from "./run.ts"
import type { ReplyEvent } from "./schema/event.ts"
import { inlineScript } from "./variables/inlineCode.ts"
import { initialValues, openVariables, type VariableStore } from "./variables/variables.ts"
import { jumpTarget, toldByReply } from "./walk/events.ts"
import { locate, nextPosition } from "./walk/navigate.ts"

/** One line of a transcript. */
export type Line = Spoken & { role: "bot" | "user"; attachedFileUrls?: string[] | undefined }

/** What is replayed. */
export type Recording = {
  bot: Bot
  history: History
  /** Stops here once all answers are used up; absent: at the end. */
  until?: string | undefined
  scene: Pick<Scene, "world" | "chat" | "fuel">
  /** Result of a piece of inline code; nothing: it prints its source. */
  inline?: ((script: Script) => { value?: unknown } | null | undefined) | undefined
}

/** The transcript of a run as text; empty when nothing was said. */
export function transcriptOf(run: Run): string {
  const known = run.way.replayed ?? {}
  return printLines(replay(recordingOf(run, (script) => known[JSON.stringify(script)])))
}

/** The inline code of the texts in the transcript, as far as its results are not known yet. */
export function unknownScripts(run: Run): Script[] {
  const known = run.way.replayed ?? {}
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
  const past = run.session.history ?? run.way.history ?? { answers: [], edges: [], changes: [] }
  const history = run.session.history ?? {
    answers: [...past.answers, ...(present?.answers ?? [])],
    edges: [...past.edges, ...(present?.edges ?? [])],
    changes: [...past.changes, ...(present?.changes ?? [])],
  }
  const bot = rootBotOf(run)
  const chat = {
    isPreview: run.session.isPreview,
    isStreamEnabled: false,
    textFormat: "richText" as const,
    printsLastOfList: bot.printsLastOfList,
    mergesLinks: bot.mergesLinks,
    systemMessages: {},
  }
  const scene = { world: run.stage.world, chat, fuel: run.fuel }
  return { bot, history, until: run.way.blockId, scene, inline }
}

/** Lines as text, a blank line between them. */
export function printLines(lines: readonly Line[]): string {
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
export function replay(recording: Recording): Line[] {
  const reel = openReel(recording)
  const { bot } = recording
  let here = bot.startEdgeId === undefined ? undefined : along(reel, bot.startEdgeId)
  for (let passed = 0; here && passed < maxPassed; passed++) here = pass(reel, here)
  return reel.lines
}

/** A replay in progress: what is left of the recording, and where paths go on. */
type Reel = {
  recording: Recording
  lines: Line[]
  answers: History["answers"]
  edges: string[]
  changes: Map<string, Change[][]>
  store: VariableStore
  scene: Scene
  queued: Position[]
  replyEvent: ReplyEvent | undefined
  mark?: { blockId: string; isReply: boolean } | undefined
}

function openReel(recording: Recording): Reel {
  const { bot, history } = recording
  const { fuel } = recording.scene
  const store = openVariables(bot.flow.variables, initialValues(bot.flow.variables), fuel)
  spend(fuel, unitsOf(history))
  store.set(history.changes.filter((change) => change.isPrefilled))
  return {
    recording,
    lines: [],
    answers: history.answers.filter(({ blockId }) => bot.positions.has(blockId)),
    edges: [...history.edges],
    changes: groupChanges(history.changes.filter((change) => !change.isPrefilled)),
    store,
    scene: {
      ...recording.scene,
      variables: store,
      inline: (source) => {
        const result = recording.inline?.(inlineScript(source, store, fuel))
        return result ? { value: result.value } : undefined
      },
      answers: () => [],
      transcript: () => "",
      isNextSpoken: () => false,
    },
    queued: [],
    replyEvent: eventOf(bot.flow, "reply"),
  }
}

/** To copy it and to sort it by blocks. */
function unitsOf({ answers, edges, changes }: History): number {
  return 4 * (answers.length + edges.length + changes.length)
}

/** Passes one block; the next place, or undefined at the end of the replay. */
function pass(reel: Reel, here: Position): Position | undefined {
  const { fuel } = reel.scene
  spend(fuel, passUnits)
  const block = here.group.blocks[here.index]
  if (!block) return leave(reel, undefined)
  if (block.id === reel.recording.until && reel.answers.length === 0) return undefined
  const changes = reel.changes.get(block.id)?.shift()
  if (changes) reel.store.set(changes)
  const type = typeOf(block)
  if (type.kind === "input") return passInput(reel, here, block)
  if (type.kind === "action") return passAction(reel, here, block)
  const spoken = type.transcribe?.(block, reel.scene)
  if (spoken) spend(fuel, readingUnits(spoken.content.length))
  if (spoken) reel.lines.push({ role: "bot", ...spoken })
  return inGroup(reel, here, block)
}

function passInput(reel: Reel, here: Position, block: Block): Position | undefined {
  const type = typeOf(block)
  if (type.kind !== "input") return undefined
  const event = reel.replyEvent
  const isReturned = reel.mark?.blockId === block.id
  reel.mark = undefined
  if (event?.outgoingEdgeId !== undefined && !isReturned && reel.answers.length > 0) {
    const target = along(reel, event.outgoingEdgeId)
    const content = reel.answers[0]?.content ?? ""
    if (target) {
      reel.store.set(toldByReply(event, here, content))
      reel.mark = { blockId: block.id, isReply: true }
      return target
    }
  }
  const answer = reel.answers.shift()
  if (!answer) return undefined
  const { content, attachedFileUrls } = answer
  reel.lines.push({ role: "user", type: "text", content, attachedFileUrls })
  spend(reel.scene.fuel, judgingUnits(content))
  const verdict = type.reply(block, { type: "text", text: content }, reel.scene)
  const variableId = type.savesTo(block)
  const present = variableId === undefined ? undefined : reel.store.value(variableId)
  if (variableId !== undefined) {
    const value = Array.isArray(present) ? [...present, content] : content
    reel.store.set([{ variableId, value }])
  }
  const edge = typeof verdict === "object" && "accept" in verdict ? verdict.edge : undefined
  return edge === undefined ? ownWay(reel, here, block) : leave(reel, edge)
}

function passAction(reel: Reel, here: Position, block: Block): Position | undefined {
  const type = typeOf(block)
  if (type.kind !== "action") return undefined
  if (type.replay === "edge") {
    const ways = type.edges?.(block) ?? []
    spend(reel.scene.fuel, reel.edges.length)
    const taken = reel.edges.findIndex((edge) => ways.includes(edge))
    const edge = taken < 0 ? undefined : reel.edges.splice(taken, 1)[0]
    return edge === undefined ? ownWay(reel, here, block) : leave(reel, edge)
  }
  if (type.replay !== "run") return ownWay(reel, here, block)
  return goNext(reel, here, type.run(block, reel.scene))
}

function goNext(reel: Reel, here: Position, { next }: Step<CallKind>): Position | undefined {
  const { bot } = reel.recording
  const block = here.group.blocks[here.index]
  if (next === "pass") return inGroup(reel, here, block)
  if (next === "end") return leave(reel, undefined)
  if (next === "back" && reel.mark) {
    const back = bot.positions.get(reel.mark.blockId)
    if (!reel.mark.isReply) reel.mark = undefined
    return back ?? leave(reel, undefined)
  }
  if (typeof next !== "object" || "call" in next) return ownWay(reel, here, block)
  if ("edge" in next) return leave(reel, next.edge)
  const after = nextPosition(bot, here)
  if ("jump" in next) {
    const blockId = after?.group.blocks[after.index]?.id
    if (blockId !== undefined) reel.mark = { blockId, isReply: false }
    return jumpTarget(bot, next.jump) ?? leave(reel, undefined)
  }
  const target = next.enter.version === undefined ? jumpTarget(bot, next.enter) : undefined
  if (target && after) reel.queued.unshift(after)
  return target ?? ownWay(reel, here, block)
}

function ownWay(reel: Reel, here: Position, block: Block | undefined): Position | undefined {
  const edge = block?.outgoingEdgeId
  return edge === undefined ? inGroup(reel, here, block) : leave(reel, edge)
}

function inGroup(reel: Reel, here: Position, block: Block | undefined): Position | undefined {
  const index = here.index + 1
  if (index < here.group.blocks.length) return { group: here.group, index }
  return leave(reel, block?.outgoingEdgeId)
}

function leave(reel: Reel, edge: string | undefined): Position | undefined {
  return (edge === undefined ? undefined : along(reel, edge)) ?? reel.queued.shift()
}

function along(reel: Reel, edge: string): Position | undefined {
  const found = locate(reel.recording.bot, { edge })
  return typeof found === "object" ? found : undefined
}

/** The changes of each block, one list per time that it made some. */
function groupChanges(changes: readonly Change[]): Map<string, Change[][]> {
  const groups = new Map<string, Change[][]>()
  for (const change of changes) {
    const own = groups.get(change.blockId) ?? []
    const last = own.at(-1)
    if (last?.[0]?.blockIndex === change.blockIndex) last.push(change)
    else own.push([change])
    groups.set(change.blockId, own)
  }
  return groups
}
