/** The budget of one call: units of work, charged wherever work grows with what people send or write. */

/**
 * What is left of a budget. A unit is about a tenth of a microsecond; nothing here reads a clock, so
 * that the same call costs the same everywhere.
 */
export type Fuel = { left: number }

/** Thrown by `spend`; `withinBudget` turns it into a refusal that names the block. */
export class OutOfFuel extends Error {
  constructor() {
    super("The call needs more work than it may take")
    this.name = "OutOfFuel"
  }
}

/** A full budget of that many units. */
export function openFuel(units: number): Fuel {
  return { left: units }
}

/** Charges for work that is about to be done, or that was just done if its size was not known before. */
export function spend(fuel: Fuel, units: number): void {
  fuel.left -= units
  if (fuel.left < 0) throw new OutOfFuel()
}

/** Work that is bounded by the size of one request and needs no budget of its own. */
export function unmetered(): Fuel {
  return openFuel(Number.POSITIVE_INFINITY)
}

/** A block that is walked, with everything in a visit that does not depend on sizes. */
export const blockUnits = 200

/** Characters that are copied, compared or printed. */
export function textUnits(length: number): number {
  return 1 + (length >> 3)
}

/** Characters that are read one by one: folded, split, matched, parsed. */
export function readingUnits(length: number): number {
  return 1 + (length >> 2)
}

/** Characters of a value that are marked, and escaped where they are written as Markdown. */
export function escapingUnits(length: number): number {
  return 1 + 3 * length
}

/**
 * A text that is searched for another: the product of both lengths at worst, 8 s for 400,000 and
 * 200,000 characters (V8 11.3).
 */
export function searchingUnits(length: number, soughtLength: number): number {
  return (length * soughtLength) / 256
}

/** A reply that is judged: matched as an address, searched for dates and choices. */
export function judgingUnits(text: string): number {
  return 1 + text.length
}

/**
 * About how many characters a value has as JSON, charged as it is walked. What an answer or a
 * request to the outside comes to is measured with it before it is printed.
 */
export function measure(value: unknown, fuel: Fuel): number {
  const length = lengthOf(value, fuel)
  spend(fuel, 0)
  return length
}

/** The walk; it stops as soon as the fuel runs out. */
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
  // No list of the members is made: this runs for every message of every turn.
  for (const name in value) {
    length += name.length + 4 + lengthOf((value as Record<string, unknown>)[name], fuel)
  }
  return length
}
