/** Watches whether every node of a cluster answers; a single server has none to watch. */
import { askNodes, isCluster } from "../db/connection/nodes.ts"
import type { Db } from "../db/connection/openDatabase.ts"
import type { Outages } from "../telemetry/outages.ts"

const everyMs = 5_000

/** Starts watching. Returns what ends it. */
export async function watchNodes(
  db: Db,
  outages: Pick<Outages, "note" | "clear">,
): Promise<() => Promise<void>> {
  if (!(await isCluster(db))) return async () => {}
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  let last: Promise<void> = Promise.resolve()
  const look = async () => {
    // When the node that is asked is lost, the check of readiness says so.
    const nodes = await askNodes(db).catch(() => [])
    for (const { nodeId, isUp, answer } of nodes) {
      // Readiness is public: it names no address.
      const what = `database node ${nodeId}`
      if (isUp) outages.clear(what)
      else outages.note(what, answer)
    }
    if (!isStopped) schedule(everyMs)
  }
  const schedule = (waitMs: number) => {
    timer = setTimeout(() => {
      last = look()
    }, waitMs).unref()
  }
  schedule(0)
  return async () => {
    isStopped = true
    clearTimeout(timer)
    await last
  }
}
