/** Chooses the account that runs PostgreSQL, which refuses to run as root. */
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { stat } from "node:fs/promises"

/** A user and a group by number. */
export type Account = { uid: number; gid: number }

const preferred = ["postgres", "_postgres", "node", "nobody"]

/**
 * Returns the account to switch to, or undefined to stay who we are. For root it is the owner of
 * the existing data, or the first of a few common accounts. Throws when the data belongs to another
 * user.
 */
export async function accountFor(data: string): Promise<Account | undefined> {
  const ourselves = process.getuid?.()
  if (ourselves === undefined) return undefined
  const owner = await ownerOf(data)
  if (ourselves !== 0) {
    if (owner === undefined || owner.uid === ourselves) return undefined
    throw new Error(
      `The data in ${data} belongs to another user (number ${owner.uid}): ` +
        "start Parley as that user or as root, or set DATABASE_URL.",
    )
  }
  if (owner !== undefined && owner.uid !== 0) return owner
  const account = preferred.map(findAccount).find((found) => found !== undefined)
  if (account) return account
  throw new Error(
    "PostgreSQL refuses to run as root, and this system has no account named postgres, node or " +
      "nobody: start Parley as another user, or set DATABASE_URL.",
  )
}

/** Whether the account may search the folder, tested as that account. */
export function canReach(folder: string, account: Account | undefined): boolean {
  return testAs(account, '[ -x "$1" ]', folder)
}

/** Whether the account may run and read the file. */
export function canRun(file: string, account: Account | undefined): boolean {
  return testAs(account, '[ -x "$1" ] && [ -r "$1" ]', file)
}

function testAs(account: Account | undefined, script: string, path: string): boolean {
  if (!account) return true
  const { status } = spawnSync("/bin/sh", ["-c", script, "sh", path], { ...account, cwd: "/" })
  return status === 0
}

async function ownerOf(path: string): Promise<Account | undefined> {
  try {
    const { uid, gid } = await stat(path)
    return { uid, gid }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined
    throw error
  }
}

function findAccount(name: string): Account | undefined {
  for (const line of readPasswd().split("\n")) {
    const [account, , uid, gid] = line.split(":")
    if (account === name && Number(uid) > 0) return { uid: Number(uid), gid: Number(gid) }
  }
  return undefined
}

function readPasswd(): string {
  try {
    return readFileSync("/etc/passwd", "utf8")
  } catch {
    return ""
  }
}
