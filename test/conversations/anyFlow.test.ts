/** Any valid flow, any replies: the engine neither throws nor hangs, and gives the same again. */
import fc from "fast-check"
import { expect, it } from "vitest"
import { writeSession } from "../../src/engine/session.ts"
import { AppError } from "../../src/lib/errors.ts"
import { anyFlow, anyMessage, converse } from "../support/anyFlow.ts"

/** Refusals that a flow may earn: its guards, its payments, its time zones, its unconnected events. */
const earned = ["UNPROCESSABLE_CONTENT", "BAD_REQUEST", "PAYLOAD_TOO_LARGE", "SERVICE_UNAVAILABLE"]

it("any flow talks to anyone for 10,000 turns", () => {
  const seen = { turns: 0, asked: 0, stopped: 0, refusals: 0 }
  const chat = fc.record({
    flow: anyFlow,
    kid: anyFlow,
    messages: fc.array(anyMessage, { minLength: 24, maxLength: 24 }),
    isPreview: fc.boolean(),
    luck: fc.nat({ max: 50 }),
  })
  fc.assert(
    fc.property(chat, ({ flow, ...how }) => {
      const steps = converse(flow, how)
      const again = converse(flow, how, (turn) => turn)
      expect(JSON.stringify(again)).toBe(JSON.stringify(steps))
      for (const step of steps) {
        if (step instanceof AppError) expect(earned).toContain(step.code)
        else writeSession(step.session)
        seen.turns += 1
        if (!(step instanceof AppError) && step.input) seen.asked += 1
        if (step instanceof AppError)
          seen[step.reason === "FLOW_TOO_EXPENSIVE" ? "stopped" : "refusals"] += 1
      }
    }),
    { numRuns: 400 },
  )
  expect(seen.turns).toBe(10_000)
  // The flows are no easy ones: most turns ask something, and some run into the guards.
  expect(seen.asked).toBeGreaterThan(3_000)
  expect(seen.stopped).toBeGreaterThan(50)
  expect(seen.refusals).toBeLessThan(4_000)
})
