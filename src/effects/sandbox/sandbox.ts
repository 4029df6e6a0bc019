/** Runs authors' JavaScript in QuickJS in worker threads: no authority, little memory, little time. */
import type { Failure, Script, ScriptOutcome } from "../../engine/calls.ts"
import { type Log, silentLog } from "../../shared/log.ts"
import { type Memory, openMemory, tookTooMuch } from "./memory.ts"
import type { Job, SentOutcome, SentScript } from "./messages.ts"
import { type Lendable, openPool, type Pool } from "./pool.ts"
import { type JobOptions, type Lost, openThread, type Thread } from "./thread.ts"

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
  /** Threads for scripts that use `fetch`: each has one to itself while it waits for an answer. */
  fetching?: number
  /** How many of these compute at a time. */
  fetchingAtOnce?: number
  /** Bytes that those which wait and hold much may hold together. */
  maxHungryBytes?: number
  /** Scripts that may wait for a thread; more are refused at once. */
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

// A thread takes about 9 MB and starts in 45 ms, most of which is Node's own. Memory of scripts that
// wait ends at 24 modest ones and the hungry ones together, of those that compute at 64 MB each.
const defaults: Required<SandboxOptions> = {
  computing: 2,
  fetching: 24,
  fetchingAtOnce: 4,
  maxHungryBytes: 192 * 1024 * 1024,
  maxWaiting: 256,
  maxWaitMs: 12_000,
  runMs: 10_000,
  maxCharacters: 1_000_000,
  log: silentLog(),
}

const patience = { warm: 2, warmMs: 5 * 60_000, idleMs: 10_000 }

/** What a thread has while it computes, where only so many may. */
const turn: Lendable = { isLost: () => false, stop: () => {} }

/** Opens a sandbox; threads start with the first scripts. */
export function openSandbox(options: SandboxOptions = {}): Sandbox {
  const limits = { ...defaults, ...options }
  const { maxWaiting, maxWaitMs, maxCharacters, log } = limits
  const open = <T extends Lendable>(thing: () => T, size: number) =>
    openPool(thing, { size, maxWaiting, maxWaitMs, ...patience })
  const pools: Pools = {
    computing: open(() => openThread(log), limits.computing),
    fetching: open(() => openThread(log), limits.fetching),
    turns: open(() => ({ ...turn }), limits.fetchingAtOnce),
    memory: openMemory(limits.maxHungryBytes),
  }
  return {
    run: async (scripts, how = {}) => {
      const sent = scripts.map(sending())
      const job: Job = { scripts: sent, runMs: how.runMs ?? limits.runMs, maxCharacters }
      const outcomes = await travel(pools, job, how)
      if (outcomes === undefined) return scripts.map(() => refusal(how.signal))
      if ("lost" in outcomes) return scripts.map(() => failures[outcomes.lost])
      return scripts.map((_, index) => read(outcomes[index]))
    },
    close: () => {
      for (const pool of [pools.computing, pools.fetching, pools.turns]) pool.close()
    },
  }
}

type Pools = {
  computing: Pool<Thread>
  fetching: Pool<Thread>
  /** Turns of the fetching threads to compute. */
  turns: Pool<Lendable>
  memory: Memory
}

async function travel(
  { computing, fetching, turns, memory }: Pools,
  job: Job,
  { owner = "", signal, fetch }: RunHow,
): Promise<SentOutcome[] | Lost | undefined> {
  const wish = { owner, signal }
  const mayAsk = job.scripts.some(({ hasFetch }) => hasFetch)
  const options: JobOptions = {
    answer: answererOf(fetch),
    compute: mayAsk ? (work) => turns.use(wish, work) : (work) => work(),
    mayHold: (bytes) => memory.hold(job, bytes),
    signal,
  }
  try {
    const pool = mayAsk ? fetching : computing
    return await pool.use(wish, (thread) => thread.run(job, options))
  } finally {
    memory.release(job)
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
const isBusy = failure("Too many scripts are running")

const failures: Record<Lost["lost"], Failure> = {
  timeout: ranTooLong,
  crash: crashed,
  memory: failure(tookTooMuch),
  crowd: isBusy,
}

function refusal(signal: AbortSignal | undefined): Failure {
  return signal?.aborted ? ranTooLong : isBusy
}
