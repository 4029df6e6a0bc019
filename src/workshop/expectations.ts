/** Checks expectations at the end of a conversation. */
import { type Fuel, measure, readingUnits, spend } from "../engine/budget/fuel.ts"
import { describeVariables } from "../engine/recorded/describeTrail.ts"
import type { Turn } from "../engine/turn/run.ts"
import { isOver } from "../engine/turn/settle.ts"
import { cut } from "../lib/cut.ts"
import type { Noticed } from "./explore/noticed.ts"
import type { ConversationTest } from "./files/testFileSchema.ts"
import { findText, fits } from "./play/fits.ts"
import type { PlainRequest } from "./play/plainRequest.ts"
import { type Play, playedResultId } from "./play/play.ts"
import { fitsRequest, type Outside } from "./play/stubs.ts"
import type { TestFailure } from "./testOutcome.ts"

/** A finished conversation. */
type Ended = {
  play: Pick<Play, "bots">
  /** The last turn. */
  turn: Turn
  /** The recorded values, in order. */
  answers: readonly string[]
  logs: readonly string[]
  outside: Outside
  noticed: Noticed
}

/** The first expectation that a conversation misses. */
export function missedExpectation(
  { expect = {} }: Pick<ConversationTest, "expect">,
  { play, turn, outside, noticed, ...recorded }: Ended,
  fuel: Fuel,
): TestFailure | undefined {
  const { completed, variables, answers, http, calls, logs } = expect
  if (completed !== undefined && completed !== isOver(turn)) {
    const message = completed ? "The chat is not over" : "The chat is over"
    return { message, expectation: ["completed"] }
  }
  const values = variables && valuesByName(turn, play.bots)
  const { requests } = outside
  const actual = [
    [...(values?.values() ?? [])],
    ...[
      answers && recorded.answers,
      http && requests,
      calls && outside.calls,
      logs && recorded.logs,
    ],
  ]
  spend(fuel, readingUnits(measure(actual, fuel) + measure(expect, fuel)))
  for (const [name, expected] of Object.entries(variables ?? {})) {
    const actual = values?.get(name) ?? null
    // Most variables hold texts, even those that look like numbers.
    const isSame = fits(expected, actual) || (isPlain(expected) && String(expected) === actual)
    const difference = `The variable ${cut(name)} differs`
    if (!isSame) return differ(difference, ["variables", name], [expected, actual])
  }
  if (answers && !fits(answers, recorded.answers)) {
    return differ("The recorded answers differ", ["answers"], [answers, recorded.answers])
  }
  const isWanted = (asked: PlainRequest, index: number) => fitsRequest(http?.[index], asked)
  if (http && !(http.length === requests.length && requests.every(isWanted))) {
    return differ("The requests differ", ["http"], [http, requests])
  }
  if (calls && !fits(calls, outside.calls)) {
    return differ("The calls differ", ["calls"], [calls, outside.calls])
  }
  const isWritten = (part: string, index: number) => findText(recorded.logs[index] ?? "", part) >= 0
  if (logs && !(logs.length === recorded.logs.length && logs.every(isWritten))) {
    return differ("The logs differ", ["logs"], [logs, recorded.logs])
  }
  return noticed.failure()
}

function differ(difference: string, expectation: string[], [expected, actual]: [unknown, unknown]) {
  return {
    message: `${difference} in the end`,
    expectation,
    expected: cut(JSON.stringify(expected) ?? "", 2_000),
    actual: cut(JSON.stringify(actual) ?? "nothing", 2_000),
  }
}

/** The variables that have a value after a turn. */
export function valuesByName({ session }: Turn, bots: Play["bots"]): Map<string, unknown> {
  const variables = describeVariables(session, { bots, showsSession: true })
  return new Map(variables.map(({ name, value }) => [name, value]))
}

/** The answers that a turn records for the chat itself, in order. */
export function answersIn({ results }: Turn): string[] {
  const own = results.filter(({ resultId }) => resultId === playedResultId)
  return own.flatMap(({ answers }) => answers.map(({ content }) => content))
}

function isPlain(expected: unknown): boolean {
  return typeof expected === "number" || typeof expected === "boolean"
}
