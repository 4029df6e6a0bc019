/** Chances of a chat as numbers: dice, and answers of other systems. */

import type { ScriptRequest } from "../../effects/sandbox/sandbox.ts"
import { unmetered } from "../../engine/budget/fuel.ts"
import type { Outcome } from "../../engine/calls.ts"
import { pickList, pickText, putAt } from "../../lib/foreignJson.ts"
import { memoize } from "../../lib/memoize.ts"
import type { CallStub, HttpStub } from "../files/testFileSchema.ts"
import type { OutsideCall } from "../play/play.ts"
import { createOutside } from "../play/stubs.ts"
import type { FlowFacts } from "./flowFacts.ts"
import { witnessesOf } from "./witnesses.ts"

/** Outcomes of the chances of one turn, in the form of a test file. */
export type ChanceOutcomes = { dice: number[]; http: HttpStub[]; calls: CallStub[] }

/** Whether a stub answers with a failure or a refusal. */
export function isFailure({ answer }: HttpStub | CallStub): boolean {
  return "fail" in answer || ("status" in answer && answer.status >= 400)
}

/** Creates the chances of a turn: `plan`: the way of each; others go the usual way. */
export function createChances(facts: FlowFacts, plan: readonly number[]) {
  const ways: number[] = []
  const drawn: ChanceOutcomes = { dice: [], http: [], calls: [] }
  const choose = <T>(list: readonly T[]): T => {
    const chosen = list[plan[ways.length] ?? 0] ?? list[0]
    if (chosen === undefined) throw new Error("No choice is left")
    ways.push(list.length)
    return chosen
  }
  const httpStub = (): HttpStub => {
    const stub = { answer: choose(httpAnswers(facts)) }
    drawn.http.push(stub)
    return stub
  }
  const callStub = (call: CallStub["call"]): CallStub => {
    const said = call === "model" ? modelTexts(facts) : []
    const stub = { call, answer: choose([...callAnswers[call], ...said, failure]) } as CallStub
    drawn.calls.push(stub)
    return stub
  }
  return {
    /** The number of ways of each chance. */
    ways,
    drawn,
    draw(): number {
      const shown = choose([0, 0.999999])
      drawn.dice.push(shown)
      return shown
    },
    answer(call: OutsideCall): Outcome {
      const stubs = call.kind === "http" ? { http: [httpStub()] } : { calls: [callStub(call.kind)] }
      return createOutside(stubs).answer(call, unmetered())
    },
    fetch: async (request: ScriptRequest) =>
      createOutside({ http: [httpStub()] }).fetch(request, unmetered()),
  }
}

const failure = { fail: "No answer in time" }

/** The successful answer comes first. */
const httpAnswers = memoize((facts: FlowFacts): HttpStub["answer"][] => [
  ...bodiesOf(facts).map((json) => ({ status: 200, json })),
  failure,
  { status: 500, text: "error" },
  { status: 200, json: {} },
])

/** Bodies with the values that the flow reads: usual values first, then those it compares with. */
export const bodiesOf = memoize((facts: FlowFacts): Record<string, JsonValue>[] => {
  const wanted: { keys: string[]; values: readonly string[] }[] = []
  for (const { entry } of facts.blocks.values()) {
    for (const each of pickList(entry.block, "options", "responseVariableMapping")) {
      const path = pickText(each, "bodyPath") ?? ""
      if (!/^data(?:\.\w+|\[\d+\])+$/.test(path) || wanted.length >= 100) continue
      const keys = path.match(/\w+/g)?.slice(1, maxKeys) ?? []
      const values = witnessesOf(facts).get(pickText(each, "variableId") ?? "") ?? []
      wanted.push({ keys, values })
    }
  }
  const most = Math.min(4, Math.max(0, ...wanted.map(({ values }) => values.length)))
  return Array.from({ length: most + 1 }, (_, index) => {
    // Objects also represent lists: their keys are then indexes.
    const body: Record<string, JsonValue> = {}
    for (const { keys, values } of wanted) putAt(body, keys, values[index - 1] ?? "text")
    return body
  })
})

type JsonValue = string | { [key: string]: JsonValue }

/** Max keys of a path that are built. */
const maxKeys = 20

const rows = [
  ["id", "name"],
  ["1", "Ann"],
]

/** Outcomes of other successful calls. */
const callAnswers: Record<CallStub["call"], readonly object[]> = {
  email: [{ messageId: "message" }],
  sheet: [rows, []].map((values) => ({ status: 200, json: { values } })),
  model: [{ text: "Fine." }],
  mcpTool: [{ text: "Done." }],
  paymentIntent: [{ intentId: "intent", clientSecret: "secret", publicKey: "key" }],
  paymentCheck: [{ succeeded: true }, { succeeded: false }],
  qrCode: [{ url: "https://files.example/code.png" }],
  jwt: [{ token: "token" }],
}

/** Texts of models: also those that conditions compare with. */
function modelTexts(facts: FlowFacts): { text: string }[] {
  const values = [...witnessesOf(facts)].flatMap(([id, each]) => {
    const isAnswer = (facts.writers.get(id) ?? []).every(({ type }) => type.kind === "input")
    return isAnswer ? [] : each.slice(0, 3)
  })
  return values.slice(0, 6).map((text) => ({ text }))
}
