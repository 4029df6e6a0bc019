/** Plays a test and finds the edits that make its steps match the bot. */
import { createFuel } from "../../engine/budget/fuel.ts"
import type { ConversationTest, TestStep } from "../files/testFileSchema.ts"
import type { Heard } from "../play/heard.ts"
import { maxReports } from "../play/play.ts"
import { stepOfWords } from "../record/stepOf.ts"
import { isAbout, sentenceFor } from "../runTest.ts"
import { satisfies } from "../satisfies.ts"
import { judgementUnits } from "../testBudget.ts"
import {
  act,
  begin,
  type Conversation,
  goOn,
  openConversation,
  type TestParts,
  unexpectedCall,
} from "../testConversation.ts"

/** A step about the bot that an update writes. */
export type NewStep = Pick<TestStep, "bot"> | Pick<TestStep, "input">

/** A change to the steps of a test; `at` is the index of a step, or of the one that follows. */
export type StepEdit =
  | { kind: "replace" | "insert"; at: number; step: NewStep }
  | { kind: "remove"; at: number }

/** The edits of a test in order, or why it cannot be updated. */
export async function mendTest(
  test: ConversationTest,
  parts: TestParts,
): Promise<StepEdit[] | string> {
  const running = openConversation(test, parts)
  try {
    return await mend(test, running)
  } catch (error) {
    return sentenceFor(error)
  }
}

async function mend(test: ConversationTest, running: Conversation): Promise<StepEdit[] | string> {
  const { steps } = test
  const edits: StepEdit[] = []
  await begin(running, test)
  for (let from = 0; ; ) {
    const found = steps.findIndex((step, index) => index >= from && !isAbout(step))
    const end = found < 0 ? steps.length : found
    const expected = steps.slice(from, end).map((step, index) => ({ at: from + index, step }))
    const next = steps[end]
    const heard = await hearAll(running, next?.client === undefined ? undefined : expected.length)
    const all = align(expected, heard, { end, running })
    edits.push(...(running.isStrict ? all : all.filter(({ kind }) => kind !== "insert")))
    if (running.outside.unexpected.length > 0) {
      const { message, actual } = unexpectedCall(running)
      return `${message}: ${actual}`
    }
    if (!next) return edits
    running.left()
    const failure = await act(running, next)
    if (failure) return failure.message
    from = end + 1
  }
}

/** The bot's outputs until the person acts, at most `max`. */
async function hearAll(running: Conversation, max = Number.POSITIVE_INFINITY): Promise<Heard[]> {
  const all: Heard[] = []
  // Limited as in a test: some bots pause repeatedly without a message.
  for (let pauses = 0; ; pauses++) {
    const heard = running.heard.splice(0)
    all.push(...heard)
    if (heard.some(({ kind }) => kind !== "action")) pauses = 0
    const { turn } = running
    if (all.length < max && pauses < maxReports) await goOn(running, () => true)
    if (running.turn === turn) return all
    running.left()
  }
}

type Expected = { at: number; step: TestStep }

/** Max table of steps and outputs: larger ones are compared in order. */
const maxTable = 250_000

function align(
  expected: readonly Expected[],
  heard: readonly Heard[],
  { end, running }: { end: number; running: Conversation },
): StepEdit[] {
  const edits: StepEdit[] = []
  let [gapOf, gapHeard] = [0, 0]
  const close = (toStep: number, toHeard: number) => {
    const at = expected[gapOf]?.at ?? end
    edits.push(...mendGap(expected.slice(gapOf, toStep), heard.slice(gapHeard, toHeard), at))
    gapOf = toStep + 1
    gapHeard = toHeard + 1
  }
  for (const [step, place] of matches(expected, heard, running)) close(step, place)
  close(expected.length, heard.length)
  return edits
}

/** Runs only on authors' own machines, so each judgement has its own budget. */
const isSatisfied = (step: TestStep, heard: Heard) =>
  satisfies(step, heard, createFuel(judgementUnits))

/** The longest list of satisfied steps, each with its output. */
function matches(
  expected: readonly Expected[],
  heard: readonly Heard[],
  running: Conversation,
): [number, number][] {
  const width = heard.length + 1
  if (expected.length * width > maxTable) {
    return heard.flatMap((each, index) => {
      const step = expected[index]?.step
      return step && isSatisfied(step, each) ? [[index, index]] : []
    })
  }
  const fit = expected.map(({ step }) => {
    running.left()
    return heard.map((each) => isSatisfied(step, each))
  })
  const longest = new Uint32Array((expected.length + 1) * width)
  const at = (step: number, place: number) => longest[step * width + place] ?? 0
  for (let step = expected.length - 1; step >= 0; step--) {
    for (let place = heard.length - 1; place >= 0; place--) {
      const skipped = Math.max(at(step + 1, place), at(step, place + 1))
      longest[step * width + place] = fit[step]?.[place]
        ? Math.max(skipped, at(step + 1, place + 1) + 1)
        : skipped
    }
  }
  const found: [number, number][] = []
  for (let [step, place] = [0, 0]; step < expected.length && place < heard.length; ) {
    if (fit[step]?.[place] && at(step, place) === at(step + 1, place + 1) + 1) {
      found.push([step++, place++])
    } else if (at(step + 1, place) === at(step, place)) step++
    else place++
  }
  return found
}

/** Between two satisfied steps: replaces texts by texts, in order, and a question by a question. */
function mendGap(
  expected: readonly Expected[],
  heard: readonly Heard[],
  first: number,
): StepEdit[] {
  const edits: StepEdit[] = []
  const texts = expected.filter(({ step }) => step.bot !== undefined)
  const said = heard.filter((each) => each.kind === "bot")
  const after = (texts.at(-1)?.at ?? first - 1) + 1
  for (const [index, each] of said.entries()) {
    const place = texts[index]
    const step = stepOfWords(each)
    if (place) edits.push({ kind: "replace", at: place.at, step })
    else edits.push({ kind: "insert", at: after, step })
  }
  edits.push(...texts.slice(said.length).map(({ at }) => ({ kind: "remove", at }) as const))
  const asked = heard.find((each) => each.kind === "input")
  // Messages precede the question.
  const spoken = said.length > texts.length ? after : (texts[said.length - 1]?.at ?? first)
  for (const [index, { at, step }] of expected.filter((each) => !texts.includes(each)).entries()) {
    const isQuestion = step.input !== undefined && index === 0 && asked !== undefined
    const stays = isQuestion && at >= spoken
    if (!stays) edits.push({ kind: "remove", at })
    if (!isQuestion) continue
    const input = { input: inputRule(step, asked) }
    edits.push(
      stays ? { kind: "replace", at, step: input } : { kind: "insert", at: after, step: input },
    )
  }
  return edits
}

/** Describes the question in as much detail as the step did. */
function inputRule(
  { input }: TestStep,
  { type, choices = [] }: Extract<Heard, { kind: "input" }>,
): NonNullable<TestStep["input"]> {
  if (typeof input !== "object") return type
  return { ...(input.type !== undefined && { type }), ...(input.choices && { choices }) }
}
