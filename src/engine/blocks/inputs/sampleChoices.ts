/** Replies to try on a question with choices. */
import { foldCase } from "../../../lib/foldCase.ts"
import type { Offer, Samples } from "../block.ts"
import { typedAs } from "./asking.ts"

/** Words that choose nothing, unless a label contains them. */
const strange = ["something else", "whatever", "???", "\u2603"]

/** Each of the offers, two of them where several may be chosen, and words that choose none. */
export function sampleChoices(offers: readonly Offer[], isMultiple = false): Samples {
  const replies = offers.map(({ reply }) => reply)
  const [first, second] = replies
  const two = isMultiple && first !== undefined && second !== undefined
  const names = offers.flatMap(({ id, label, value }) => [id, label, value])
  const isFree = (text: string) => !names.some((name) => hasWordsOf(name, text))
  return {
    fitting: typedAs([...replies, ...(two ? [`${first}, ${second}`] : [])]),
    refused: typedAs(strange.filter(isFree).slice(0, 1)),
  }
}

/** Whether a text may be matched as a name or a part of it. */
function hasWordsOf(name: string, text: string): boolean {
  const own = foldCase(name.trim())
  return own !== "" && (foldCase(text).includes(own) || own.includes(foldCase(text)))
}

/** Adds a reply to each offer: its label, or its id where another has the same words. */
export function withReplies(offers: readonly Omit<Offer, "reply">[]): Offer[] {
  const named = new Map<string, number>()
  for (const { id, label, value } of offers) {
    for (const name of new Set([id.trim(), label.trim(), value.trim()])) {
      named.set(name, (named.get(name) ?? 0) + 1)
    }
  }
  return offers.map((offer) => {
    const words = offer.label.trim()
    const isClear = words !== "" && named.get(words) === 1
    return { ...offer, reply: isClear ? words : offer.id }
  })
}

/** The lines of an offer besides its label. */
export function detailsOf(label: string, ...texts: (string | null | undefined)[]): string[] {
  return texts.flatMap((text) => (text && text !== label ? text : []))
}
