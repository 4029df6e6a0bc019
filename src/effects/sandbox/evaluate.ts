/** Evaluates one script in a realm, and returns its value or its failure. */
import type { QuickJSHandle } from "quickjs-emscripten-core"
import { type Assigned, addFetch, type FetchSide } from "./builtIns.ts"
import type { FreshRealm } from "./freshRealm.ts"
import { tookTooMuch } from "./memory.ts"
import { type Clock, hasThrown, type Realm, type Thrown } from "./realm.ts"
import type { Answer, Ask, SentOutcome, SentScript } from "./sandboxMessages.ts"

type Evaluation = Pick<FreshRealm, "realm" | "addBuiltIns"> & {
  clock: Clock
  /** Whether the machine has grown beyond the needs of a modest script. */
  isBloated(): boolean
  /** Limit for the characters of the outcome. */
  maxCharacters: number
  /** Requests of the script get higher ids than this. */
  lastAsk: number
  /** Sends requests and waits for the next answer, to these or to earlier ones. */
  ask(asks: Ask[]): Promise<Answer>
}

type Outcome = { value: QuickJSHandle } | Thrown | { failure: string }

/** Evaluates a script; throws only if the machine breaks. */
export async function evaluate(script: SentScript, evaluation: Evaluation): Promise<SentOutcome> {
  const { realm, addBuiltIns, clock, maxCharacters, lastAsk } = evaluation
  realm.useClock(clock)
  const assigned: Assigned = script.mode === "program" ? addBuiltIns(maxCharacters) : new Map()
  const fetch = script.hasFetch ? addFetch(realm, lastAsk) : undefined
  const outcome = hasThrown(fetch) ? fetch : await run(script, evaluation, fetch)
  return clock.during(() => report(outcome, { script, evaluation, assigned }))
}

async function run(script: SentScript, evaluation: Evaluation, fetch: FetchSide | undefined) {
  const { realm, clock } = evaluation
  if (script.code.length + script.globals.length > maxSentCharacters)
    return { failure: inputTooLarge }
  const begun = clock.during(() => begin(script, realm))
  if (hasThrown(begun)) return begun
  return script.mode === "expression" ? { value: begun } : await finish(begun, evaluation, fetch)
}

/** With more, the machine might run out of memory while it copies the code. */
const maxSentCharacters = 8_000_000

const scriptName = "script.js"

function begin({ code, globals, mode }: SentScript, realm: Realm): QuickJSHandle | Thrown {
  const readied = realm.addGlobals(globals)
  if (hasThrown(readied)) return readied
  // On the first line of the code, so that line numbers stay correct.
  const prefix = mode === "program" ? "async " : ""
  const body = realm.evaluate(`(${prefix}function () {${code}\n})`, scriptName)
  return hasThrown(body) ? body : realm.call(body)
}

/** Runs until the promise is settled and all requests have been answered. */
async function finish(
  promise: QuickJSHandle,
  { realm, clock, ask }: Evaluation,
  fetch: FetchSide | undefined,
): Promise<Outcome> {
  for (let awaited = 0; ; awaited--) {
    clock.during(() => realm.settle(clock))
    if (clock.isOver()) return { failure: timedOut }
    const asks = clock.during(() => fetch?.takeAsks()) ?? []
    awaited += asks.length
    if (awaited === 0) return settled(promise, realm)
    const { id, isRefused, text } = await ask(asks)
    clock.during(() => fetch?.answer(id, isRefused, JSON.stringify(text)))
  }
}

function settled(promise: QuickJSHandle, { context }: Realm): Outcome {
  const state = context.getPromiseState(promise)
  if (state.type === "fulfilled") return { value: state.value }
  if (state.type === "rejected") return { thrown: state.error }
  return { failure: "The script waits for something that never happens" }
}

type ScriptRun = { script: SentScript; evaluation: Evaluation; assigned: Assigned }

function report(outcome: Outcome, run: ScriptRun): SentOutcome {
  const { realm, clock, maxCharacters } = run.evaluation
  const value =
    "value" in outcome && !clock.isOver() ? realm.print(outcome.value, maxCharacters) : undefined
  if (clock.isOver()) return fail(timedOut)
  if ("failure" in outcome) return fail(outcome.failure)
  if (hasThrown(outcome)) return fail(describe(outcome, run))
  if (hasThrown(value)) return fail(describe(value, run))
  if (typeof value === "object") return fail(resultTooLarge)
  const text = write(value, run.assigned)
  if (text.length > maxCharacters) return fail(resultTooLarge)
  return isTooDeep(text) ? fail("The result of the script is nested too deeply") : { text }
}

function write(value: string | undefined, assigned: Assigned): string {
  const names = [...assigned].map(([name, json]) => `${JSON.stringify(name)}:${json}`)
  const members = [
    ...(value === undefined ? [] : [`"value":${value}`]),
    ...(names.length === 0 ? [] : [`"assigned":{${names.join(",")}}`]),
  ]
  return `{${members.join(",")}}`
}

function describe({ thrown }: Thrown, { script, evaluation }: ScriptRun): string {
  const { realm, clock, isBloated } = evaluation
  const describer = realm.evaluate(describeSource, "describe.js")
  const described = hasThrown(describer) ? describer : realm.call(describer, thrown)
  const text = hasThrown(described) ? undefined : realm.print(described, 10_000)
  if (clock.isOver()) return timedOut
  const parts: unknown = typeof text === "string" ? JSON.parse(text) : undefined
  const [message, stack] = Array.isArray(parts) ? parts.map(String) : [unknown, ""]
  // Without memory, the machine cannot even create an error.
  const isOut = message === "InternalError: out of memory"
  if (isOut || (message === "null" && isBloated())) return tookTooMuch
  const line = Number(stack?.split(`${scriptName}:`)[1]?.match(/^\d+/)?.[0])
  // Something missing at the end is reported for the line of our own bracket.
  const last = script.code.split("\n").length
  return Number.isNaN(line) ? `${message}` : `${message} (line ${Math.min(line, last)})`
}

const describeSource = `(error) => {
  const cut = (part) => String(part).slice(0, 1000)
  if (error instanceof Error) return [cut(error.name) + ": " + cut(error.message), cut(error.stack)]
  return [cut(typeof error === "object" && error !== null ? JSON.stringify(error) : error), ""]
}`

// Deeper than answers of real APIs. Bounded because readers of the values are recursive.
const maxDepth = 64

function isTooDeep(text: string): boolean {
  const exceeds = (value: unknown, depth: number): boolean =>
    typeof value === "object" &&
    value !== null &&
    (depth > maxDepth || Object.values(value).some((member) => exceeds(member, depth + 1)))
  return text.length > 2 * maxDepth && exceeds(JSON.parse(text), 0)
}

function fail(failure: string): SentOutcome {
  return { failure, isTimeout: failure === timedOut }
}

const timedOut = "The script ran for too long"
const inputTooLarge = "The script and what it sees are too large"
const resultTooLarge = "The result of the script is too large"
const unknown = "The script threw something that cannot be shown"

/** The outcome of a script that broke its machine. */
export const machineBroke: SentOutcome = { failure: tookTooMuch, isTimeout: false }
