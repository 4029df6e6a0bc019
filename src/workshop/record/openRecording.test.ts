/** Recordings of any bot and messages are passing tests. */
import fc from "fast-check"
import { expect, it } from "vitest"
import { anyFlow, anyMessage } from "../../../test/support/anyFlow.ts"
import { hostileText } from "../../../test/support/hostile.ts"
import { outcomes } from "../../../test/support/outcomes.ts"
import { flowOf, text } from "../../../test/support/workshopBots.ts"
import type { Flow } from "../../engine/bot.ts"
import type { Message } from "../../engine/schema/message.ts"
import { isOver } from "../../engine/turn/settle.ts"
import { AppError } from "../../lib/errors.ts"
import { hasMistakes, readTestFile } from "../files/readTestFile.ts"
import { testsIn } from "../files/testFileSchema.ts"
import { writeTestFile } from "../files/writeTestFile.ts"
import type { RunScripts } from "../play/play.ts"
import { runTest } from "../runTest.ts"
import { usualClock } from "../testConversation.ts"
import { readAnswer } from "./answers.ts"
import { openRecording, type Recording } from "./openRecording.ts"

/** Reads a recording as a file, and runs it. */
async function failureOf(
  recording: Recording,
  parts: { flow: Flow; linked?: Record<string, Flow>; runScripts: RunScripts },
) {
  const file = writeTestFile({ bot: "./bot.json", ...recording.test() })
  const read = readTestFile(file)
  if (hasMistakes(read)) throw new Error(JSON.stringify(read))
  const [test] = testsIn(read.file, "recorded")
  if (!test) throw new Error("no test")
  return { file, failure: (await runTest(test, parts)).failure }
}

/** Deterministic scripts that call the outside first. */
const runScripts: RunScripts = async (scripts, { fetch }) => {
  const luck = JSON.stringify(scripts).length
  const ways = outcomes({ kind: "script", scripts: [...scripts] })
  const way = ways[luck % ways.length]
  if (luck % 3 === 0) {
    const request = { url: "https://e.com/*", method: "post", headers: [], body: '{"a":1e999}' }
    await Promise.all([fetch({ ...request, method: "put" }), fetch(request)])
  }
  return way && "results" in way ? way.results : []
}

const answers = [
  "",
  "404",
  '{"a":{"b":[1,"x"]}}',
  "!late",
  "Hi",
  '201 ["x"]',
  '{"__proto__":1}',
  "no",
]

it("passes as a test, for any bot and messages", async () => {
  let passed = 0
  const law = fc.asyncProperty(
    anyFlow,
    anyFlow,
    fc.array(anyMessage, { maxLength: 6 }),
    fc.dictionary(fc.constantFrom("Plain", "Gone", "Empty"), hostileText),
    fc.nat({ max: 50 }),
    async (flow, kid, messages, variables, luck) => {
      const parts = { flow, linked: { kid }, runScripts }
      let asked = luck
      const recording = openRecording({
        ...parts,
        clock: usualClock + luck,
        seed: luck,
        variables,
        answer: async (call) => readAnswer(call, answers[asked++ % answers.length] ?? ""),
      })
      const isBegun = await unlessRefused(recording, undefined)
      if (!isBegun) return
      for (const message of messages) {
        const turn = recording.turn()
        if (message === undefined || !turn || (isOver(turn) && message.type !== "command")) continue
        if (turn.isWaiting && !turn.input) await recording.receive({ a: { b: [1, "x"] } })
        else await unlessRefused(recording, message)
      }
      const { failure, file } = await failureOf(recording, parts)
      expect(failure, file).toBeUndefined()
      passed += 1
    },
  )
  await fc.assert(law, { numRuns: 80 })
  expect(passed).toBeGreaterThan(40)
})

/** Refused messages are not recorded. */
async function unlessRefused(recording: Recording, message: Message | undefined): Promise<boolean> {
  try {
    await recording.say(message)
    return recording.turn() !== undefined
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}

it("leaves out endless turns", async () => {
  const pause = { secondsToWaitFor: "1", shouldPause: true }
  const flow = flowOf({
    groups: [
      { id: "main", blocks: [{ type: "text input", outgoingEdgeId: "on" }] },
      {
        id: "on",
        blocks: [text("And on"), { type: "Wait", options: pause, outgoingEdgeId: "on" }],
      },
    ],
    edges: [{ id: "on", from: { blockId: "main0" }, to: { groupId: "on" } }],
  })
  const parts = { flow, runScripts }
  const answer = async () => ({})
  const recording = openRecording({ ...parts, clock: usualClock, seed: 0, answer })
  expect(await recording.say(undefined)).toHaveLength(1)
  expect(await recording.say({ type: "text", text: "Go" })).toEqual([])
  expect(recording.test().conversation).toEqual([{ input: "text input" }])
  expect((await failureOf(recording, parts)).failure).toBeUndefined()
})
