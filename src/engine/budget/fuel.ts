/**
 * Limits of one call of a chat: units of work, charged wherever work grows with the input, and bounds on
 * sizes.
 */

/**
 * The rest of a budget. A unit is about a tenth of a microsecond. No clock is read, so that a call costs the
 * same everywhere.
 */
export type Fuel = { left: number }

/** Limits of one call; `fuel` in units. */
export type Limits = { fuel: number }

/** Live chats, and previews by strangers: about 50 ms. */
export const liveLimits: Limits = { fuel: 500_000 }

/** Previews by members, who may see more than a live chat would run: about 125 ms. */
export const previewLimits: Limits = { fuel: 1_250_000 }

/** The limits of a chat; `isRestricted`: a stranger's preview. */
export function limitsOf(chat: { isPreview: boolean; isRestricted?: boolean | undefined }): Limits {
  return chat.isPreview && !chat.isRestricted ? previewLimits : liveLimits
}

/** Max output of one call, in characters of JSON: messages, input, actions, theme and logs. */
export const maxPrinted = 2_000_000

/** Max size of a call to the outside world, in characters of JSON; scripts only cost fuel. */
export const maxCallLength = 5_000_000

/** Max bots waiting for linked bots; further links fail. */
export const maxWaitingBots = 100

/** Max size of the session state, in characters of JSON. */
export const maxStateLength = 1_000_000

/** Max characters of a log's `description` and `details`. */
export const maxLogDetails = 1_000

/** Thrown by `spend`; `withinBudget` turns it into a refusal that names the block. */
export class OutOfFuel extends Error {
  constructor() {
    super("The call needs more work than it may take")
    this.name = "OutOfFuel"
  }
}

/** A full budget of that many units. */
export function createFuel(units: number): Fuel {
  return { left: units }
}

/** Charges for work before it is done, or after it if its size was unknown. */
export function spend(fuel: Fuel, units: number): void {
  fuel.left -= units
  if (fuel.left < 0) throw new OutOfFuel()
}

/** Work that is bounded by the size of one request and needs no budget of its own. */
export function unmetered(): Fuel {
  return createFuel(Number.POSITIVE_INFINITY)
}

/** The cost of walking a block, without parts that depend on sizes. */
export const blockUnits = 200

/** The cost of copying, comparing or printing characters. */
export function textUnits(length: number): number {
  return 1 + (length >> 3)
}

/** The cost of reading characters one by one: folding, splitting, matching, parsing. */
export function readingUnits(length: number): number {
  return 1 + (length >> 2)
}

/** The cost of marking the characters of a value, and of escaping them in Markdown. */
export function escapingUnits(length: number): number {
  return 1 + 3 * length
}

/**
 * The cost of searching a text for another: at worst the product of both lengths, 8 s for 400,000 and
 * 200,000 characters (V8 11.3).
 */
export function searchingUnits(length: number, soughtLength: number): number {
  return (length * soughtLength) / 256
}

/** The cost of judging a reply: matching it as an address, searching it for dates and choices. */
export function judgingUnits(text: string): number {
  return 1 + text.length
}

/**
 * Estimates a value's characters as JSON and charges for the walk. Used before printing answers and requests.
 */
export function measure(value: unknown, fuel: Fuel): number {
  const length = lengthOf(value, fuel)
  spend(fuel, 0)
  return length
}

/** Walks the value until the fuel runs out. */
function lengthOf(value: unknown, fuel: Fuel): number {
  if (typeof value === "string") {
    fuel.left -= textUnits(value.length)
    return value.length + 2
  }
  if (typeof value !== "object" || value === null) return 8
  fuel.left -= 1
  if (fuel.left < 0) return 0
  let length = 2
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) length += lengthOf(value[index], fuel) + 1
    return length
  }
  // Without a list of members: this runs for every message of every turn.
  for (const name in value) {
    length += name.length + 4 + lengthOf((value as Record<string, unknown>)[name], fuel)
  }
  return length
}
