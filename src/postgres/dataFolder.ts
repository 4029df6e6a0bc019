/** Finds where an embedded server keeps its data and its socket. */
import { createHash } from "node:crypto"
import { existsSync } from "node:fs"
import {
  chmod,
  chown,
  lstat,
  mkdir,
  readdir,
  readFile,
  realpath,
  rm,
  writeFile,
} from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Account, accountFor, canReach } from "./account.ts"
import { AdvisedError } from "./remedies.ts"

/** The folders of one embedded server. */
export type DataFolder = {
  /** The data folder that was asked for. */
  named: string
  /** Holds everything below: the data folder itself, or the folder that its file `location` names. */
  home: string
  /** PostgreSQL's own folder. */
  data: string
  log: string
  /** The account that runs the server; undefined: our own. */
  account: Account | undefined
}

// Max length of a socket path: 104 bytes with the closing NUL on macOS, 108 on Linux.
const maxSocketPathLength = 103

/**
 * Finds the folders for a data folder, which is created if it does not exist. If the account that runs
 * the server cannot reach it, the data goes into a folder of its own in `elsewhere`, which no reboot
 * empties, and the file `location` in the data folder says where.
 */
export async function findDataFolder(
  dataFolder: string,
  elsewhere = "/var/lib/parley",
): Promise<DataFolder> {
  await mkdir(dataFolder, { recursive: true })
  const named = await realpath(dataFolder)
  const record = join(named, "location")
  const recorded = (await readFile(record, "utf8").catch(() => "")).trim()
  // It is made before the record is written, so even a first start that was killed leaves it there.
  if (recorded !== "" && !existsSync(recorded)) {
    throw new AdvisedError(
      `The database of ${named} was in ${recorded}, as ${record} says, and that folder is gone: bring ` +
        "it back, or restore a backup into a new PARLEY_DATA. To begin without data, remove that file.",
    )
  }
  if (recorded !== "") return { named, ...placeIn(recorded) }
  const place = placeIn(named)
  if (canReach(named, place.account)) return { named, ...place }
  const home = join(elsewhere, hashOf(named).slice(0, 12))
  await mkdir(home, { recursive: true, mode: 0o755 }).catch(() => {})
  if (!canReach(home, place.account)) {
    throw new AdvisedError(
      `The account that runs PostgreSQL cannot enter ${named}, nor ${home}: set PARLEY_DATA to a ` +
        "folder that it can enter, start Parley as another user than root, or set DATABASE_URL.",
    )
  }
  await writeFile(record, `${home}\n`)
  return { named, ...placeIn(home) }
}

function placeIn(home: string): Omit<DataFolder, "named"> {
  const data = join(home, "postgres")
  return { home, data, log: join(home, "postgres.log"), account: accountFor(data) }
}

/** Chooses a folder for the socket whose path is short enough; it need not exist yet. */
export function socketFolderFor({ data, account }: DataFolder): string {
  const name = `parley-${hashOf(data).slice(0, 8)}`
  for (const parent of [tmpdir(), "/tmp"]) {
    const folder = join(parent, name)
    const isShort = Buffer.byteLength(join(folder, ".s.PGSQL.5432")) <= maxSocketPathLength
    if (isShort && canReach(parent, account)) return folder
  }
  throw new AdvisedError(
    `There is no folder for the socket of PostgreSQL: set TMPDIR to a path shorter than ${tmpdir()}.`,
  )
}

/** Creates the folder of the socket, empty and closed to all but the account of the server. */
export async function prepareSocketFolder(folder: string, account?: Account): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  // Anybody may write to the temporary folder, so another user may have put it there.
  const found = await lstat(folder)
  const ourselves = process.getuid?.()
  if (!found.isDirectory() || ![account?.uid, ourselves].includes(found.uid)) {
    throw new AdvisedError(`${folder} belongs to another user: remove it, or set TMPDIR.`)
  }
  await chmod(folder, 0o700)
  if (account) await chown(folder, account.uid, account.gid)
  for (const name of await readdir(folder)) {
    if (name.startsWith(".s.PGSQL.")) await rm(join(folder, name), { force: true })
  }
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex")
}
