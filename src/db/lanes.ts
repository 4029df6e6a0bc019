/** Connections that hot statements hand to each other, instead of asking the pool for each of them. */
import type pg from "pg"
import type { HotQuery, Row } from "./hotQuery.ts"

/** How hot statements reach the server. */
export type Lanes = {
  /** Runs a statement on a connection that is at hand, else on one of the pool. */
  run(query: HotQuery): Promise<Row[]>
  /** Gives a connection that is at hand back to the pool, where somebody else waits for one. */
  yieldOne(): void
  /** Gives back all connections, those at work when they are done. */
  close(): void
}

type Lane = { client: pg.PoolClient; onError(error: Error): void }

type Pool = Pick<pg.Pool, "connect" | "waitingCount">

/** A turn comes back for its second statement within this time; idle connections are the pool's. */
const parkingMs = 100

/** Opens the lanes of a pool. */
export function openLanes(pool: Pool): Lanes {
  const parked: Lane[] = []
  let sweeping: NodeJS.Timeout | undefined
  let isClosed = false

  const giveBack = ({ client, onError }: Lane, error?: Error) => {
    // Broken while at work, it is told of twice.
    if (!client.listeners("error").includes(onError)) return
    client.off("error", onError)
    client.release(error)
  }
  const giveAllBack = () => {
    sweeping = undefined
    for (const lane of parked.splice(0)) giveBack(lane)
  }
  const park = (lane: Lane) => {
    if (isClosed || pool.waitingCount > 0) {
      giveBack(lane)
      return
    }
    parked.push(lane)
    sweeping ??= setTimeout(giveAllBack, parkingMs)
  }
  const open = (client: pg.PoolClient): Lane => {
    const lane: Lane = {
      client,
      onError: (error) => {
        const index = parked.indexOf(lane)
        if (index !== -1) parked.splice(index, 1)
        giveBack(lane, error)
      },
    }
    client.on("error", lane.onError)
    return lane
  }
  const send = (lane: Lane, query: HotQuery) =>
    new Promise<Row[]>((resolve, reject) => {
      query.callback = (error, rows = []) => {
        if (error) {
          giveBack(lane, error)
          reject(error)
        } else {
          park(lane)
          resolve(rows)
        }
      }
      lane.client.query(query)
    })

  return {
    async run(query) {
      return send(parked.pop() ?? open(await pool.connect()), query)
    },
    yieldOne() {
      const lane = parked.pop()
      if (lane) giveBack(lane)
    },
    close() {
      isClosed = true
      clearTimeout(sweeping)
      giveAllBack()
    },
  }
}
