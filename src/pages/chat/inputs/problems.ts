/** Says in words why a field cannot be sent, where the service would refuse it. */
import { texts } from "../texts.ts"

/** What is wrong with a field; undefined: nothing, as far as the browser knows. */
export type Check = (field: HTMLInputElement) => string | undefined

/** What a browser cannot read as a whole value, by the type of the field. */
const unread: Readonly<Record<string, string>> = {
  number: texts.notANumber,
  date: texts.dateIncomplete,
  "datetime-local": texts.momentIncomplete,
  time: texts.timeIncomplete,
}

/** Checks that a value is whole and within its bounds; `write` puts a bound in words. */
export function checkBounds(write: (bound: string) => string): Check {
  return ({ type, min, max, validity }) => {
    if (validity.badInput) return unread[type]
    // The service does not enforce a number of 0.
    const isEnforced = (bound: string) => type !== "number" || Number(bound) !== 0
    const say = (text: string, bound: string) => text.replace("{bound}", () => write(bound))
    if (validity.rangeUnderflow && isEnforced(min)) return say(texts.atLeast, min)
    if (validity.rangeOverflow && isEnforced(max)) return say(texts.atMost, max)
    return undefined
  }
}

/** Checks what every web address has; the service looks closer. */
export const checkAddress: Check = ({ value }) => {
  const typed = value.trim()
  const [, scheme] = /^([a-z][a-z\d+.-]*):\/\//i.exec(typed) ?? []
  const isWeb = scheme === undefined || /^https?$/i.test(scheme)
  const isLikely = isWeb && /[.[]/.test(typed) && !/[\s<>]/.test(typed)
  return isLikely ? undefined : texts.notAnAddress
}
