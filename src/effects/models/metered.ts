/** Meters calls of models: tokens and time, also of those that fail or whose reader leaves. */
import type { Call, Failure, ModelAnswer } from "../../engine/calls.ts"
import type { Metrics } from "../../telemetry/metrics.ts"
import { recordSpan } from "../../telemetry/tracing.ts"
import type { CallContext } from "../perform.ts"
import type { Reply } from "./dialogue.ts"
import type { DescribeModelCall } from "./modelSpan.ts"
import { useOf } from "./modelUse.ts"
import type { TokenCounts } from "./tokenCounts.ts"

export type Meter = {
  metrics: Pick<Metrics, "countModel">
  describeModelCall: DescribeModelCall
  counts: TokenCounts
}

export type Asking = { call: Call<"model">; context: CallContext; isStreamed: boolean }

/** What a call has used so far: tokens, at the address that it really asks. */
export type Spent = { baseUrl: string; usage?: Reply["usage"] }

type Answering = AsyncGenerator<string, ModelAnswer | Failure>

/**
 * Yields what `work` yields, and notes what it used at its end, whichever that is. Fails without a call when the
 * workspace has used its tokens.
 */
export async function* metered(
  { call, context, isStreamed }: Asking,
  meter: Meter | undefined,
  work: (spent: Spent) => Answering,
): Answering {
  const { workspaceId } = context
  const refusal =
    workspaceId === undefined ? undefined : await meter?.counts.refusalFor(workspaceId)
  if (refusal) return refusal
  const spent: Spent = { baseUrl: call.baseUrl }
  const startedAt = Date.now()
  let outcome: ModelAnswer | Failure | undefined
  try {
    outcome = yield* work(spent)
    return outcome
  } finally {
    const endedAt = Date.now()
    const use = useOf({ ...call, baseUrl: spent.baseUrl }, spent.usage)
    const { provider, inputTokens = 0, outputTokens = 0 } = use
    const seconds = (endedAt - startedAt) / 1_000
    meter?.metrics.countModel({ provider, inputTokens, outputTokens, seconds })
    // Streams are read beside the calls of turns, which have spans of their own.
    if (isStreamed && meter) {
      const attributes = meter.describeModelCall(call, use, outcome)
      recordSpan({ name: "call model", attributes }, startedAt, endedAt)
    }
    if (workspaceId !== undefined) meter?.counts.add(workspaceId, use)
    context.noteUse?.(use)
  }
}
