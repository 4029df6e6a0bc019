/** The process: reads the environment, serves, and shuts down gracefully on a signal. */
import cluster from "node:cluster"
import { fileURLToPath } from "node:url"
import { setFlagsFromString } from "node:v8"
import { openLog } from "../shared/log.ts"
import { bannerOf } from "./banner.ts"
import { runWorker, startCluster } from "./cluster.ts"
import { readConfig } from "./config.ts"
import { type Service, startService } from "./service.ts"
import { explain } from "./startProblem.ts"

// Dates are parsed and printed in the process's zone, which must be the same everywhere.
process.env.TZ = "UTC"

// V8 lets garbage grow to four times what is in use. This bounds it to about as much again.
setFlagsFromString("--heap-growing-percent=100")

try {
  const config = readConfig(process.env)
  const log = openLog(config.logLevel)
  if (cluster.isWorker) await runWorker(config, log)
  else {
    const own = fileURLToPath(import.meta.url)
    const isOne = config.workers === 1
    const starting = isOne ? startService(config, log) : startCluster(config, log, own)
    stopOnSignal(starting)
    process.stdout.write(bannerOf(await starting, config))
  }
} catch (error) {
  process.stderr.write(`Parley could not start. ${explain(error)}\n`)
  process.exit(1)
}

/**
 * The first signal finishes what was accepted; a second one ends the process at once. Installed before
 * the start is over, because requests are accepted, and a first token is made, before that.
 */
function stopOnSignal(starting: Promise<Service>): void {
  let isStopping = false
  const stop = async () => {
    if (isStopping) process.exit(1)
    isStopping = true
    // A start that fails is reported where it is awaited.
    const service = await starting.catch(() => undefined)
    if (!service) return
    try {
      await service.stop()
      process.exit(0)
    } catch (error) {
      process.stderr.write(`Parley did not stop in order. ${explain(error)}\n`)
      process.exit(1)
    }
  }
  process.on("SIGTERM", stop)
  process.on("SIGINT", stop)
}
