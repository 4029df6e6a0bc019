/** Checks that the transcript of every conversation of the tests says what the client was shown. */
import { expect } from "vitest"
import type { ChatMessage } from "../../src/engine/payload.ts"
import { toMarkdown } from "../../src/engine/richText/toMarkdown.ts"
import { type Passed, passedIn, type ShownTurn } from "../../src/engine/shown.ts"
import type { Turn } from "../../src/engine/turn/run.ts"
import { maxLine } from "../../src/engine/turn/showing.ts"
import { cut } from "../../src/lib/cut.ts"

/** What a turn has stored, as it is read again. */
export function passedOf({ session, results }: Turn): Passed[] {
  const root = session.queue.at(-1)?.resultId
  const parts = results.map(({ resultId, answers, shown }): [string | undefined, ShownTurn] => [
    resultId,
    { answers, shown: shown?.parts },
  ])
  const own = parts.find(([resultId]) => resultId === root)?.[1] ?? { answers: [] }
  const linked = new Map(parts.flatMap(([id, part]) => (id === root ? [] : [[id ?? "", part]])))
  return passedIn({ ...own, linked })
}

/** Compares what a turn stores with what it showed. A turn that stores nothing is in no transcript. */
export function expectTranscript(turn: Turn): void {
  if (turn.results.length === 0) return
  const passed = passedOf(turn)
  const isCut = turn.results.some(({ shown }) => shown && shown.left <= 0)
  const visits = passed.flatMap(({ blockId, isVisit }) => (isVisit ? blockId : []))
  const all = turn.visits.map(([, blockId]) => blockId)
  expect(visits, "the blocks that are kept").toEqual(isCut ? all.slice(0, visits.length) : all)
  const lines = passed.flatMap(({ line }) => line ?? [])
  if (isCut || lines.some(({ isPartial }) => isPartial)) return
  const said = lines.flatMap(({ from, text }) => (from === "bot" ? text : []))
  const shown = turn.messages.filter((message) => isBubble(turn, message)).flatMap(textOf)
  expect(said, "what the bot says in the transcript").toEqual(
    shown.map((text) => cut(text, maxLine)),
  )
}

/** Words to a refused reply are those of an input, and an embed may be an action's. */
function isBubble({ visits }: Turn, { id }: ChatMessage): boolean {
  const bubbles = ["text", "image", "video", "audio", "file", "embed"]
  return visits.some(([type, blockId]) => blockId === id && bubbles.includes(type))
}

function textOf({ type, content }: ChatMessage): string[] {
  if (type === "text")
    return content.type === "richText" ? nonEmpty(toMarkdown(content.richText)) : []
  if (type === "file") return nonEmpty(content.name)
  return nonEmpty("url" in content ? content.url : undefined)
}

const nonEmpty = (text: string | undefined) => (text ? [text] : [])

/** Previews store nothing, and clients that stream were shown more than messages. */
export function isComparable(parts: {
  isPreview?: boolean | undefined
  isStreamEnabled?: boolean | undefined
  textFormat?: string | undefined
}) {
  return !parts.isPreview && !parts.isStreamEnabled && parts.textFormat !== "markdown"
}
