/** Runs the JavaScript of authors in QuickJS, in worker threads: no authority, limited memory and time. */
import { z } from "zod"
import type { Failure, Script, ScriptOutcome } from "../../engine/calls.ts"
import { type FairQueue, openFairQueue } from "../../lib/fairQueue.ts"
import { isMembers } from "../../lib/json.ts"
import { type Party, userParty } from "../../lib/party.ts"
import { defined } from "../../lib/presentMembers.ts"
import { amounts, queues } from "../../lib/shares.ts"
import { type Log, silentLog } from "../../telemetry/log.ts"
import { failed } from "../failures.ts"
import { type Memory, openMemory, tookTooMuch } from "./memory.ts"
import { type Overruns, rememberOverruns } from "./overruns.ts"
import { openPool, type Pool } from "./pool.ts"
import type { Job, SentOutcome, SentScript } from "./sandboxMessages.ts"
import { type JobFailure, type JobOptions, openThread, type Thread } from "./sandboxThread.ts"

/** Scripts can make the machine print anything, so requests are checked like any input. */
const requestSchema = z.object({
  url: z.string(),
  method: z.string().optional(),
  headers: z.array(z.tuple([z.string(), z.string()])),
  body: z.string().optional(),
})

/** A request that a script makes with `fetch`. */
export type ScriptRequest = z.infer<typeof requestSchema>

/** Answers a `fetch` with the text of the response or a failure; never rejects. */
export type ScriptFetch = (request: ScriptRequest) => Promise<string | Failure>

/** How the scripts of one call run. */
export type RunOptions = {
  /**
   * The party that the scripts count for: no owner can occupy the whole sandbox. Absent: all of these are
   * one.
   */
  party?: Party
  /** Milliseconds that the scripts may compute together. */
  runMs?: number
  /** Absent: `fetch` is refused. */
  fetch?: ScriptFetch
  /** Ends the scripts as a timeout does. */
  signal?: AbortSignal
}

export type SandboxOptions = {
  /** Threads for scripts that only compute, for a while; one more goes on with those that take longer. */
  computing?: number
  /** Milliseconds that they compute before they begin again in the line of the long ones. */
  shortMs?: number
  /** Threads for scripts that use `fetch`; each script keeps its thread while it waits for an answer. */
  fetching?: number
  /** How many of the fetching threads may compute at a time. */
  fetchingAtOnce?: number
  /** Bytes that waiting hungry scripts may hold together. */
  maxHungryBytes?: number
  /** How many jobs may wait for a thread; more are refused. */
  maxWaiting?: number
  /** How long a job waits for a thread: longer than scripts may compute. */
  maxWaitMs?: number
  /** Milliseconds that the scripts of one call may compute together. */
  runMs?: number
  /** Logs threads that die. */
  log?: Log
}

export type Sandbox = {
  /** Resolves to the outcomes in the order of the scripts; never rejects. */
  run(scripts: readonly Script[], how?: RunOptions): Promise<ScriptOutcome[]>
  /** Ends all scripts; any that follow fail. */
  close(): void
}

// A thread takes about 9 MB, and 45 ms to start, mostly for Node itself. Waiting scripts hold at most 24
// times the modest amount plus the limit for hungry ones; computing scripts hold at most 64 MB each.
const defaults: Required<SandboxOptions> = {
  computing: queues.shortScripts.places,
  shortMs: 100,
  fetching: queues.fetchingScripts.places,
  fetchingAtOnce: queues.fetchingTurns.places,
  maxHungryBytes: amounts.hungryScripts.most,
  maxWaiting: queues.shortScripts.maxWaiting,
  maxWaitMs: queues.shortScripts.maxWaitMs,
  runMs: 10_000,
  log: silentLog(),
}

/** Limit for the characters of JSON of all outcomes of one call together. */
const maxCharacters = 1_000_000

const idleTimes = { warm: 2, warmMs: 5 * 60_000, idleMs: 10_000 }

/** Opens a sandbox. Threads start with the first scripts. */
export function openSandbox(options: SandboxOptions = {}): Sandbox {
  const limits = { ...defaults, ...options }
  const { maxWaiting, maxWaitMs, log } = limits
  const waits = { maxWaiting, maxWaitMs }
  const threads = { ...waits, ...idleTimes }
  const open = () => openThread(log)
  const openBehind = () => openThread(log, true)
  const pools: Pools = {
    shortMs: limits.shortMs,
    short: openPool("shortScripts", open, { ...threads, places: limits.computing }),
    long: openPool("longScripts", openBehind, { ...threads, warm: 0 }),
    fetching: openPool("fetchingScripts", openBehind, { ...threads, places: limits.fetching }),
    // Every thread may wait: there are no more waiters than threads.
    turns: openFairQueue("fetchingTurns", {
      places: limits.fetchingAtOnce,
      maxWaiting: limits.fetching,
      maxWaitMs,
    }),
    memory: openMemory(limits.maxHungryBytes),
    overruns: rememberOverruns(),
  }
  return {
    run: async (scripts, how = {}) => {
      const sent = scripts.map(serializer())
      const job: Job = { scripts: sent, runMs: how.runMs ?? limits.runMs, maxCharacters }
      const outcomes = await runJob(pools, job, how)
      const refusal = how.signal?.aborted ? timedOut : busy
      if (outcomes === undefined) return scripts.map(() => refusal)
      if ("lost" in outcomes) return scripts.map(() => failures[outcomes.lost])
      return scripts.map((_, index) => read(outcomes[index]))
    },
    close: () => {
      for (const pool of [pools.short, pools.long, pools.fetching, pools.turns]) pool.close()
    },
  }
}

type Pools = {
  shortMs: number
  short: Pool<Thread>
  long: Pool<Thread>
  fetching: Pool<Thread>
  /** The right to compute, which only some of the fetching threads have at a time. */
  turns: FairQueue
  memory: Memory
  overruns: Overruns
}

async function runJob(
  pools: Pools,
  job: Job,
  { party = userParty(""), signal, fetch }: RunOptions,
): Promise<SentOutcome[] | JobFailure | undefined> {
  const { fetching, turns, memory } = pools
  const mayAsk = job.scripts.some(({ hasFetch }) => hasFetch)
  const options: JobOptions = {
    answer: answererOf(fetch),
    compute: mayAsk ? (work) => turns.run(party, work, signal) : (work) => work(),
    mayHold: (bytes) => memory.hold(job, party, bytes),
    signal,
  }
  if (!mayAsk) return await compute(pools, job, { ...options, party })
  try {
    return await fetching.use({ party, signal }, (thread) => thread.run(job, options))
  } finally {
    memory.release(job)
  }
}

/**
 * Runs scripts that only compute. Each begins with a short time limit, which frees the places for short
 * scripts soon. Scripts that exceed it start again on the thread for long ones: they have no effects outside.
 * Scripts of parties that exceeded it repeatedly start there, so short ones do not wait for them.
 */
async function compute(
  { short, long, shortMs, overruns }: Pools,
  job: Job,
  { party, ...options }: JobOptions & { party: Party },
): Promise<SentOutcome[] | JobFailure | undefined> {
  const request = { party, signal: options.signal }
  const brief = { ...job, runMs: Math.min(job.runMs, shortMs) }
  const begun = await short.use(request, async (thread) =>
    overruns.isLong(party) ? deferred : thread.run(brief, { ...options, graceMs: shortMs }),
  )
  if (begun !== deferred) {
    if (begun === undefined || options.signal?.aborted || !hasTimedOut(begun)) return begun
    overruns.count(party)
    if (job.runMs <= shortMs) return begun
  }
  return await long.use(request, (thread) => thread.run(job, options))
}

/** Instead of outcomes: the scripts were not begun. */
const deferred = Symbol("deferred")

function hasTimedOut(outcomes: SentOutcome[] | JobFailure): boolean {
  if ("lost" in outcomes) return outcomes.lost === "timeout"
  return outcomes.some((outcome) => "isTimeout" in outcome && outcome.isTimeout)
}

/** Whether a script may have outside effects: it only gets `fetch` if it contains the word. */
export function callsOut({ mode, code }: Script): boolean {
  return mode === "program" && /\bfetch\b/.test(code)
}

function serializer(): (script: Script) => SentScript {
  // The scripts of one call often share their globals, which can be large.
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
    const request = requestSchema.safeParse(parse(text)).data
    if (!request) return { text: "The request cannot be understood", isRefused: true }
    if (!fetch) return { text: "Requests are not allowed here", isRefused: true }
    const answer = await fetch(request)
    return typeof answer === "string"
      ? { text: answer, isRefused: false }
      : { text: answer.description, isRefused: true }
  }
}

function read(outcome: SentOutcome | undefined): ScriptOutcome {
  if (!outcome) return crashed
  if ("failure" in outcome) {
    return failed(outcome.failure, { reason: outcome.isTimeout ? "timeout" : undefined })
  }
  const printed = parse(outcome.text)
  if (typeof printed !== "object" || printed === null) return crashed
  const { value, assigned } = printed as Record<string, unknown>
  return defined({ value, assigned: isMembers(assigned) ? assigned : undefined })
}

function parse(text: unknown): unknown {
  try {
    return JSON.parse(String(text))
  } catch {
    return undefined
  }
}

const timedOut = failed("The script ran for too long", { reason: "timeout" })
const crashed = failed("The sandbox could not run the script")
const busy = failed("Too many scripts are running")

const failures: Record<JobFailure["lost"], Failure> = {
  timeout: timedOut,
  crash: crashed,
  memory: failed(tookTooMuch),
  busy,
}
