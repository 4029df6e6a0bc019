/** Lists a turn's messages, actions and question in the order of display. */
import { offersOf } from "../../engine/blocks/registry.ts"
import { type Bot, blockAt } from "../../engine/bot.ts"
import type { ChatInput } from "../../engine/chatInput.ts"
import type { ChatMessage, ClientAction } from "../../engine/payload.ts"
import { toMarkdown } from "../../engine/richText/toMarkdown.ts"
import type { Turn } from "../../engine/turn/run.ts"
import { cut } from "../../lib/cut.ts"
import { groupBy } from "../../lib/groupBy.ts"

/** A group and a block by their names. */
export type Place = { group: string; block: string; blockId: string }

export type Heard = { at: Place } & (
  | { kind: "bot"; type: ChatMessage["type"]; text: string }
  | { kind: "action"; type: ClientAction["type"]; action: ClientAction }
  | { kind: "input"; type: string; choices?: string[] | undefined }
)

/** The outputs of a turn: each message, the actions after it, and the question last. */
export function heardIn(turn: Turn, bots: ReadonlyMap<string, Bot>): Heard[] {
  const heard: Heard[] = []
  let last = placeOf(turn.trail?.[0]?.blockId ?? "", bots)
  const due = groupBy(turn.actions, ({ lastBubbleBlockId }) => lastBubbleBlockId)
  const act = (after: string | undefined) => {
    for (const action of due.get(after) ?? []) {
      heard.push({ at: last, kind: "action", type: action.type, action })
    }
    // A loop shows a block more than once; its actions only name the block.
    due.delete(after)
  }
  act(undefined)
  for (const message of turn.messages) {
    last = placeOf(message.id, bots) ?? last
    heard.push({ at: last, kind: "bot", type: message.type, text: textOf(message) })
    act(message.id)
  }
  if (turn.input) {
    const { input } = turn
    const at = placeOf(input.id, bots)
    heard.push({ at, kind: "input", type: input.type, choices: choicesOf(input) })
  }
  return heard
}

export function placeOf(blockId: string, bots: ReadonlyMap<string, Bot>): Place {
  for (const { positions } of bots.values()) {
    const position = positions.get(blockId)
    if (!position) continue
    const block = `${position.index + 1} "${blockAt(position)?.type ?? ""}"`
    return { group: cut(position.group.title), block, blockId }
  }
  return { group: "", block: "", blockId }
}

/** Describes an output in one line. */
export function describeHeard(heard: Heard): string {
  if (heard.kind === "action") return heard.type
  if (heard.kind === "bot")
    return heard.type === "text" ? heard.text : `(${heard.type}) ${heard.text}`
  return heard.choices ? `${heard.type} [${heard.choices.join(", ")}]` : heard.type
}

/** A text as Markdown, or the address of other content. */
function textOf({ content, type }: ChatMessage): string {
  if (type !== "text") return ("url" in content && content.url) || ""
  if (!("richText" in content)) return "markdown" in content ? content.markdown : ""
  return toMarkdown(content.richText)
}

/** The labels of the choices; undefined: none. */
function choicesOf(input: ChatInput): string[] | undefined {
  return offersOf(input)?.map(({ label }) => label)
}
