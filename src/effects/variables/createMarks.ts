/** Finds the marks of a turn in calls, and replaces them by what they stand for. */
import { base64Parts } from "../credentials/base64Parts.ts"

type ValueFor = (name: string) => string | undefined

export function createMarks(turn: string) {
  // Its quotation marks: in JSON, in JSON within JSON (four levels at most), in an address.
  const marks = new RegExp(String.raw`((?:\\|%5C){0,15}(?:"|%22))${turn}\.(\w{1,64})\1`, "g")
  const names = new RegExp(String.raw`${turn}\.(\w{1,64})`, "g")
  const parts = base64Parts(turn)
  const inBase64 = new RegExp(parts.map(({ part }) => `(${part})`).join("|"), "g")

  const replacePlain = (text: string, valueFor: ValueFor, adapt = (value: string) => value) =>
    text.replaceAll(marks, (mark, quote: string, name: string) => {
      const value = valueFor(name)
      return value === undefined ? mark : adapt(encodedAs(quote, value))
    })

  /** As `btoa` makes it of a login, with the characters of addresses or without. */
  const replaceEncoded = (text: string, valueFor: ValueFor) => {
    let replaced = ""
    let at = 0
    for (const match of text.matchAll(inBase64)) {
      if (match.index < at) continue
      const lead = parts[match.slice(1).findIndex((part) => part !== undefined)]?.lead ?? 0
      const { start, end } = groupsAround(text, match.index - lead, at)
      const encoded = text.slice(start, end)
      const bytes = Buffer.from(decodeURIComponent(encoded), "base64").toString("latin1")
      const after = replacePlain(bytes, valueFor, (value) => Buffer.from(value).toString("latin1"))
      replaced +=
        text.slice(at, start) + (after === bytes ? encoded : base64Like(encoded, bytes, after))
      at = end
    }
    return replaced + text.slice(at)
  }

  return {
    /** Whether a text holds a mark, perhaps in base64. */
    areIn: (text: string) => text.includes(turn) || text.search(inBase64) !== -1,
    /** The names of the marks in a text, each once. */
    namesIn: (text: string) => [
      ...new Set(Array.from(text.matchAll(names), ([, name = ""]) => name)),
    ],
    /** The text with values in place of marks, encoded as these are; marks without a value stay. */
    replace: (text: string, valueFor: ValueFor) =>
      replaceEncoded(replacePlain(text, valueFor), valueFor),
  }
}

/** A value encoded as the quotation mark is. */
function encodedAs(quote: string, value: string): string {
  const isInAddress = quote.endsWith("%22")
  const escapes = quote.match(/\\|%5C/g)?.length ?? 0
  let encoded = value
  // Each level of JSON doubles the backslashes of the one before, and adds its own.
  for (let left = escapes; left > 0; left = (left - 1) >> 1)
    encoded = JSON.stringify(encoded).slice(1, -1)
  return isInAddress ? encodeURIComponent(encoded) : encoded
}

/** Max characters of base64 before a mark that may belong to its quotation mark. */
const maxLead = 32

/** The groups of four characters from a group on to the end of the base64, and some before it. */
function groupsAround(text: string, group: number, from: number): { start: number; end: number } {
  let start = group
  const isBase64 = /^[\w+/-]{4}$/
  while (
    group - start < maxLead &&
    start - 4 >= from &&
    isBase64.test(text.slice(start - 4, start))
  )
    start -= 4
  const rest = /(?:[\w+/-]|%2[BF])*(?:=|%3D)*/iy
  rest.lastIndex = group
  rest.test(text)
  return { start, end: rest.lastIndex }
}

/** Other bytes in base64 of the same form; the groups before the first difference may be no base64. */
function base64Like(encoded: string, before: string, after: string): string {
  let same = 0
  while (before[same] === after[same]) same++
  const groups = Math.floor(same / 3)
  const [kept, rest] = [encoded.slice(0, 4 * groups), decodeURIComponent(encoded.slice(4 * groups))]
  const isOfAddresses = /[-_]/.test(rest)
  const made = Buffer.from(after.slice(3 * groups), "latin1").toString(
    isOfAddresses ? "base64url" : "base64",
  )
  const isPadded = rest.length % 4 === 0
  const bare = made.replaceAll("=", "")
  const padded = isPadded ? bare.padEnd(4 * Math.ceil(bare.length / 4), "=") : bare
  return kept + (encoded.includes("%") ? encodeURIComponent(padded) : padded)
}
