/** Caps the work of tests: one budget for all turns and expectations of a request. */
import { createFuel, type Fuel, liveLimits, OutOfFuel } from "../engine/budget/fuel.ts"

/** A budget that conversations share. */
export type TestBudget = ReturnType<typeof createTestBudget>

/** Thrown by a conversation that exceeds a limit. */
export class Endless extends Error {}

/** Units of a request, about half a second. */
const usualUnits = 5_000_000

/** Max units of one judgement, about 10 ms. */
export const judgementUnits = 100_000

/** Max units of comparing a whole turn, or the end of a conversation: those of a turn. */
export const turnUnits = liveLimits.fuel

/** Units of judgements between two yields, about 2 ms. */
const shortUnits = 20_000

/** Creates a budget; `pause` is awaited to yield to others. */
export function createTestBudget(pause: () => Promise<void> = async () => {}, units = usualUnits) {
  let left = units
  let sincePause = 0
  const exhausted = () => new Endless("The tests exceed the work limit of one request")
  return {
    /** Grants a turn its units; the returned function charges the used ones. */
    grantTurn(most: number) {
      // With less than a chat's budget, a valid turn could fail.
      if (left < most) throw exhausted()
      left -= most
      return (used: number) => {
        left += most - used
      }
    },
    /** Judges an output with fuel for one judgement; yields to others after some of them. */
    async judge<T>(work: (fuel: Fuel) => T, most = judgementUnits) {
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
