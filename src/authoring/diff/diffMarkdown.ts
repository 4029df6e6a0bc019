/** Writes a diff as a short report for a pull request. */
import { changeKinds, type FlowChange } from "./diffSchemas.ts"

/**
 * The number of changes, then one line for each, in which the changed part of a text is marked. All text
 * from the flows is in code spans, so it makes no links, mentions or markup of its own.
 */
export function diffMarkdown(changes: readonly FlowChange[]): string {
  if (changes.length === 0) return "No changes.\n"
  const counts = changeKinds.flatMap((kind) => {
    const count = changes.filter((change) => change.kind === kind).length
    return count === 0 ? [] : `${count} ${kind}`
  })
  const total = changes.length === 1 ? "1 change" : `${changes.length} changes`
  return [`**${total}**: ${counts.join(", ")}`, "", ...changes.map(line), ""].join("\n")
}

function line(change: FlowChange): string {
  const { kind, what, place, label, path } = change
  const thing = what === "edge" ? `edge of ${codeSpan(place)}` : codeSpan(place)
  const member = label ?? (path ? codeSpan(path) : "")
  const text = textOf(change)
  return `- ${kind} ${thing}${member && ` (${member})`}${text && `: ${text}`}`
}

function textOf({ kind, place, before = "", after = "" }: FlowChange): string {
  const [old, now] = [codeSpan(cut(before, "end")), codeSpan(cut(after, "end"))]
  if (kind === "changed") return marked(before, after)
  if (kind === "rewired") return `${old} → ${now}`
  if (kind === "moved") return place === after ? `from ${old}` : `from ${old} to ${now}`
  // The place of a group or a variable already is its name.
  return place.endsWith(`"${before || after}"`) ? "" : old || now
}

/** The words that two texts share at both ends, and between them what was removed and added. */
function marked(before: string, after: string): string {
  const least = Math.min(before.length, after.length)
  let start = 0
  while (start < least && before[start] === after[start]) start++
  start -= wordEnd(before, after, start)
  let end = 0
  while (end < least - start && before.at(-1 - end) === after.at(-1 - end)) end++
  end -= wordStart(before, after, end)
  const gone = codeSpan(cut(before.slice(start, before.length - end), "end"))
  const fresh = codeSpan(cut(after.slice(start, after.length - end), "end"))
  return [
    codeSpan(cut(after.slice(0, start), "start")),
    gone && `~~${gone}~~`,
    fresh && `**${fresh}**`,
    codeSpan(cut(after.slice(after.length - end), "end")),
  ]
    .filter((part) => part)
    .join(" ")
}

/** The number of characters at the end of the common start that belong to a changed word. */
function wordEnd(before: string, after: string, start: number): number {
  if (!isInWord(before[start]) && !isInWord(after[start])) return 0
  let length = 0
  while (isInWord(after[start - 1 - length])) length++
  return length
}

/** The number of characters at the beginning of the common end that belong to a changed word. */
function wordStart(before: string, after: string, end: number): number {
  if (!isInWord(before.at(-1 - end)) && !isInWord(after.at(-1 - end))) return 0
  let length = 0
  while (length < end && isInWord(after[after.length - end + length])) length++
  return length
}

// Keeps surrogate pairs together.
function isInWord(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}\p{M}\p{Cs}_]/u.test(character)
}

/** Max characters shown of a text. */
const maxLength = 120

function cut(text: string, at: "start" | "end"): string {
  if (text.length <= maxLength) return text
  const piece = at === "end" ? text.slice(0, maxLength) : text.slice(-maxLength)
  // Drops lone surrogates.
  const whole = piece.replace(/\p{Surrogate}/gu, "")
  return at === "end" ? `${whole}…` : `…${whole}`
}

/** The text in a code span (CommonMark 0.31, 6.1); empty without visible text. */
function codeSpan(text: string): string {
  const visible = text.replace(/[\s\p{Cc}]+/gu, " ").trim()
  if (visible === "") return ""
  const runs = visible.match(/`+/g) ?? []
  const fence = "`".repeat(runs.reduce((longest, run) => Math.max(longest, run.length + 1), 1))
  const pad = visible.startsWith("`") || visible.endsWith("`") ? " " : ""
  return `${fence}${pad}${visible}${pad}${fence}`
}
