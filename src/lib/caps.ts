/** Bounds how much may be open at a time, for all together and for each who opens it. */
import { type AmountName, amounts, type CapName, caps } from "./shares.ts"

/**
 * Whether a key may take another place. A key that has some takes another only while a third as many are
 * free, and never the last: alone it gets three quarters, each of `n` keys 3/(3n + 1), and something is left
 * for a key that has none.
 */
export function mayTake({ free, held }: { free: number; held: number }): boolean {
  return held === 0 ? free > 0 : free > 1 && held < 3 * free
}

/** What one opens something as, for each key that the cap counts by. */
type Whose<Name extends CapName> = Record<keyof (typeof caps)[Name]["each"], string>

/** Which bound is reached: that of a key, or that of all. */
type Full<Name extends CapName> = keyof (typeof caps)[Name]["each"] | "all"

/**
 * Creates a cap of the list. It counts something in, or throws what `refuse` makes of the bound that is
 * reached; it returns the function that counts it out, which may be called twice.
 */
export function createCap<Name extends CapName>(
  name: Name,
  {
    places = caps[name].places,
    each = {},
  }: { places?: number; each?: Record<string, number> } = {},
) {
  const most: Record<string, number> = { ...caps[name].each, ...each }
  const kinds = Object.keys(most)
  const open = new Map<string, number>()
  let taken = 0
  return (whose: Whose<Name>, refuse: (full: Full<Name>) => Error) => {
    const keyOf = (kind: string) => `${kind} ${whose[kind as keyof Whose<Name>]}`
    for (const kind of kinds) {
      const held = open.get(keyOf(kind)) ?? 0
      if (held >= (most[kind] ?? 0)) throw refuse(kind as Full<Name>)
      if (!mayTake({ free: places - taken, held })) throw refuse("all")
    }
    for (const kind of kinds) open.set(keyOf(kind), (open.get(keyOf(kind)) ?? 0) + 1)
    taken += 1
    let isOpen = true
    return () => {
      if (!isOpen) return
      isOpen = false
      taken -= 1
      for (const kind of kinds) {
        const left = (open.get(keyOf(kind)) ?? 0) - 1
        if (left > 0) open.set(keyOf(kind), left)
        else open.delete(keyOf(kind))
      }
    }
  }
}

/**
 * Creates an amount of the list. It counts bytes for a key, and returns the function that gives them back;
 * undefined: too little is left. A key that holds nothing gets what leaves as much again, one that holds some
 * what leaves a third of all that it would hold; what is too large for that waits until nothing is held.
 */
export function createAmount(name: AmountName, most: number = amounts[name].most) {
  const heldBy = new Map<string, number>()
  let held = 0
  const count = (key: string, bytes: number) => {
    held += bytes
    const own = (heldBy.get(key) ?? 0) + bytes
    if (own > 0) heldBy.set(key, own)
    else heldBy.delete(key)
  }
  return (key: string, bytes: number): (() => void) | undefined => {
    const left = most - held - bytes
    const own = heldBy.get(key) ?? 0
    const isLeft = own > 0 ? 3 * left >= own + bytes : left >= bytes
    if (held > 0 && !isLeft) return undefined
    count(key, bytes)
    let isHeld = true
    return () => {
      if (isHeld) count(key, -bytes)
      isHeld = false
    }
  }
}
