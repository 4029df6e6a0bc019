/** Finds where an embedded server keeps its data and its socket. */
import { createHash } from "node:crypto"
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

/** The folders of one embedded server. */
export type DataFolder = {
  /** Holds everything below: the data folder itself, or the folder that its file `location` names. */
  home: string
  /** PostgreSQL's own folder. */
  data: string
  /** The server's log. */
  log: string
  /** The account that runs the server; undefined: our own. */
  account: Account | undefined
}

// The longest path of a socket: 104 bytes with the closing NUL on macOS, 108 on Linux.
const longestSocketPath = 103

/**
 * Finds the folders for a data folder, which is created if it does not exist. If the account that runs
 * the server cannot reach it, the data goes to /var/lib/parley, and the file `location` in the data
 * folder says where.
 */
export async function findDataFolder(dataFolder: string): Promise<DataFolder> {
  await mkdir(dataFolder, { recursive: true })
  const folder = await realpath(dataFolder)
  const recorded = await readFile(join(folder, "location"), "utf8").catch(() => undefined)
  if (recorded !== undefined) return placeIn(recorded.trim())
  const place = await placeIn(folder)
  if (canReach(folder, place.account)) return place
  const elsewhere = await makeHomeElsewhere(folder, place.account)
  await writeFile(join(folder, "location"), `${elsewhere}\n`)
  return placeIn(elsewhere)
}

async function placeIn(home: string): Promise<DataFolder> {
  await mkdir(home, { recursive: true })
  const data = join(home, "postgres")
  return { home, data, log: join(home, "postgres.log"), account: accountFor(data) }
}

async function makeHomeElsewhere(folder: string, account: Account | undefined): Promise<string> {
  const name = hashOf(folder).slice(0, 12)
  for (const home of [join("/var/lib/parley", name), join(tmpdir(), `parley-data-${name}`)]) {
    try {
      await mkdir(home, { recursive: true, mode: 0o755 })
    } catch {
      continue
    }
    if (canReach(home, account)) return home
  }
  throw new Error(
    `The account that runs PostgreSQL cannot reach ${folder}, nor /var/lib/parley: set PARLEY_DATA ` +
      "to a folder that it can reach, or set DATABASE_URL.",
  )
}

/** Chooses a folder for the socket whose path is short enough; it need not exist yet. */
export function socketFolderFor({ data, account }: DataFolder): string {
  const name = `parley-${hashOf(data).slice(0, 8)}`
  for (const parent of [tmpdir(), "/tmp"]) {
    const folder = join(parent, name)
    const isShort = Buffer.byteLength(join(folder, ".s.PGSQL.5432")) <= longestSocketPath
    if (isShort && canReach(parent, account)) return folder
  }
  throw new Error(
    `There is no folder for its socket: set TMPDIR to a path shorter than ${tmpdir()}`,
  )
}

/** Creates the folder of the socket, empty and closed to all but the account of the server. */
export async function prepareSocketFolder(folder: string, account?: Account): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  // Anybody may write to the temporary folder, so somebody else may have put it there.
  const found = await lstat(folder)
  const ourselves = process.getuid?.()
  if (!found.isDirectory() || ![account?.uid, ourselves].includes(found.uid)) {
    throw new Error(`${folder} belongs to another user: remove it, or set TMPDIR`)
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
