/** The process: reads the environment, serves, and shuts down gracefully on a signal. */
import cluster from "node:cluster"
import { basename } from "node:path"
import { fileURLToPath } from "node:url"
import { setFlagsFromString } from "node:v8"
import { visible } from "../lib/visible.ts"
import { createLog, type Log } from "../telemetry/log.ts"
import { deleteAddress, writeAddress } from "./addressFile.ts"
import { bannerOf, separateWords } from "./banner.ts"
import { runWorker, startCluster } from "./cluster.ts"
import { type Config, readConfig, riskySettings, unknownVariables } from "./config.ts"
import { onRunnerGone } from "./parent.ts"
import { prettyStream } from "./prettyLog.ts"
import { requireRoom, sayIfSlow } from "./requireRoom.ts"
import { type Service, startService } from "./service.ts"
import { explain } from "./startProblem.ts"

// Dates are parsed and printed in the time zone of the process, which must be the same everywhere.
process.env.TZ = "UTC"

// V8 lets the heap grow to four times what is in use. This limits it to a third as much again, and costs
// a chat no processor time (`npm run bench chat`).
setFlagsFromString("--heap-growing-percent=30")

// A service must not end with the terminal that it was started in, or with the room for its output.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {})

try {
  const config = readConfig(process.env)
  const hasColour = !process.env.NO_COLOR
  const pretty = process.stderr.isTTY ? prettyStream(process.stderr, { hasColour }) : undefined
  const log = createLog(config.logLevel, pretty)
  if (cluster.isWorker) await runWorker(config, log)
  else {
    for (const sentence of unknownVariables(process.env)) log.warn(sentence)
    for (const sentence of riskySettings(config)) log.warn(sentence)
    const own = fileURLToPath(import.meta.url)
    const isOne = config.workers === 1
    // Output that is no terminal may be stored, as logs are.
    const makesLink = process.stdout.isTTY === true
    const start = async () => {
      await requireRoom(config)
      const isReady = sayIfSlow(config, log)
      const service = isOne
        ? await startService(config, log, { makesLink })
        : await startCluster(config, log, { file: own, makesLink })
      isReady()
      // A stop that was asked for meanwhile removes it.
      await writeAddress(config.dataFolder, service.address)
      return service
    }
    // Begins once the signal handlers are installed.
    const starting = Promise.resolve().then(start)
    stopWhenAsked(starting, { config, log })
    const service = await starting
    warnOfSeparateDatabase(service, log)
    process.stdout.write(visible(bannerOf(service, config)))
  }
} catch (error) {
  process.stderr.write(visible(`Parley could not start. ${explain(error)}\n`))
  process.exit(1)
}

/** A database that root started outside the data folder is easily forgotten. */
function warnOfSeparateDatabase({ databaseFolder: folder }: Service, log: Log): void {
  if (folder === undefined) return
  log.warn({ folder }, `The database is not in the data folder. ${separateWords}`)
  // Where former versions put it if they could not make a folder in /var/lib.
  if (!basename(folder).startsWith("parley-data-")) return
  log.warn(
    { folder },
    "The database is in a temporary folder, which a reboot may empty: stop Parley, move that folder," +
      " and write its new path into the file `location` of the data folder.",
  )
}

/**
 * The first signal finishes what was accepted; a second one ends the process at once. Installed before
 * the start is over, because by then requests are accepted and the first token is made.
 */
function stopWhenAsked(starting: Promise<Service>, deps: StopDeps): void {
  let isStopping = false
  const stop = (reason: string) => {
    if (isStopping) return
    isStopping = true
    void stopInOrder(starting, deps, reason)
  }
  for (const signal of ["SIGTERM", "SIGINT"]) {
    process.on(signal, () => {
      if (isStopping) process.exit(1)
      stop(signal)
    })
  }
  // Does not count as a second signal: a supervisor may signal the runner and this process alike.
  onRunnerGone(process.env, { call: () => stop("the process that started it ended") })
}

type StopDeps = { config: Config; log: Log }

async function stopInOrder(starting: Promise<Service>, { config, log }: StopDeps, reason: string) {
  const startedAt = performance.now()
  log.info({ reason }, "Stopping: accepted requests are finished first")
  // A start that fails is reported where it is awaited.
  const service = await starting.catch(() => undefined)
  if (!service) return
  try {
    await deleteAddress(config.dataFolder, service.address)
    await service.stop()
    log.info({ ms: Math.round(performance.now() - startedAt) }, "Stopped")
    process.exit(0)
  } catch (error) {
    process.stderr.write(visible(`Parley did not stop cleanly. ${explain(error)}\n`))
    process.exit(1)
  }
}
