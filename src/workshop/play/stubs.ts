/** Replaces the outside world: answers from stubs, and records calls. */
import type { ScriptRequest } from "../../effects/sandbox/sandbox.ts"
import { type Fuel, measure, readingUnits, spend } from "../../engine/budget/fuel.ts"
import type { Failure, Outcome } from "../../engine/calls.ts"
import { cut } from "../../lib/cut.ts"
import type { CallStub, ConversationTest, HttpStub, HttpWhen } from "../files/testFileSchema.ts"
import { fits, fitsText } from "./fits.ts"
import { type PlainRequest, plainRequest, scriptRequest } from "./plainRequest.ts"
import type { OutsideCall } from "./play.ts"

/** The outside world of a conversation. */
export type Outside = {
  /** Answers a call; `fuel` is charged for comparing it with stubs. */
  answer(call: OutsideCall, fuel: Fuel): Outcome
  /** Answers a request of a script. */
  fetch(asked: ScriptRequest, fuel: Fuel): string | Failure
  /** The requests, in order. */
  requests: readonly PlainRequest[]
  /** The other calls, in order; credentials are named, not filled in. */
  calls: readonly { call: string }[]
  /** The calls without a stub, as sentences. */
  unexpected: readonly string[]
  /** The number of failures and refusals so far. */
  failures(): number
}

/** Max calls recorded per conversation: a flow may call endlessly. */
const maxNoted = 1_000

/** Creates the outside world of a conversation. A call without a stub fails, and is recorded. */
export function createOutside({
  http = [],
  calls = [],
}: Pick<ConversationTest, "http" | "calls">): Outside {
  const requests: PlainRequest[] = []
  const others: { call: string }[] = []
  const unexpected: string[] = []
  let failures = 0
  const used = new Map<object, number>()
  /** The first unused stub that fits. */
  const take = <S extends HttpStub | CallStub>(
    stubs: readonly S[],
    isFit: (stub: S) => boolean,
  ) => {
    const isLeft = (stub: S) => (used.get(stub) ?? 0) < (stub.times ?? Number.POSITIVE_INFINITY)
    const stub = stubs.find((each) => isLeft(each) && isFit(each))
    if (stub) used.set(stub, (used.get(stub) ?? 0) + 1)
    return stub
  }
  const refuse = (what: string): Failure => {
    if (unexpected.length < maxNoted) unexpected.push(what)
    return failure("No stub answers this call")
  }
  const request = (asked: PlainRequest, fuel: Fuel) => {
    if (requests.length < maxNoted) requests.push(asked)
    const units = readingUnits(measure(asked, fuel))
    const stub = take(http, ({ when }) => {
      // Most stubs compare only the address.
      const isLong = when?.body !== undefined || when?.json !== undefined
      spend(fuel, isLong ? units : readingUnits(asked.url.length))
      return fitsRequest(when, asked)
    })
    const body = asked.body === undefined ? "" : ` with ${cut(asked.body, 1_000)}`
    if (!stub) return refuse(`${asked.method} ${cut(asked.url, 1_000)}${body}`)
    if ("fail" in stub.answer || stub.answer.status >= 400) failures += 1
    if ("fail" in stub.answer) return failure(stub.answer.fail)
    const { status, json, text } = stub.answer
    return { status, text: text ?? (json === undefined ? "" : JSON.stringify(json)) }
  }
  return {
    requests,
    calls: others,
    unexpected,
    failures: () => failures,
    answer(call, fuel) {
      if (call.kind === "http") {
        const answer = request(plainRequest(call), fuel)
        if ("failed" in answer || !call.savesFile) return answer
        const fileUrl = `https://files.example/answer.${call.savesFile.extension}`
        return { status: answer.status, text: "", fileUrl }
      }
      const { kind, carry: _, ...asked } = call
      if (others.length < maxNoted) others.push({ ...asked, call: kind })
      const units = readingUnits(measure(asked, fuel))
      const stub = take(calls, (each) => {
        if (each.call !== kind) return false
        spend(fuel, units)
        return fits(each.when ?? {}, asked)
      })
      if (!stub) return refuse(`${kind}: ${cut(JSON.stringify(asked), 1_000)}`)
      if ("fail" in stub.answer) failures += 1
      return outcomeOf(stub)
    },
    fetch(asked, fuel) {
      const answer = request(scriptRequest(asked), fuel)
      return "failed" in answer ? answer : answer.text
    },
  }
}

/** Whether a request matches a description. */
export function fitsRequest(when: HttpWhen | undefined, asked: PlainRequest): boolean {
  const { method, url, headers = {}, json, body } = when ?? {}
  if (method !== undefined && method.toUpperCase() !== asked.method) return false
  if (url !== undefined && !fitsText(url, asked.url)) return false
  if (body !== undefined && !fitsText(body, asked.body ?? "")) return false
  if (json !== undefined && !fits(json, asked.json)) return false
  return Object.entries(headers).every(([name, value]) =>
    fits(value, asked.headers[name.toLowerCase()]),
  )
}

/** The format of stubs has been checked kind by kind. */
function outcomeOf({ call, answer }: CallStub): Outcome {
  if ("fail" in answer) return failure(String(answer.fail))
  if (call !== "sheet") return answer as Outcome
  const { status, json } = answer as { status: number; json: unknown }
  return { status, text: JSON.stringify(json) }
}

function failure(description: string): Failure {
  return { failed: true, description }
}
