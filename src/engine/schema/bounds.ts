/**
 * How long the texts of a bot may be. One walk covers every member that authors can send, including
 * those of future and unknown block types: a member without a bound of its own counts as a text.
 */

/** In characters (UTF-16 units). The longest name of real exports has 40, their longest text 200. */
export const longest = {
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

/** A text that is longer than it may be. */
export type LongText = { path: readonly (string | number)[]; length: number; most: number }

type Members = Readonly<Record<string, unknown>>

const names: ReadonlySet<string> = new Set(["title", "name", "font"])

/** Members whose texts are labels, at any depth. */
const labels: ReadonlySet<string> = new Set([
  ...["label", "labels", "placeholder", "button", "description", "retryMessageContent"],
  ...["systemMessages", "metadata", "items"],
])

const addressName = /(?:url|src|link|href)$/i

/** Lists the texts of a bot, or of some of its members, that are longer than they may be: the first `count`. */
export function longTextsIn(bot: unknown, count = Number.POSITIVE_INFINITY): LongText[] {
  const found: LongText[] = []
  const path: (string | number)[] = []
  const visit = (value: unknown, most: number): void => {
    if (found.length >= count) return
    if (typeof value === "string") {
      const allowed = maxPerText(value, most)
      if (value.length > allowed)
        found.push({ path: [...path], length: value.length, most: allowed })
    } else if (Array.isArray(value)) {
      for (const [index, element] of value.entries()) {
        path.push(index)
        visit(element, most)
        path.pop()
      }
    } else if (typeof value === "object" && value !== null) {
      for (const name in value) {
        path.push(name)
        visit((value as Members)[name], maxPerMember(name, most))
        path.pop()
      }
    }
  }
  visit(bot, longest.text)
  return found
}

/** The bound of a member, within an object whose texts have one already. */
function maxPerMember(name: string, within: number): number {
  if (names.has(name)) return Math.min(within, longest.name)
  if (labels.has(name)) return Math.min(within, longest.label)
  return addressName.test(name) ? longest.address : within
}

function maxPerText(text: string, most: number): number {
  return most !== longest.name && text.startsWith("data:") ? longest.data : most
}
