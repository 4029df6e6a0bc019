/** What a chat does not decide itself, as numbers: dice, and the answers of other systems. */

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

/** What came of the chances of one turn, as a test file says it. */
export type Came = { dice: number[]; http: HttpStub[]; calls: CallStub[] }

/** Whether a stub answers that another system has failed or refused. */
export function isFailure({ answer }: HttpStub | CallStub): boolean {
  return "fail" in answer || ("status" in answer && answer.status >= 400)
}

/** Creates the chances of a turn: which way each of them goes; those that are not named go the usual way. */
export function createChances(facts: FlowFacts, plan: readonly number[]) {
  const ways: number[] = []
  const came: Came = { dice: [], http: [], calls: [] }
  const choose = <T>(list: readonly T[]): T => {
    const chosen = list[plan[ways.length] ?? 0] ?? list[0]
    if (chosen === undefined) throw new Error("No choice is left")
    ways.push(list.length)
    return chosen
  }
  const httpStub = (): HttpStub => {
    const stub = { answer: choose(httpAnswers(facts)) }
    came.http.push(stub)
    return stub
  }
  const callStub = (call: CallStub["call"]): CallStub => {
    const said = call === "model" ? modelTexts(facts) : []
    const stub = { call, answer: choose([...callAnswers[call], ...said, failure]) } as CallStub
    came.calls.push(stub)
    return stub
  }
  return {
    /** How many ways there were each time. */
    ways,
    came,
    draw(): number {
      const shown = choose([0, 0.999999])
      came.dice.push(shown)
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

/** The answer that works comes first. */
const httpAnswers = memoize((facts: FlowFacts): HttpStub["answer"][] => [
  ...bodiesOf(facts).map((json) => ({ status: 200, json })),
  failure,
  { status: 500, text: "error" },
  { status: 200, json: {} },
])

/** Bodies in which the flow finds what it looks for: usual values first, then what it compares them with. */
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
    // Objects stand for lists too: their keys are indexes then.
    const body: Record<string, JsonValue> = {}
    for (const { keys, values } of wanted) putAt(body, keys, values[index - 1] ?? "text")
    return body
  })
})

type JsonValue = string | { [key: string]: JsonValue }

/** Most keys of a path that are built. */
const maxKeys = 20

const rows = [
  ["id", "name"],
  ["1", "Ann"],
]

/** What other calls come to when they work. */
const callAnswers: Record<CallStub["call"], readonly object[]> = {
  email: [{ messageId: "message" }],
  sheet: [rows, []].map((values) => ({ status: 200, json: { values } })),
  model: [{ text: "Fine." }],
  paymentIntent: [{ intentId: "intent", clientSecret: "secret", publicKey: "key" }],
  paymentCheck: [{ succeeded: true }, { succeeded: false }],
  qrCode: [{ url: "https://files.example/code.png" }],
  jwt: [{ token: "token" }],
}

/** Models may say what conditions look for. */
function modelTexts(facts: FlowFacts): { text: string }[] {
  const values = [...witnessesOf(facts)].flatMap(([id, each]) => {
    const isAnswer = (facts.writers.get(id) ?? []).every(({ type }) => type.kind === "input")
    return isAnswer ? [] : each.slice(0, 3)
  })
  return values.slice(0, 6).map((text) => ({ text }))
}
