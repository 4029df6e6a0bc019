/** Describes why a number cannot be sent. */
import type { Texts } from "../texts/texts.ts"
import type { Check } from "./problems.ts"
import { readNumber } from "./readNumber.ts"

type NumberBounds = {
  locale: string
  min: number | string | undefined
  max: number | string | undefined
  /** Puts a bound in words. */
  write(bound: number): string
}

/** Checks that a text is one number, within its bounds; the service does not enforce a bound of 0. */
export const checkNumber =
  (texts: Texts, { locale, min, max, write }: NumberBounds): Check =>
  ({ value }) => {
    const read = readNumber(value, locale)
    if (!read) return texts.notANumber
    if ("choices" in read) {
      const [one, other] = read.choices
      return texts.whichNumber.replace("{one}", () => one).replace("{other}", () => other)
    }
    const number = Number(read.plain)
    const [least, most] = [Number(min), Number(max)]
    if (least && number < least) return texts.atLeast.replace("{bound}", () => write(least))
    if (most && number > most) return texts.atMost.replace("{bound}", () => write(most))
    return undefined
  }
