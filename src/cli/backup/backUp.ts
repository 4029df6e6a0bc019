/** Backs a service up and restores it: its database, and the files of its data folder. */
import manifest from "../../../package.json" with { type: "json" }
import type { Config } from "../../app/config.ts"
import { withSnapshot } from "../../db/backup/readTables.ts"
import { restoreTables } from "../../db/backup/writeTables.ts"
import type { OpenDatabase } from "../../db/connection/openDatabase.ts"
import { migrationOfBackup } from "../../db/schema/adopt.ts"
import { tell } from "../command.ts"
import { openFileWriter, readFiles } from "./files.ts"
import { type BackupItem, readBackup, readHead, writeBackup } from "./format.ts"
import { openProgress } from "./progress.ts"

/** The database and the settings of a service. */
export type Installation = { database: OpenDatabase; config: Pick<Config, "dataFolder" | "bucket"> }

/** Writes all data, as it is at this moment, to a file. Chats go on meanwhile. */
export async function backUp(path: string, { database, config }: Installation): Promise<void> {
  const count = openProgress("Saved")
  await withSnapshot(database.pool, async ({ migration, items }) => {
    const all = async function* (): AsyncGenerator<BackupItem> {
      for await (const item of items) yield count(item)
      // After the tables, so that every file that they mention is included.
      for await (const item of readFiles(config.dataFolder)) yield count(item)
    }
    const madeAt = new Date().toISOString()
    await writeBackup(path, { version: manifest.version, migration, madeAt }, all())
  })
  count.finish()
  if (config.bucket) tell("It does not contain the files: they stay in their bucket.")
}

/** Restores a backup into an empty database and a data folder without files, or changes nothing. */
export async function restore(path: string, { database, config }: Installation): Promise<void> {
  const head = await readHead(path)
  tell(`The backup of ${head.madeAt}, made by Parley ${head.version}`)
  const count = openProgress("Restored")
  const files = openFileWriter(config.dataFolder)
  try {
    await restoreTables(database.pool, migrationOfBackup(head), async (tables) => {
      await files.begin()
      let hasTables = true
      // Once, because only files come after the last table.
      const finishTables = () => {
        if (hasTables) tables.finish()
        hasTables = false
      }
      await readBackup(path, async (item) => {
        if (item === undefined || "file" in item) finishTables()
        if (item === undefined) return
        await ("file" in item ? files.write(item) : tables.write(item))
        count(item)
      })
      return files.finish
    })
  } catch (error) {
    await files.abandon()
    throw error
  }
  await files.settle()
  await database.pool.query("analyze")
  count.finish()
}
