/** How much tests may compute: one budget for all turns and all expectations of a request. */
import { createFuel, type Fuel, liveLimits, OutOfFuel } from "../engine/budget/fuel.ts"

/** A budget that conversations share. */
export type TestBudget = {
  /** Grants a turn its units, of which the returned function charges those that it has used. */
  grantTurn(units: number): (usedUnits: number) => void
  /** Judges what the bot did, with fuel for one judgement; others get their turns after some of them. */
  judge<T>(work: (fuel: Fuel) => T, maxUnits?: number): Promise<T>
}

/** A conversation that is too long in one way or another. */
export class Endless extends Error {}

/** What a request may compute, about half a second. */
const usualUnits = 5_000_000

/** What one judgement may compute in one go, about 10 ms. */
export const judgementUnits = 100_000

/** What comparing a whole turn, or the end of a conversation, may compute in one go: as much as a turn. */
export const turnUnits = liveLimits.fuel

/** Judgements between which others need not get a turn, about 2 ms. */
const shortUnits = 20_000

/** Creates a budget; `pause` is awaited where others may get their turns. */
export function createTestBudget(
  pause: () => Promise<void> = async () => {},
  units = usualUnits,
): TestBudget {
  let left = units
  let sincePause = 0
  const exhausted = () => new Endless("The tests take more work together than one request may")
  return {
    grantTurn(most) {
      // With less than a chat has, a turn could fail that no chat refuses.
      if (left < most) throw exhausted()
      left -= most
      return (used) => {
        left += most - used
      }
    },
    async judge(work, most = judgementUnits) {
      const granted = Math.min(most, left)
      const fuel = createFuel(granted)
      try {
        return work(fuel)
      } catch (error) {
        if (!(error instanceof OutOfFuel)) throw error
        if (granted < most) throw exhausted()
        throw new Endless("The comparison takes too much work: make what the test expects shorter")
      } finally {
        const used = granted - Math.max(0, fuel.left)
        left -= used
        sincePause += used
        if (sincePause > shortUnits) {
          sincePause = 0
          await pause()
        }
      }
    },
  }
}
