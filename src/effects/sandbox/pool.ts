/** Lends out a few resources of a kind to parties, which take turns. */
import { openFairQueue, type QueueLimits } from "../../lib/fairQueue.ts"
import type { Party } from "../../lib/party.ts"
import type { QueueName } from "../../lib/shares.ts"

/** Limits of a pool: it has as many resources as its queue has places, opened when they are needed. */
export type PoolLimits = Partial<QueueLimits> & {
  /** Idle resources that are kept for `warmMs`; any more are stopped after `idleMs`. */
  warm: number
  warmMs: number
  idleMs: number
}

export type Pool<T> = {
  /** Does work with a resource. Resolves to undefined when the queue gives the party no place. */
  use<R>(
    request: { party: Party; signal?: AbortSignal | undefined },
    work: (resource: T) => Promise<R>,
  ): Promise<R | undefined>
  /** Stops all resources; those that wait get none. */
  close(): void
}

export function openPool<T extends { isLost(): boolean; stop(): void }>(
  name: QueueName,
  open: () => T,
  { warm, warmMs, idleMs, ...limits }: PoolLimits,
): Pool<T> {
  const queue = openFairQueue(name, limits)
  let isClosed = false
  const lent = new Set<T>()
  /** Free resources with the timers that stop them, the one used last at the end. */
  const idle = new Map<T, NodeJS.Timeout>()

  const discard = (resource: T) => {
    clearTimeout(idle.get(resource))
    idle.delete(resource)
    resource.stop()
  }
  /** The one used last, so that surplus ones stay idle; otherwise a new one. */
  const take = () => {
    for (const resource of [...idle.keys()].reverse()) {
      clearTimeout(idle.get(resource))
      idle.delete(resource)
      if (!resource.isLost()) return resource
      resource.stop()
    }
    return open()
  }
  const rest = (resource: T) => {
    const ms = idle.size < warm ? warmMs : idleMs
    idle.set(resource, setTimeout(() => discard(resource), ms).unref())
  }
  const giveBack = (resource: T) => {
    lent.delete(resource)
    // Another one starts at once, so that the next borrower does not wait for it.
    if (!resource.isLost()) rest(resource)
    else if (idle.size < warm && !isClosed) rest(open())
  }
  return {
    use: ({ party, signal }, work) =>
      queue.run(
        party,
        async () => {
          const resource = take()
          lent.add(resource)
          try {
            return await work(resource)
          } finally {
            giveBack(resource)
          }
        },
        signal,
      ),
    close() {
      isClosed = true
      queue.close()
      for (const resource of lent) resource.stop()
      for (const resource of [...idle.keys()]) discard(resource)
    },
  }
}
