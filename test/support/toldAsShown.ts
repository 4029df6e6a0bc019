/** Holds every conversation of the tests to its transcript: it says what the client was shown. */
import { expect } from "vitest"
import { unmetered } from "../../src/engine/budget/fuel.ts"
import type { ChatMessage } from "../../src/engine/payload.ts"
import type { RecordedTurn } from "../../src/engine/recorded/recordedTurn.ts"
import { replayTurns } from "../../src/engine/recorded/replayTurns.ts"
import type { Inexactness } from "../../src/engine/recorded/stage.ts"
import { traceOf } from "../../src/engine/recorded/trace.ts"
import type { ResultRecord } from "../../src/engine/records.ts"
import { toMarkdown } from "../../src/engine/richText/toMarkdown.ts"
import type { EngineDeps, Turn } from "../../src/engine/turn/run.ts"

/** A conversation as it was shown and as it was stored. */
export type Shown = { turns: RecordedTurn[]; texts: string[][] }

/** Conversations that were held to their transcripts, and those that could not be, by the reason. */
export const held = { exact: 0, inexact: new Map<Inexactness, number>() }

/** Adds a turn that is over. A turn that stores nothing is not part of any transcript. */
export function addShown(shown: Shown, turn: Turn, bots: EngineDeps["bots"]): void {
  if (turn.results.length === 0) return
  shown.turns.push({
    at: shown.turns.length,
    trace: traceOf(turn, bots, []),
    answers: ofResults(turn, ({ answers }) => answers),
    changes: ofResults(turn, ({ changes }) => changes),
  })
  shown.texts.push(turn.messages.filter((message) => isBubble(turn, bots, message)).flatMap(textOf))
}

/** Those of linked bots with the ids of their results. */
function ofResults<One>(
  { results, session }: Turn,
  pick: (record: ResultRecord) => readonly One[],
) {
  const root = session.queue.at(-1)?.resultId
  return results.flatMap((record) => {
    const resultId = record.resultId === root ? undefined : record.resultId
    return pick(record).map((one) => ({ ...one, resultId }))
  })
}

/** Compares the transcript so far with what was shown. */
export function expectTold(shown: Shown, { bots, world }: EngineDeps): void {
  const { lines, inexact } = replayTurns(
    { version: "root", turns: shown.turns },
    { bots, world, fuel: unmetered() },
  )
  for (const reason of inexact) held.inexact.set(reason, (held.inexact.get(reason) ?? 0) + 1)
  if (inexact.size > 0) return
  held.exact += 1
  const said = shown.texts.map((_, at) =>
    lines.filter((line) => line.at === at && line.from === "bot").map(({ text }) => text),
  )
  expect(said, "what the bot says in the transcript").toEqual(shown.texts)
  const answered = shown.turns.flatMap(({ answers }) => answers.map(({ content }) => content))
  const heard = lines.filter(({ from }) => from === "person").map(({ text }) => text)
  expect(heard).toHaveLength(answered.length)
  for (const [index, { from, at }] of lines.entries()) {
    const before = lines[index - 1]
    if (from === "person") expect(before?.at === at && before.from === "bot").toBe(false)
  }
}

/** Words to a refused reply are those of an input, and an embed may be an action's. */
function isBubble({ visits }: Turn, bots: EngineDeps["bots"], { id }: ChatMessage): boolean {
  const versions = new Set(visits.map(([, , , version]) => version))
  return [...versions].some((version) => {
    const bot = bots.get(version)
    const here = bot?.positions.get(id)
    const block = here?.group.blocks[here.index]
    return block !== undefined && ["text", "image", "video", "audio", "embed"].includes(block.type)
  })
}

function textOf({ type, content }: ChatMessage): string[] {
  if (type === "text")
    return content.type === "richText" ? nonEmpty(toMarkdown(content.richText)) : []
  return nonEmpty("url" in content ? content.url : undefined)
}

const nonEmpty = (text: string | undefined) => (text ? [text] : [])

/** Previews store nothing, and clients that stream were shown more than messages. */
export function isHeld(parts: {
  isPreview?: boolean | undefined
  isStreamEnabled?: boolean | undefined
  textFormat?: string | undefined
}) {
  return !parts.isPreview && !parts.isStreamEnabled && parts.textFormat !== "markdown"
}
