/** What a chat does not decide itself, as numbers: dice, and the answers of other systems. */
import type { ScriptFetch, ScriptRequest } from "../../effects/sandbox/sandbox.ts"
import { pickList, pickText, putAt } from "../../engine/foreignJson.ts"
import { memoize } from "../../engine/memoize.ts"
import type { CallStub, HttpStub } from "../files/schema.ts"
import type { OutsideCall } from "../play/play.ts"
import { openOutside } from "../play/stubs.ts"
import type { FlowFacts } from "./flowFacts.ts"
import { witnessesOf } from "./witnesses.ts"

/** What came of the chances of one turn, as a test file says it. */
export type Came = { dice: number[]; http: HttpStub[]; calls: CallStub[] }

/** The chances of one turn. */
export type Chances = {
  draw(): number
  answer: ReturnType<typeof openOutside>["answer"]
  fetch: ScriptFetch
  /** How many ways there were each time. */
  ways: readonly number[]
  came: Came
  hasFailed(): boolean
}

/** Opens the chances of a turn: which way each of them goes; those that are not named go the usual way. */
export function openChances(facts: FlowFacts, plan: readonly number[]): Chances {
  const ways: number[] = []
  const came: Came = { dice: [], http: [], calls: [] }
  let hasFailed = false
  const choose = <T>(list: readonly T[]): T | undefined => {
    const chosen = list[plan[ways.length] ?? 0] ?? list[0]
    ways.push(list.length)
    return chosen
  }
  const stubFor = (call: OutsideCall): { http?: HttpStub[]; calls?: CallStub[] } => {
    if (call.kind === "http") return { http: stubbed(came.http, choose(httpAnswers(facts))) }
    const answers = callAnswers(call.kind, facts)
    const answer = choose(answers)
    const stub = answer && ({ call: call.kind, answer } as CallStub)
    if (stub) came.calls.push(stub)
    hasFailed ||= answer !== undefined && "fail" in answer
    return { calls: stub ? [stub] : [] }
  }
  const stubbed = (list: HttpStub[], answer: HttpStub["answer"] | undefined): HttpStub[] => {
    if (!answer) return []
    list.push({ answer })
    hasFailed ||= "fail" in answer || answer.status >= 400
    return [{ answer }]
  }
  return {
    ways,
    came,
    hasFailed: () => hasFailed,
    draw() {
      const shown = choose([0, 0.999999]) ?? 0
      came.dice.push(shown)
      return shown
    },
    answer: (call) => openOutside(stubFor(call)).answer(call),
    fetch: (request: ScriptRequest) =>
      openOutside({ http: stubbed(came.http, choose(httpAnswers(facts))) }).fetch(request),
  }
}

/** The answer that works comes first. */
const httpAnswers = memoize((facts: FlowFacts): HttpStub["answer"][] => [
  ...bodiesOf(facts).map((json) => ({ status: 200, json })),
  { fail: "No answer in time" },
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
      const keys = path.match(/\w+/g)?.slice(1, mostKeys) ?? []
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
const mostKeys = 20

const failure = { fail: "No answer in time" }

function callAnswers(kind: CallStub["call"], facts: FlowFacts): object[] {
  switch (kind) {
    case "email":
      return [{ messageId: "message" }, failure]
    case "sheet":
      return [
        {
          status: 200,
          json: {
            values: [
              ["id", "name"],
              ["1", "Ann"],
            ],
          },
        },
        { status: 200, json: { values: [] } },
        failure,
      ]
    case "model":
      return [{ text: "Fine." }, ...modelTexts(facts), failure]
    case "paymentIntent":
      return [{ intentId: "intent", clientSecret: "secret", publicKey: "key" }, failure]
    case "paymentCheck":
      return [{ succeeded: true }, { succeeded: false }, failure]
    case "qrCode":
      return [{ url: "https://files.example/code.png" }, failure]
    case "jwt":
      return [{ token: "token" }, failure]
    default:
      return [failure]
  }
}

/** Models may say what conditions look for. */
function modelTexts(facts: FlowFacts): { text: string }[] {
  const values = [...witnessesOf(facts)].flatMap(([id, each]) => {
    const isAnswer = (facts.writers.get(id) ?? []).every(({ type }) => type.kind === "input")
    return isAnswer ? [] : each.slice(0, 3)
  })
  return values.slice(0, 6).map((text) => ({ text }))
}
