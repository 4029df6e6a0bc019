/** Random bots and conversations: the version that ran never differs from itself. */
import fc from "fast-check"
import { expect, test } from "vitest"
import { anyFlow, anyFromOutside, anyMessage } from "../../../test/support/anyFlow.ts"
import { outcomes } from "../../../test/support/outcomes.ts"
import {
  type Happening,
  type Recording,
  recordChat,
  replay,
} from "../../../test/support/recordChat.ts"
import { blockUnits } from "../../engine/budget/fuel.ts"

const anyHappening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 5, arbitrary: anyMessage },
  {
    weight: 1,
    arbitrary: anyFromOutside.map((event) =>
      typeof event === "number" ? { seconds: event } : { steering: { continueAt: event } },
    ),
  },
)

/** A forged record: turns are missing, repeated and mixed, and name other blocks. */
function forged({ chat, ...recording }: Recording, luck: number): Recording {
  const turns = chat.turns.flatMap((turn, index) => {
    const other = chat.turns[(index * 7 + luck) % chat.turns.length] ?? turn
    const mixed = { ...turn, passed: other.passed, changes: other.changes, marks: other.marks }
    return [[turn], [mixed], [turn, mixed], []][(index + luck) % 4] ?? []
  })
  return { ...recording, chat: { ...chat, turns } }
}

test("a version never differs from itself, and forged records come to an end", () => {
  const counts: Record<string, number> = {}
  fc.assert(
    fc.property(
      anyFlow,
      anyFlow,
      fc.array(anyHappening, { maxLength: 6 }),
      fc.nat(1_000),
      (flow, kid, happenings, luck) => {
        const recording = recordChat(flow, happenings, {
          linked: { kid },
          fuel: 100 * blockUnits,
          random: () => (luck % 7) / 7,
          isStreamEnabled: luck % 2 === 0,
          prefilled: luck % 3 === 0 ? { Plain: "P" } : {},
          answer: (call, nth) => {
            const ways = outcomes(call)
            return ways[(nth + luck) % ways.length] ?? { failed: true, description: "none" }
          },
        })
        replay(forged(recording, luck), kid)
        const replayed = replay(recording, flow)
        const came =
          "obstacle" in replayed
            ? replayed.obstacle
            : "difference" in replayed
              ? "difference"
              : "same"
        counts[came] = (counts[came] ?? 0) + 1
        if ("difference" in replayed) throw new Error(JSON.stringify(replayed.difference))
      },
    ),
    { numRuns: 50 },
  )
  expect(counts.same).toBeGreaterThan(40)
})
