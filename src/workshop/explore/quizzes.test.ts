/** Bots whose values add up are explored to their ends, and unreached parts are named. */
import { afterAll, describe, expect, it } from "vitest"
import { type QuizParts, quiz } from "../../../test/support/quizzes.ts"
import { openSandbox } from "../../effects/sandbox/sandbox.ts"
import { usualClock } from "../testConversation.ts"
import { explore } from "./explore.ts"

const sandbox = openSandbox()
afterAll(() => sandbox.close())

/** Explores a quiz with a number of moves far below its number of states. */
async function explored(questions: number, moves: number, parts: QuizParts) {
  let asked = 0
  return await explore({
    ...{ flow: quiz(questions, parts), clock: usualClock, seed: 1, runScripts: sandbox.run },
    left: () => 1 - ++asked / moves,
  })
}

describe.each([
  { questions: 12, scoring: "summed", behind: "loop-without-input" },
  { questions: 12, scoring: "counted", behind: "dead-end" },
  { questions: 40, scoring: "summed", behind: "dead-end" },
  { questions: 40, scoring: "counted", behind: "reply-refused" },
] as const)("a quiz of $questions questions whose points are $scoring", ({
  questions,
  ...parts
}) => {
  it(`has a ${parts.behind} behind its score, which is found`, async () => {
    const { findings } = await explored(questions, 4_000, parts)
    expect(findings.map(({ rule }) => rule)).toContain(parts.behind)
  })

  it("is reached as a whole if it is valid", async () => {
    const { findings, coverage } = await explored(questions, 4_000, { scoring: parts.scoring })
    expect(findings.map(({ rule, message }) => `${rule}: ${message}`)).toEqual([])
    expect(coverage.missed).toEqual([])
  })

  it("names unreached parts when the time is over", async () => {
    const { findings, coverage, left } = await explored(questions, 30, { scoring: parts.scoring })
    expect(findings).toEqual([])
    expect(coverage.missed).toContain('Group "Best"')
    expect(left).toMatch(/left unexplored: out of time/)
  })
})
