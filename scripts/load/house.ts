/** The product under siege, with a database that outlives it, so that it can be started again. */
import { join } from "node:path"
import { startEmbedded } from "../../src/postgres/start.ts"
import { newToken } from "../../src/routers/apiTokens.ts"
import { openTarget } from "../../test/support/siege/openTarget.ts"
import type { Target } from "../../test/support/siege/target.ts"
import { openUpstream } from "../../test/support/siege/upstream.ts"
import { copyProduct, freePort, type Run, startProduct } from "../drills/product.ts"

/** A running product. */
export type House = {
  target: Target
  run(): Run
  isAlive(): boolean
  /** Ends the process at once and starts another one at the same address. */
  restart(): Promise<void>
  close(): Promise<void>
}

/** Starts the product as it is installed, and sets up what attacks need. */
export async function openHouse(): Promise<House> {
  const { folder, remove } = await copyProduct()
  const database = await startEmbedded({ dataFolder: join(folder, "siege-data") })
  const upstream = await openUpstream()
  const token = newToken()
  const port = await freePort()
  let isAlive = false
  const start = async () => {
    const run = await startProduct(folder, {
      PORT: String(port),
      DATABASE_URL: database.url,
      PARLEY_SECRET: "a secret that only this drill knows",
      PARLEY_DATA: join(folder, "service-data"),
      PARLEY_BOOTSTRAP_EMAIL: "siege@example.com",
      PARLEY_BOOTSTRAP_TOKEN: token,
      // The rest is as usual, but for what lets one machine be many attackers and their server.
      PARLEY_DEFAULT_PLAN: "UNLIMITED",
      PARLEY_TRUSTED_PROXIES: "1",
      PARLEY_ALLOW_HOSTS: "127.0.0.1",
    })
    isAlive = true
    void run.ended.then(() => {
      if (run === current) isAlive = false
    })
    return run
  }
  let current: Run | undefined
  current = await start()
  const run = () => {
    if (!current) throw new Error("The product was not started")
    return current
  }
  const { address } = current
  const target = await openTarget({ address, token, databaseUrl: database.url, upstream })
  const end = async () => {
    run().child.kill("SIGKILL")
    await run().ended
  }
  return {
    target,
    run,
    isAlive: () => isAlive,
    async restart() {
      await end()
      current = await start()
    },
    async close() {
      await end()
      await database.stop()
      upstream.close()
      await remove()
    },
  }
}
