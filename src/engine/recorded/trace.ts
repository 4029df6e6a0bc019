/** What is stored of a turn beside its answers, its changes and what it showed. */
import type { Turn } from "../turn/run.ts"

/** Empty members are absent. */
export type StoredTrace = {
  /** Variables whose values are not recorded: a block, a variable it set, and so on in pairs. */
  set?: string[]
  /** Calls to the outside world. */
  calls?: StoredCall[]
  /** The version that the chat began with, when it goes on with an older result. */
  version?: string
  /** True: more calls or variables than are kept. */
  isCut?: true
}

/**
 * The block that made it (empty: to judge the reply), its kind, how it ended, milliseconds. Earlier
 * releases stored the index of a visit in place of the block.
 */
export type StoredCall = [blockId: string | number, kind: string, status: number, ms: number]

/** How a call ended, unless its status is that of an HTTP answer. */
export const callStatus = { failed: -1, done: 0 } as const

/** Most characters that the members of a trace take together as JSON. */
const maxTraceLength = 2_000

/** The trace of a turn; undefined when there is nothing to store. */
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
  const kept = calls.filter(takes)
  if (kept.length > 0) trace.calls = kept
  const set = unnoted.filter(takes).flat()
  if (set.length > 0) trace.set = set
  if (left <= 0) trace.isCut = true
  return Object.keys(trace).length > 0 ? trace : undefined
}
