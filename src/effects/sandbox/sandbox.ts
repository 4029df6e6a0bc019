/** Runs authors' JavaScript in QuickJS in worker threads: no authority, little memory, little time. */
import type { Failure, Script, ScriptOutcome } from "../../engine/calls.ts"
import { type Log, silentLog } from "../../log.ts"
import type { SentOutcome, SentScript, Trip } from "./messages.ts"
import { openPool, type Pool } from "./pool.ts"
import { type Lost, startThread, type Thread } from "./thread.ts"

/** What a script asks for with `fetch`, by its own account. */
export type ScriptRequest = {
  url: string
  method?: string
  headers: [name: string, value: string][]
  body?: string
}

/** Answers a `fetch` with the text of the response, or with why there is none; never rejects. */
export type ScriptFetch = (request: ScriptRequest) => Promise<string | Failure>

/** How scripts are run. */
export type RunHow = {
  /** Whoever they belong to: one owner never gets all of the sandbox, and waits behind the others. */
  owner?: string
  /** Milliseconds that all of them together may compute. */
  runMs?: number
  /** Absent: `fetch` is refused. */
  fetch?: ScriptFetch
  /** Ends the scripts, as a timeout. */
  signal?: AbortSignal
}

/** How much the sandbox takes; everything has a default. */
export type SandboxOptions = {
  /** Threads for scripts that only compute. */
  computing?: number
  /** Threads for scripts that use `fetch`. */
  fetching?: number
  /** Scripts that one of these serves: while one waits for an answer, another computes. */
  fetchingPlaces?: number
  /** Scripts that may wait for a place; more are refused at once. */
  maxWaiting?: number
  /** The longest that they wait for it; longer than a script may compute. */
  maxWaitMs?: number
  /** Milliseconds that the scripts of one call may compute. */
  runMs?: number
  /** Characters of JSON that the scripts of one call may come to. */
  maxCharacters?: number
  /** Where dying threads are reported. */
  log?: Log
}

/** The place where scripts run. */
export type Sandbox = {
  /** The outcomes in the order of the scripts. Never rejects: all that goes wrong is a failure. */
  run(scripts: readonly Script[], how?: RunHow): Promise<ScriptOutcome[]>
  /** Ends what runs; from then on every script fails. */
  close(): void
}

const defaults: Required<SandboxOptions> = {
  computing: 2,
  fetching: 4,
  fetchingPlaces: 8,
  maxWaiting: 256,
  maxWaitMs: 12_000,
  runMs: 10_000,
  maxCharacters: 1_000_000,
  log: silentLog(),
}

const idleMs = 5 * 60_000

/** Opens a sandbox; threads start with the first scripts. */
export function openSandbox(options: SandboxOptions = {}): Sandbox {
  const limits = { ...defaults, ...options }
  const { maxWaiting, maxWaitMs, fetchingPlaces } = limits
  const open = () => startThread(limits.log)
  const line = { maxWaiting, maxWaitMs, idleMs }
  const computing = openPool(open, { size: limits.computing, places: 1, ...line })
  const fetching = openPool(open, { size: limits.fetching, places: fetchingPlaces, ...line })
  return {
    run: async (scripts, how = {}) => {
      const sent = scripts.map(sending())
      const { maxCharacters } = limits
      const trip: Trip = { scripts: sent, runMs: how.runMs ?? limits.runMs, maxCharacters }
      const pool = sent.some(({ hasFetch }) => hasFetch) ? fetching : computing
      const outcomes = await travel(pool, trip, how)
      if (outcomes === undefined) return scripts.map(() => refusal(how.signal))
      if ("lost" in outcomes) return scripts.map(() => failureOf(outcomes))
      return scripts.map((_, index) => read(outcomes[index]))
    },
    close: () => {
      computing.close()
      fetching.close()
    },
  }
}

async function travel(
  pool: Pool<Thread>,
  trip: Trip,
  { owner = "", signal, fetch }: RunHow,
): Promise<SentOutcome[] | Lost | undefined> {
  const work = (thread: Thread) => thread.run(trip, answererOf(fetch), signal)
  for (let tries = 1; ; tries++) {
    const outcomes = await pool.use({ owner, signal }, work)
    // Another trip made the thread hang, and nothing was done for this one.
    const isUnbegun = outcomes && "lost" in outcomes && outcomes.lost === "unbegun"
    if (!isUnbegun || tries === 3) return outcomes
  }
}

/** Whether running a script can be noticed outside: `fetch` exists only where its name is written. */
export function callsOut({ mode, code }: Script): boolean {
  return mode === "program" && /\bfetch\b/.test(code)
}

function sending(): (script: Script) => SentScript {
  // The scripts of one call often share their globals, and those can be large.
  const texts = new Map<object, string>()
  return (script) => {
    const { code, mode, globals } = script
    const text = texts.get(globals) ?? JSON.stringify(globals)
    texts.set(globals, text)
    return { code, mode, globals: text, hasFetch: callsOut(script) }
  }
}

function answererOf(fetch: ScriptFetch | undefined) {
  return async (text: string) => {
    const request = readRequest(text)
    if (!request) return { text: "The request cannot be understood", isRefused: true }
    if (!fetch) return { text: "Requests are not allowed here", isRefused: true }
    const answer = await fetch(request)
    return typeof answer === "string"
      ? { text: answer, isRefused: false }
      : { text: answer.description, isRefused: true }
  }
}

/** Scripts can make the machine say anything, so its word is checked like any caller's. */
function readRequest(text: unknown): ScriptRequest | undefined {
  const request = parse(text)
  if (typeof request !== "object" || request === null) return undefined
  const { url, method, headers, body } = request as Record<string, unknown>
  if (typeof url !== "string" || !Array.isArray(headers)) return undefined
  const pairs = headers.flatMap((pair: unknown): [string, string][] =>
    Array.isArray(pair) ? [[String(pair[0]), String(pair[1])]] : [],
  )
  return {
    url,
    headers: pairs,
    ...(typeof method === "string" ? { method } : {}),
    ...(typeof body === "string" ? { body } : {}),
  }
}

function read(outcome: SentOutcome | undefined): ScriptOutcome {
  if (!outcome) return crashed
  if ("failure" in outcome) return failure(outcome.failure, outcome.isTimeout)
  const told = parse(outcome.text)
  if (typeof told !== "object" || told === null) return crashed
  const { value, assigned } = told as Record<string, unknown>
  return {
    ...(value === undefined ? {} : { value }),
    ...(isRecord(assigned) ? { assigned } : {}),
  }
}

function parse(text: unknown): unknown {
  try {
    return JSON.parse(String(text))
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

function failure(description: string, isTimeout = false): Failure {
  return { failed: true, description, ...(isTimeout ? { reason: "timeout" } : {}) }
}

const ranTooLong = failure("The script ran for too long", true)
const crashed = failure("The sandbox could not run the script")

function failureOf({ lost }: Lost): Failure {
  return lost === "timeout" ? ranTooLong : crashed
}

function refusal(signal: AbortSignal | undefined): Failure {
  return signal?.aborted ? ranTooLong : failure("Too many scripts are running")
}
