/** The content and path of a turn, in stored form. */
import type { Answer, LineType, ShownPart } from "./records.ts"
import type { Message } from "./schema/message.ts"

/** A line of a conversation. */
export type Line = {
  from: "bot" | "person"
  type: LineType
  text: string
  /** The displayed text, if it differs from the stored one. */
  seen?: string
  /** True: cut, or without values of session variables. */
  isPartial?: true
}

/** A block that a turn passed, or an input answered in it. */
export type Passed = {
  blockId: string
  /** Absent: the version that the chat began with. */
  version?: string | undefined
  /** False: a reply to it. */
  isVisit: boolean
  /** True: a refused reply, or the bot's answer to it. */
  isRefused?: true
  line?: Line
}

/** The stored form of a turn. */
export type ShownTurn = {
  /** Absent: an earlier release stored the turn, or it had no content. */
  shown?: readonly ShownPart[] | undefined
  answers: readonly Answer[]
  /** The turn as linked bots with results of their own recorded it, by result id. */
  linked?: ReadonlyMap<string, ShownTurn>
}

/** The blocks that a turn passed, in order, without refused replies; without a record only its answers. */
export function passedIn(turn: ShownTurn): Passed[] {
  return allPassedIn(turn).filter(({ isRefused }) => !isRefused)
}

/** The same with refused replies, and the bot's answers to them. */
export function allPassedIn(turn: ShownTurn): Passed[] {
  const linked = new Map(turn.linked)
  if (turn.shown) return passedInParts(turn, turn.shown, linked)
  return [turn, ...linked.values()].flatMap(({ answers }) =>
    answers.map((answer) => said(answer.blockId, undefined, { text: textOfAnswer(answer) })),
  )
}

function passedInParts(
  { answers }: ShownTurn,
  parts: readonly ShownPart[],
  linked: Map<string, ShownTurn>,
): Passed[] {
  const left = [...answers]
  const passed: Passed[] = []
  let version: string | undefined
  for (const part of parts) {
    if (typeof part === "string") passed.push({ blockId: part, version, isVisit: true })
    else if ("v" in part) version = part.v
    else if ("b" in part) {
      const { b: blockId, t: text, k: type = "text", x } = part
      const line: Line = { from: "bot", type, text, ...(x && { isPartial: true }) }
      passed.push({ blockId, version, isVisit: true, line })
    } else if ("a" in part) {
      const place = left.findIndex(({ blockId }) => blockId === part.a)
      const isOwn = !("t" in part) || part.t === undefined
      const [answer] = isOwn && place >= 0 ? left.splice(place, 1) : []
      const text = ("t" in part ? part.t : undefined) ?? (answer && textOfAnswer(answer))
      const seen = "s" in part ? part.s : undefined
      if (text !== undefined) passed.push(said(part.a, version, { text, seen, isCut: part.x }))
    } else if ("q" in part) {
      const { q: blockId, t: text, w: words, x: isCut } = part
      const isRefused = true
      if (text !== "") passed.push({ ...said(blockId, version, { text, isCut }), isRefused })
      if (words === "") continue
      const line: Line = {
        from: "bot",
        type: "text",
        text: words,
        ...(isCut && { isPartial: true }),
      }
      passed.push({ blockId, version, isVisit: false, isRefused, line })
    } else if ("r" in part) {
      const child = linked.get(part.r)
      // Only once: a result that refers to itself would never end.
      linked.delete(part.r)
      if (child)
        for (const each of passedInParts(child, child.shown ?? [], linked)) passed.push(each)
    }
  }
  return passed
}

function said(
  blockId: string,
  version: string | undefined,
  { text, seen, isCut }: { text: string; seen?: string | undefined; isCut?: 1 | undefined },
): Passed {
  const more = { ...(seen !== undefined && { seen }), ...(isCut && { isPartial: true as const }) }
  const line: Line = { from: "person", type: "text", text, ...more }
  return { blockId, version, isVisit: false, line }
}

/** A line of a transcript in a flow. */
export type SpokenLine = Pick<Line, "from" | "text">

/** The lines of a transcript in a flow, without embedded pages. */
export function spoken(passed: readonly Passed[]): SpokenLine[] {
  return passed.flatMap(({ line }) =>
    line && line.type !== "embed" && line.type !== "custom-embed"
      ? { from: line.from, text: line.text }
      : [],
  )
}

/** Whether the stored content of a turn is cut. */
export function isCut({ shown = [], linked = new Map() }: ShownTurn): boolean {
  const isOwn = shown.some((part) => typeof part === "object" && "cut" in part)
  return isOwn || [...linked.values()].some(isCut)
}

/** An answer as a line: the addresses of its files, then its words. */
export function textOfAnswer({ content, attachedFileUrls = [] }: Omit<Answer, "blockId">): string {
  return [attachedFileUrls.join(", "), content].filter(Boolean).join("\n\n")
}

/** A message as a line. */
export function textOfMessage(message: Message): string {
  if (message.type === "audio") return message.url
  if (message.type === "command") return message.command
  return textOfAnswer({ content: message.text, attachedFileUrls: message.attachedFileUrls })
}
