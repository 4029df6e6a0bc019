/** Draws numbers that are the same for the same seed. */

/** Draws numbers. */
export type Dice = {
  /** From 0 up to 1. */
  fraction(): number
  /** A whole number from 0 on, below the limit. */
  below(limit: number): number
}

const modulus = 2_147_483_647

/** Opens dice (Lehmer). */
export function createDice(seed: number): Dice {
  let state = (seed % (modulus - 1)) + 1
  const fraction = () => {
    state = (state * 48_271) % modulus
    return state / modulus
  }
  return { fraction, below: (limit) => Math.floor(fraction() * limit) }
}
