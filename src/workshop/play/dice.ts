/** Numbers that look random and are the same for the same seed. */

/** Dice for one turn: at least 0, less than 1 (the generator splitmix32). */
export function createDice(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x9e3779b9) | 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 4_294_967_296
  }
}

/** Draws one element of a list. */
export function drawOne<T>(dice: () => number, list: readonly T[]): T | undefined {
  return list[Math.floor(dice() * list.length)]
}
