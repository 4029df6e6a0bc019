/** Finds out, before a database is made, whether there is room for the service; says what takes its time. */
import { once } from "node:events"
import { existsSync } from "node:fs"
import { access, constants } from "node:fs/promises"
import { createServer } from "node:net"
import { dirname, join } from "node:path"
import type { Log } from "../telemetry/log.ts"
import type { Config } from "./config.ts"

type Place = Pick<Config, "host" | "port" | "socketPath" | "databaseUrl" | "dataFolder">

/** Throws where the port is taken, or the folder of a database that is to be made cannot be written. */
export async function requireRoom(config: Place): Promise<void> {
  await requireFreePort(config)
  if (makesDatabase(config)) await requireWritable(config.dataFolder)
}

async function requireFreePort({ host, port, socketPath }: Place): Promise<void> {
  // A socket that a dead service has left is removed by the one that listens.
  if (socketPath !== undefined || port === 0) return
  const probe = createServer().listen({ host, port })
  await once(probe, "listening")
  await new Promise((resolve) => probe.close(resolve))
}

/** Whether the data folder has no embedded database yet, here or elsewhere. */
function makesDatabase({ databaseUrl, dataFolder }: Place): boolean {
  const hasOne = ["postgres", "location"].some((name) => existsSync(join(dataFolder, name)))
  return databaseUrl === undefined && !hasOne
}

/** The folder itself, or the one in which it is to be made. */
async function requireWritable(folder: string): Promise<void> {
  let nearest = folder
  while (!existsSync(nearest)) nearest = dirname(nearest)
  await access(nearest, constants.W_OK).catch((error: NodeJS.ErrnoException) => {
    throw new Error(
      `The data folder ${folder} cannot be written (${error.code}): let this user write there, or set ` +
        "PARLEY_DATA to another folder.",
    )
  })
}

/** Says what a start is doing if it takes longer than a second. Call what it returns at its end. */
export function sayIfSlow(config: Place, log: Pick<Log, "info">): () => void {
  const words = makesDatabase(config)
    ? "Starting for the first time: a database is made, which takes some seconds"
    : "Starting: the database is opened and brought up to date"
  const timer = setTimeout(() => log.info(words), 1_000).unref()
  return () => clearTimeout(timer)
}
