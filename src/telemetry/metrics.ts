/** Counts the metrics of a process in memory, for Prometheus to collect. */
import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  Registry,
} from "prom-client"

/** How a chat call ended: done, replayed from a stored answer, refused or failed. */
export type TurnOutcome = "done" | "replayed" | "refused" | "failed"

/** The counters; every function is cheap and never throws. */
export type Metrics = {
  registry: Registry
  /** Counts an answered request; `operation` is from a fixed list, never what a caller sent. */
  countRequest(request: { operation: string; status: number; seconds: number }): void
  /** Counts a chat call. The parts are in seconds, and may add up to less than the whole. */
  countTurn(turn: {
    kind: string
    outcome: TurnOutcome
    seconds: number
    parts: { engine: number; database: number; outside: number }
  }): void
  /** Counts an executed block of a registered type. */
  countBlock(type: string): void
  /** Counts a call of the outside world. */
  countCall(call: { kind: string; outcome: "ok" | "failed"; seconds: number }): void
  /** Counts a call of a model; `provider` is from a fixed list, never what an author wrote. */
  countModel(call: {
    provider: string
    inputTokens: number
    outputTokens: number
    seconds: number
  }): void
  /** Counts an attempt to deliver an event: it was delivered, will be repeated, or was the last. */
  countDelivery(outcome: "delivered" | "repeated" | "failed"): void
  /** Counts a run of a job, and how many things it did, by kind. */
  countJob(run: {
    job: string
    outcome: "ok" | "failed"
    seconds: number
    counts: Readonly<Record<string, number>>
  }): void
  /** Sets the numbers of workspaces that have used most or all of their chats, or are closed. */
  showQuota(levels: { most: number; all: number; closed: number }): void
  /** Adds a number that is read whenever the metrics are collected. */
  watch(gauge: WatchedGauge): void
}

/** A number that is read when the metrics are collected. */
export type WatchedGauge = {
  name: string
  help: string
  label: string
  /** The numbers, by value of the label. */
  read(): Readonly<Record<string, number>>
}

// From a turn without a database to the longest possible one.
const buckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60]
const jobBuckets = [0.01, 0.1, 1, 10, 60, 600]
const eventLoopPrecisionMs = 20
// prom-client 15.1 also has the sums of these gauges, under names reserved for counters.
const misnamed = ["handles", "requests", "resources"].map((of) => `nodejs_active_${of}_total`)

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: eventLoopPrecisionMs })
  for (const name of misnamed) registry.removeSingleMetric(name)
  return {
    registry,
    ...requestMetrics(registry),
    ...turnMetrics(registry),
    ...modelMetrics(registry),
    ...jobMetrics(registry),
    watch({ name, help, label, read }) {
      const gauge: Gauge<string> = new Gauge({
        name,
        help,
        labelNames: [label],
        registers: [registry],
        collect: () => {
          for (const [value, number] of Object.entries(read()))
            gauge.set({ [label]: value }, number)
        },
      })
    },
  }
}

function requestMetrics(registry: Registry): Pick<Metrics, "countRequest"> {
  const addRequests = totals(registry, {
    name: "parley_http_requests_total",
    help: "Requests by operation and status",
    labelNames: ["operation", "status"],
  })
  const durations = histogram(registry, {
    name: "parley_http_request_duration_seconds",
    help: "Time from the first byte of a request to the last of its answer",
    labelNames: ["operation"],
  })
  return {
    countRequest({ operation, status, seconds }) {
      addRequests(1, operation, String(status))
      durations.observe({ operation }, seconds)
    },
  }
}

function turnMetrics(registry: Registry): Pick<Metrics, "countTurn" | "countBlock" | "countCall"> {
  const addTurns = totals(registry, {
    name: "parley_turns_total",
    help: "Chat calls by kind and outcome",
    labelNames: ["kind", "outcome"],
  })
  const durations = histogram(registry, {
    name: "parley_turn_duration_seconds",
    help: "Time of chat calls, waiting for earlier ones included",
    labelNames: ["kind"],
  })
  const addSeconds = totals(registry, {
    name: "parley_turn_part_seconds_total",
    help: "What the time of chat calls was spent on",
    labelNames: ["part"],
  })
  const addBlocks = totals(registry, {
    name: "parley_blocks_total",
    help: "Executed blocks by type",
    labelNames: ["type"],
  })
  const calls = histogram(registry, {
    name: "parley_call_duration_seconds",
    help: "Calls of the outside world by kind and outcome",
    labelNames: ["kind", "outcome"],
  })
  return {
    countTurn({ kind, outcome, seconds, parts: spent }) {
      addTurns(1, kind, outcome)
      durations.observe({ kind }, seconds)
      addSeconds(spent.engine, "engine")
      addSeconds(spent.database, "database")
      addSeconds(spent.outside, "outside")
    },
    countBlock: (type) => addBlocks(1, type),
    countCall: ({ kind, outcome, seconds }) => calls.observe({ kind, outcome }, seconds),
  }
}

function modelMetrics(registry: Registry): Pick<Metrics, "countModel"> {
  const addTokens = totals(registry, {
    name: "parley_model_tokens_total",
    help: "Tokens of language models by provider and direction, as providers report them",
    labelNames: ["provider", "direction"],
  })
  const durations = histogram(registry, {
    name: "parley_model_duration_seconds",
    help: "Calls of language models by provider, functions that they run included",
    labelNames: ["provider"],
  })
  return {
    countModel({ provider, inputTokens, outputTokens, seconds }) {
      addTokens(inputTokens, provider, "input")
      addTokens(outputTokens, provider, "output")
      durations.observe({ provider }, seconds)
    },
  }
}

function jobMetrics(registry: Registry): Pick<Metrics, "countDelivery" | "countJob" | "showQuota"> {
  const attempts = new Counter({
    name: "parley_delivery_attempts_total",
    help: "Attempts to deliver events: delivered, to be repeated, or failed for good",
    labelNames: ["outcome"],
    registers: [registry],
  })
  const runs = histogram(registry, {
    name: "parley_job_duration_seconds",
    help: "Runs of jobs by outcome",
    labelNames: ["job", "outcome"],
    buckets: jobBuckets,
  })
  const done = new Counter({
    name: "parley_job_items_total",
    help: "What jobs did, by kind of thing",
    labelNames: ["job", "item"],
    registers: [registry],
  })
  const successes = new Gauge({
    name: "parley_job_last_success_timestamp_seconds",
    help: "When a job last ended well in this process",
    labelNames: ["job"],
    registers: [registry],
    aggregator: "max",
  })
  const quota = new Gauge({
    name: "parley_workspaces_at_chats_limit",
    help: "Workspaces by what they have used of their chats of the month: 80 % (most), all, or closed",
    labelNames: ["used"],
    registers: [registry],
    aggregator: "max",
  })
  return {
    countDelivery: (outcome) => attempts.inc({ outcome }),
    showQuota(levels) {
      for (const [used, count] of Object.entries(levels)) quota.set({ used }, count)
    },
    countJob({ job, outcome, seconds, counts }) {
      runs.observe({ job, outcome }, seconds)
      if (outcome === "ok") successes.set({ job }, Date.now() / 1_000)
      for (const [item, count] of Object.entries(counts)) done.inc({ job, item }, count)
    },
  }
}

/** A counter with labels for hot paths: its sums are handed over only on collection. */
function totals(
  registry: Registry,
  definition: Definition,
): (amount: number, ...values: [string, string?]) => void {
  const sums = new Map<string, Map<string, number>>()
  const [first = "", second] = definition.labelNames
  const handOver: Counter<string> = new Counter({
    ...definition,
    registers: [registry],
    collect() {
      handOver.reset()
      for (const [value, inner] of sums) {
        for (const [other, sum] of inner) {
          handOver.inc({ [first]: value, ...(second && { [second]: other }) }, sum)
        }
      }
    },
  })
  return (amount, value, other = "") => {
    const inner = sums.get(value) ?? new Map<string, number>()
    if (inner.size === 0) sums.set(value, inner)
    inner.set(other, (inner.get(other) ?? 0) + amount)
  }
}

type Definition = { name: string; help: string; labelNames: string[]; buckets?: number[] }

function histogram(registry: Registry, definition: Definition): Histogram<string> {
  return new Histogram({ buckets, ...definition, registers: [registry] })
}

/** Lets the primary of a cluster read the metrics of this worker. */
export function shareMetrics(registry: Registry): void {
  AggregatorRegistry.setRegistries(registry)
  // The constructor starts listening for the primary (prom-client 15.1).
  new AggregatorRegistry()
}

/** Creates the metrics in the primary of a cluster: reads those of all workers, summed. */
export function createClusterMetrics(): () => Promise<string> {
  const all = new AggregatorRegistry()
  return () => all.clusterMetrics()
}
