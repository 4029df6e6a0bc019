/** Chooses the account that runs PostgreSQL, because PostgreSQL refuses to run as root. */
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync, statSync } from "node:fs"
import { AdvisedError } from "./remedies.ts"

/** A user and a group by number. */
export type Account = { uid: number; gid: number }

const preferred = ["postgres", "_postgres", "node", "nobody"]

/**
 * Returns the account to switch to, or undefined to stay the current user. For root it is the owner
 * of the existing data, else the first of a few common accounts. Throws if the data belongs to another
 * user.
 */
export function accountFor(data: string): Account | undefined {
  const ourselves = process.getuid?.()
  if (ourselves === undefined) return undefined
  const owner = statSync(data, { throwIfNoEntry: false })
  if (ourselves !== 0) {
    if (owner === undefined || owner.uid === ourselves) return undefined
    throw new AdvisedError(
      `The data in ${data} belongs to another user (number ${owner.uid}): ` +
        "start Parley as that user or as root, or set DATABASE_URL.",
    )
  }
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  const account = findPreferred()
  if (account) return account
  throw new AdvisedError(
    "PostgreSQL refuses to run as root, and this system has no account named postgres, node or " +
      "nobody: start Parley as another user, or set DATABASE_URL.",
  )
}

/** Whether the account may enter the folder, tested as that account. */
export function canReach(folder: string, account: Account | undefined): boolean {
  return testAs(account, '[ -x "$1" ]', folder)
}

/** Whether the account may run and read the file. */
export function canRun(file: string, account: Account | undefined): boolean {
  return testAs(account, '[ -x "$1" ] && [ -r "$1" ]', file)
}

function testAs(account: Account | undefined, script: string, path: string): boolean {
  if (!account) return true
  const words = ["-c", script, "sh", path]
  const { status, error } = spawnSync("/bin/sh", words, { ...account, cwd: "/" })
  // Nothing was tested: too many files are open, or there is no shell.
  if (error) throw error
  return status === 0
}

/** The first preferred account of this system; containers may have no list of accounts. */
function findPreferred(): Account | undefined {
  const passwd = existsSync("/etc/passwd") ? readFileSync("/etc/passwd", "utf8") : ""
  const accounts = passwd.split("\n").map((line) => line.split(":"))
  for (const name of preferred) {
    const [, , uid, gid] = accounts.find(([account]) => account === name) ?? []
    if (Number(uid) > 0) return { uid: Number(uid), gid: Number(gid) }
  }
  return undefined
}
