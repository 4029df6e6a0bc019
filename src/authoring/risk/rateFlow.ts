/** Rates the risk that a flow deceives its visitors, by what the operator lists. */
import { groupBy } from "../../lib/groupBy.ts"
import { plainHost } from "../../lib/plainHost.ts"
import { type RiskWords, wordsOf } from "./riskWords.ts"

export type RiskRating = {
  /** From 0 to 100. */
  level: number
  /** The listed words and domains that the flow has, at most 20. */
  found: string[]
}

/** Two listed words in a new workspace, three in others, or one listed domain are above the level that waits for a review. */
const points = { newWorkspace: 20, phrase: 35, domain: 85 }

const maxFound = 20

/** Rates all texts of a flow, those included that only code, options or settings have. */
export function rateFlow(flow: unknown, words: RiskWords, isNewWorkspace: boolean): RiskRating {
  const phrases = phraseFinder(words.phrases)
  const domains = domainFinder(words.domains)
  for (const text of textsOf(flow)) {
    phrases.read(text)
    domains.read(text)
  }
  const level =
    (isNewWorkspace ? points.newWorkspace : 0) +
    phrases.found.size * points.phrase +
    domains.found.size * points.domain
  const found = [...domains.found, ...phrases.found].slice(0, maxFound)
  return { level: Math.min(level, 100), found }
}

/** The texts in a value, and each paragraph as a whole: marks in the middle of a word hide nothing. */
function* textsOf(value: unknown, isInParagraph = false): Generator<string> {
  if (typeof value === "string") yield value
  if (typeof value !== "object" || value === null) return
  const isParagraph = "children" in value && Array.isArray(value.children)
  if (isParagraph && !isInParagraph) yield leavesIn(value).join("")
  for (const member of Object.values(value)) {
    yield* textsOf(member, isInParagraph || isParagraph)
  }
}

function leavesIn(node: unknown): string[] {
  if (typeof node !== "object" || node === null) return []
  if ("text" in node && typeof node.text === "string") return [node.text]
  return "children" in node && Array.isArray(node.children) ? node.children.flatMap(leavesIn) : []
}

/** Writing without spaces between words, in which a phrase may stand anywhere. */
const isUnspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

function phraseFinder(phrases: readonly string[]) {
  const found = new Set<string>()
  const folded = phrases.map((phrase) => ({ phrase, words: wordsOf(phrase) }))
  const anywhere = folded.filter(({ phrase }) => isUnspaced.test(phrase))
  const byFirstWord = groupBy(folded, ({ words }) => words[0] ?? "")
  return {
    found,
    read(text: string) {
      const read = wordsOf(text)
      for (const [at, word] of read.entries()) {
        for (const { phrase, words } of byFirstWord.get(word) ?? []) {
          if (words.every((each, index) => each === read[at + index])) found.add(phrase)
        }
      }
      const whole = anywhere.length > 0 ? read.join(" ") : ""
      for (const { phrase, words } of anywhere) {
        if (whole.includes(words.join(" "))) found.add(phrase)
      }
    },
  }
}

const maxHostLength = 253

function domainFinder(domains: readonly string[]) {
  const found = new Set<string>()
  const listed = new Set(domains)
  const readHost = (host: string) => {
    const labels = plainHost(host).split(".")
    for (const at of labels.keys()) {
      const domain = labels.slice(at).join(".")
      if (listed.has(domain)) found.add(domain)
    }
  }
  return {
    found,
    read(text: string) {
      if (listed.size === 0) return
      // As browsers read it: with `%6c`, a name before `@`, or a backslash.
      if (/^\s*https?:/i.test(text) && URL.canParse(text)) readHost(new URL(text).hostname)
      for (const word of text.split(/[^\p{L}\p{N}.-]+/u)) {
        if (word.includes(".") && word.length <= maxHostLength) readHost(word.replace(/\.+$/, ""))
      }
    },
  }
}
