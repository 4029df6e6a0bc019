/** The words, phrases and domains of phishing that the operator lists, and the form in which texts are compared with them. */
import { plainHost } from "../../lib/plainHost.ts"

export type RiskWords = {
  /** Words and phrases, as they were written. */
  phrases: readonly string[]
  /** In ASCII; their subdomains count, too. */
  domains: readonly string[]
}

const maxEntries = 1_000
const maxEntryLength = 100

/**
 * Reads a list with one word, phrase or domain per line; `#` begins a comment. Throws an error that names the line
 * that cannot be used.
 */
export function readRiskWords(text: string): RiskWords {
  const phrases = new Set<string>()
  const domains = new Set<string>()
  for (const [index, line] of text.split("\n").entries()) {
    const entry = line.replace(/#.*/, "").trim()
    if (entry === "") continue
    const place = `line ${index + 1}`
    if (entry.length > maxEntryLength) {
      throw new Error(`${place} is longer than ${maxEntryLength} characters`)
    }
    if (/^\S+\.\S+$/.test(entry)) domains.add(plainHost(entry))
    else if (wordsOf(entry).length > 0) phrases.add(entry)
    else throw new Error(`${place} has no letters`)
    if (phrases.size + domains.size > maxEntries) {
      throw new Error(`${place} is beyond the limit of ${maxEntries} words and domains`)
    }
  }
  return { phrases: [...phrases], domains: [...domains] }
}

/** The words of a text, folded so that letters and digits that look alike are equal: `Pаypa1` is `paypal`. */
export function wordsOf(text: string): string[] {
  return text
    .normalize("NFKD")
    .replaceAll(/[\p{M}\p{Cf}]/gu, "")
    .toLowerCase()
    .replaceAll(lookAlike, (letter) => twins[letter] ?? letter)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
}

/** By what they look like; `i` and `l` are one letter, because a capital I looks like a small L. */
const groups: Readonly<Record<string, string>> = {
  ...{ a: "аαɑ@", b: "вβ", c: "сϲ", d: "ԁ", e: "еε3", h: "нһ", j: "јϳ", k: "кκ", l: "iіι1|ıӏ" },
  ...{ m: "м", n: "ո", o: "оοօ0", p: "рρ", s: "ѕ5$", t: "тτ", u: "υս", v: "ν", w: "ԝω", x: "хχ" },
  ...{ y: "уγ" },
}

const twins: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(groups).flatMap(([letter, like]) => [...like].map((twin) => [twin, letter])),
)

const lookAlike = new RegExp(`[${Object.keys(twins).join("")}]`, "gu")
