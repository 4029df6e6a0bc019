/** A failed test, line by line: the actual conversation with the expectation. */
import { cut } from "../../lib/cut.ts"
import type { Place } from "../play/heard.ts"
import type { TestOutcome } from "../testOutcome.ts"

/** A line: unchanged, expected (-), or actual (+). */
export type FailureLine = { sign: " " | "-" | "+"; text: string; place?: string | undefined }

/** Max lines of the conversation shown, from its end. */
const maxLines = 20
const maxTextLines = 13

const words = { bot: "bot", user: "user", input: "asks", action: "does" } as const

/** The lines under the message of the failure. */
export function failureLines({ failure, transcript }: TestOutcome): FailureLine[] {
  const shown = transcript.slice(-maxLines)
  const hidden = transcript.length - shown.length
  const lines: FailureLine[] = shown.flatMap(({ from, text, at }) =>
    lined(" ", text, { word: words[from], place: at && placeText(at) }),
  )
  const { expected, actual, at } = failure ?? {}
  return [
    ...(hidden > 0 ? [{ sign: " ", text: `… ${hidden} lines before` } as const] : []),
    ...lines,
    ...(expected === undefined ? [] : lined("-", expected, {})),
    ...(actual === undefined ? [] : lined("+", actual, { place: at && placeText(at) })),
  ]
}

export function failureText(outcome: TestOutcome): string {
  return failureLines(outcome)
    .map(({ sign, text, place }) => `${sign} ${text}${place ? `   (${place})` : ""}`)
    .join("\n")
}

export function placeText({ group, block }: Place): string {
  return inOneLine(`Group "${group}" › block ${block}`)
}

/** Foreign text must not begin a line. */
export function inOneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ")
}

/** Prefixes each line of a text: a bot's text at the beginning of a line could be a command to the CI. */
function lined(
  sign: FailureLine["sign"],
  text: string,
  { word, place }: { word?: string; place?: string | undefined },
): FailureLine[] {
  const lines = text.split(/\r\n?|\n/).map((line) => cut(line, 500))
  const shown = lines.slice(0, maxTextLines)
  if (shown.length < lines.length) shown.push("…")
  const margin = word === undefined ? "" : "     "
  return shown.map((line, index) => {
    if (index > 0) return { sign, text: `${margin}| ${line}` }
    return { sign, text: `${(word ?? "").padEnd(margin.length)}| ${line}`, place }
  })
}
