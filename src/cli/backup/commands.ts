/** parley backup, parley move, and what parley restore does with a backup */
import { existsSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { readAddress } from "../../app/addressFile.ts"
import { explain } from "../../app/startProblem.ts"
import { requireEmpty } from "../../db/backup/writeTables.ts"
import { hasListeners } from "../../db/connection/notifications.ts"
import { openDatabase } from "../../db/connection/openDatabase.ts"
import { command, type Environment, flag, option, tell, word } from "../command.ts"
import { withDatabase } from "../withDatabase.ts"
import { backUp, type Installation, restore } from "./backUp.ts"
import { readHead } from "./format.ts"

const file = word("Backup file")

const secretWords =
  "It does not contain the secret: keep the file `secret` of the data folder, or PARLEY_SECRET, elsewhere."

export const backupCommand = command({
  name: "backup",
  description: "Save the database and the uploaded files as they are now; chats go on meanwhile",
  args: {
    file,
    force: flag("Replace an existing file"),
  },
  run: async ({ file: path, force }, environment) => {
    if (existsSync(path) && !force) throw new Error(`There is a file ${path} already: see --force.`)
    await withDatabase(environment, (place) => backUp(path, place), { migrates: false })
    tell(`Wrote ${path}. ${secretWords}`)
  },
})

export async function restoreBackup(path: string, environment: Environment): Promise<void> {
  // Otherwise a misspelt name would leave an empty database in a new data folder.
  await readHead(path)
  const opening = { migrates: false, mayCreate: true }
  await withDatabase(environment, (place) => restore(path, place), opening)
  tell(`Restored ${path}. Start Parley with the secret of the service that was backed up.`)
}

export const moveCommand = command({
  name: "move",
  description:
    "Copy the database of a stopped service into an empty one; files stay where they are",
  args: {
    to: { ...option("Address of the new database (postgres://…)"), required: true },
  },
  run: async ({ to }, environment) => {
    if (!/^postgres(ql)?:\/\//.test(to)) throw new Error("--to must start with postgres://.")
    await withDatabase(environment, async (place) => {
      await requireStopped(place)
      const folder = await mkdtemp(join(tmpdir(), "parley-move-"))
      const target = await openDatabase({ url: to, poolSize: 2, statementTimeoutMs: 0 })
      try {
        // Before the copy, which may take long.
        await requireEmpty(target.pool).catch((error) => {
          throw new Error(explain(error).replaceAll("DATABASE_URL", "--to"), { cause: error })
        })
        const path = join(folder, "backup")
        // A folder without uploaded files, because they stay in the data folder.
        const config = { ...place.config, dataFolder: folder }
        await backUp(path, { database: place.database, config })
        await restore(path, { database: target, config })
      } finally {
        await target.close()
        await rm(folder, { recursive: true, force: true })
      }
    })
    tell(
      "Moved. Start Parley with DATABASE_URL set to the new database, the same PARLEY_DATA, and " +
        "PARLEY_SECRET set to what the file `secret` there holds. Commands need all three, too, such as " +
        "the nightly backup: without DATABASE_URL they open the former database, which stays as it is.",
    )
  },
})

async function requireStopped({ database, config }: Installation): Promise<void> {
  const address = await readAddress(config.dataFolder)
  const isHere = address && (await fetch(`${address}/healthz`).catch(() => undefined))
  // It may also run on another machine, or in another container.
  if (!isHere && !(await hasListeners(database))) return
  const where = isHere ? `runs at ${address}` : "has this database open"
  throw new Error(`Parley ${where}: stop it first, or what is said in the meantime is lost.`)
}
