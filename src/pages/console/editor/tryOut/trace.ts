/** What the chat beside the canvas has passed, for the canvas to light up; and where it is to begin. */
import type { PreviewState } from "@parley/client"
import { useSyncExternalStore } from "react"

type Trace = {
  /** Ids of the blocks that were passed. */
  passed: ReadonlySet<string>
  /** Ids of the edges that it took. */
  taken: ReadonlySet<string>
  /** Id of the block that waits, or was the last. */
  current: string | undefined
}

/** Where a preview begins instead of the start. */
export type StartFrom =
  | { type: "group"; groupId: string }
  | { type: "block"; blockId: string }
  | { type: "event"; eventId: string }

type Shared = { trace: Trace; startFrom: StartFrom | undefined; starts: number }

const nothing: Trace = { passed: new Set(), taken: new Set(), current: undefined }

let shared: Shared = { trace: nothing, startFrom: undefined, starts: 0 }
const listeners = new Set<() => void>()

function change(part: Partial<Shared>): void {
  shared = { ...shared, ...part }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** What the chat that is tried has done at a block; a row of the canvas draws anew only when this changes. */
export function useTraceOf(blockId: string): "passed" | "current" | undefined {
  return useSyncExternalStore(subscribe, () => {
    const { passed, current } = shared.trace
    if (current === blockId) return "current"
    return passed.has(blockId) ? "passed" : undefined
  })
}

/** Ids of the edges that the chat that is tried has taken. */
export function useTakenEdges(): ReadonlySet<string> {
  return useSyncExternalStore(subscribe, () => shared.trace.taken)
}

export function useIsTaken(edgeId: string): boolean {
  return useSyncExternalStore(subscribe, () => shared.trace.taken.has(edgeId))
}

/** Where the chat begins, and how often that was asked for. */
export function useStart(): Pick<Shared, "startFrom" | "starts"> {
  return useSyncExternalStore(subscribe, () => shared)
}

/** Has the chat begin there, from now on; absent: at the start. The chat is opened with `try`. */
export function startHere(startFrom?: StartFrom): void {
  change({ startFrom, starts: shared.starts + 1 })
}

/** Shows where a chat is and how it came there; `firstEdge` is that of the event with which it began. */
export function showTrace({ turns, input }: PreviewState, firstEdge?: string): void {
  const blocks = turns.flatMap(({ trace }) => trace.blocks).filter(({ botId }) => !botId)
  change({
    trace: {
      passed: new Set(blocks.map(({ blockId }) => blockId)),
      taken: new Set(
        [blocks.length > 0 ? firstEdge : undefined, ...blocks.map(({ edgeId }) => edgeId)].filter(
          (id) => id !== undefined,
        ),
      ),
      current: input?.id ?? blocks.at(-1)?.blockId,
    },
  })
}

export function forgetTrace(): void {
  change({ trace: nothing, startFrom: undefined })
}
