/** The trace stored with a turn, besides its answers, changes and content. */
import { cut } from "../../lib/cut.ts"
import { isFailure, type ModelUse, type Outcome, type ToolUse } from "../calls.ts"
import type { Turn } from "../turn/run.ts"

/** Empty members are absent. */
export type StoredTrace = {
  /** Variables whose values are not recorded: a block, a variable it set, and so on in pairs. */
  set?: string[]
  /** Calls to the outside world. */
  calls?: StoredCall[]
  /** The version that the chat began with, if it continues an older result. */
  version?: string
  /** True: some calls or variables are not kept. */
  isCut?: true
}

/**
 * The calling block (empty: to judge the reply), the kind, the status, milliseconds. Earlier releases stored
 * the index of a visit instead of the block.
 */
export type StoredCall = [
  blockId: string | number,
  kind: string,
  status: number,
  ms: number,
  /** Calls of models: what they used; calls of tools: the name. Earlier releases stored none. */
  detail?: StoredUse | string,
]

/** Model empty: unknown. Without counts: the provider reported none. */
export type StoredUse = [
  provider: string,
  model: string,
  inputTokens?: number,
  outputTokens?: number,
]

/** Status of a call without an HTTP answer. */
export const callStatus = { failed: -1, done: 0 } as const

type FinishedCall = {
  blockId: string
  kind: string
  outcome: Outcome
  ms: number
  use?: ModelUse | undefined
  /** The name of the tool that was called. */
  tool?: string | undefined
}

export function storedCall({ blockId, kind, outcome, ms, use, tool }: FinishedCall): StoredCall {
  const call: StoredCall = [blockId, kind, statusOf(outcome), Math.round(ms)]
  if (use) call.push(storedUse(use))
  if (tool !== undefined) call.push(cut(tool))
  return call
}

/** A call of a tool that a model has made for its block. */
export function storedToolCall(blockId: string, { tool, outcome, ms }: ToolUse): StoredCall {
  const { failed, done } = callStatus
  return [blockId, "mcpTool", outcome === "ok" ? done : failed, Math.round(ms), cut(tool)]
}

function statusOf(outcome: Outcome): number {
  if (isFailure(outcome)) return callStatus.failed
  return "status" in outcome ? outcome.status : callStatus.done
}

function storedUse({ provider, model = "", inputTokens, outputTokens }: ModelUse): StoredUse {
  return inputTokens === undefined
    ? [provider, model]
    : [provider, model, inputTokens, outputTokens ?? 0]
}

/** Max characters of a trace as JSON. */
const maxTraceLength = 2_000

/** The trace of a turn; undefined: empty. */
export function traceOf(
  { session, appearance, unnoted }: Turn,
  calls: readonly StoredCall[],
): StoredTrace | undefined {
  const root = session.queue.at(-1)
  const trace: StoredTrace = {}
  let left = maxTraceLength
  const takes = (part: unknown) => {
    left = left > 0 ? left - JSON.stringify(part).length : left
    return left > 0
  }
  if (appearance && session.isLater && root) trace.version = root.version
  // Tokens are counted from here, so nothing else takes the place of calls of models.
  const isModel = ([, , , , detail]: StoredCall) => typeof detail === "object"
  const kept = new Set(
    [...calls.filter(isModel), ...calls.filter((call) => !isModel(call))].filter(takes),
  )
  if (kept.size > 0) trace.calls = calls.filter((call) => kept.has(call))
  const set = unnoted.filter(takes).flat()
  if (set.length > 0) trace.set = set
  if (left <= 0) trace.isCut = true
  return Object.keys(trace).length > 0 ? trace : undefined
}
