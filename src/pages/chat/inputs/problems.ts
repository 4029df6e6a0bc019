/** Describes why a field cannot be sent, where the service would refuse it. */
import type { Texts } from "../texts/texts.ts"

/** The problem of a field; undefined: none known to the browser. */
export type Check = (field: HTMLInputElement) => string | undefined

/** Messages for incomplete values, by the type of the field. */
function sayUnread(type: string, texts: Texts): string {
  if (type === "time") return texts.timeIncomplete
  return type === "date" ? texts.dateIncomplete : texts.momentIncomplete
}

/** Checks that a moment is whole and within its bounds; `write` puts a bound in words. */
export function checkBounds(texts: Texts, write: (bound: string) => string): Check {
  return ({ type, min, max, validity }) => {
    if (validity.badInput) return sayUnread(type, texts)
    const say = (text: string, bound: string) => text.replace("{bound}", () => write(bound))
    if (validity.rangeUnderflow) return say(texts.notBefore, min)
    if (validity.rangeOverflow) return say(texts.notAfter, max)
    return undefined
  }
}

/** Checks the basic form of a web address; the service validates it. */
export const checkAddress =
  (texts: Texts): Check =>
  ({ value }) => {
    const typed = value.trim()
    const [, scheme] = /^([a-z][a-z\d+.-]*):\/\//i.exec(typed) ?? []
    const isWeb = scheme === undefined || /^https?$/i.test(scheme)
    const isLikely = isWeb && /[.[]/.test(typed) && !/[\s<>]/.test(typed)
    return isLikely ? undefined : texts.notAnAddress
  }
