/**
 * Caps the length of texts in a bot. One walk covers every member that authors can send, including those of
 * future and unknown block types: a member without its own bound counts as a text.
 */

/** Max characters (UTF-16 units). The longest name of real exports has 40, their longest text 200. */
export const maxLengths = {
  /** Titles of groups, names of variables. */
  name: 1_000,
  /** Contents of buttons, messages of the system, placeholders, descriptions of a page. */
  label: 10_000,
  /** Web addresses. */
  address: 10_000,
  /** Pictures and files that an address holds itself (`data:`). */
  data: 1_000_000,
  /** Everything else: bubbles, scripts, bodies of requests. */
  text: 100_000,
} as const

/** A text that exceeds its bound. */
export type LongText = { path: readonly (string | number)[]; length: number; max: number }

const names: ReadonlySet<string> = new Set(["title", "name", "font"])

/** Members whose texts are labels, at any depth. */
const labels: ReadonlySet<string> = new Set([
  ...["label", "labels", "placeholder", "button", "description", "retryMessageContent"],
  ...["systemMessages", "metadata", "items"],
])

const addressName = /(?:url|src|link|href)$/i

/** Lists the first `count` texts of a bot, or of some of its members, that exceed their bounds. */
export function longTextsIn(bot: unknown, count = Number.POSITIVE_INFINITY): LongText[] {
  const found: LongText[] = []
  const path: (string | number)[] = []
  const visit = (value: unknown, max: number): void => {
    if (found.length >= count) return
    if (typeof value === "string") {
      const allowed = maxLengthOfText(value, max)
      if (value.length > allowed)
        found.push({ path: [...path], length: value.length, max: allowed })
    } else if (Array.isArray(value)) {
      for (const [index, element] of value.entries()) {
        path.push(index)
        visit(element, max)
        path.pop()
      }
    } else if (typeof value === "object" && value !== null) {
      for (const name in value) {
        path.push(name)
        visit((value as Readonly<Record<string, unknown>>)[name], maxLengthOfMember(name, max))
        path.pop()
      }
    }
  }
  visit(bot, maxLengths.text)
  return found
}

/** The bound of a member, in an object with a bound for its texts. */
function maxLengthOfMember(name: string, within: number): number {
  if (names.has(name)) return Math.min(within, maxLengths.name)
  if (labels.has(name)) return Math.min(within, maxLengths.label)
  return addressName.test(name) ? maxLengths.address : within
}

function maxLengthOfText(text: string, max: number): number {
  return max !== maxLengths.name && text.startsWith("data:") ? maxLengths.data : max
}
