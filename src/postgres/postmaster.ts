/** Looks at a server from outside: its pid file, its process, and whether it answers. */
import { execFileSync } from "node:child_process"
import { readlinkSync, realpathSync } from "node:fs"
import { readFile, realpath } from "node:fs/promises"
import { join } from "node:path"
import pg from "pg"
import { isAlive } from "./lock.ts"
import { AdvisedError } from "./remedies.ts"

/** How to reach a server. */
export type Address = {
  /** Folder of the socket, or a host name. */
  host: string
  port: number
  /** Absent where the permissions of the socket folder protect the server. */
  password?: string
}

/** What the pid file of a data folder says. */
type PidFile = { pid: number; address: Address }

/** The role that is used on an embedded server. */
export const roleName = "parley"
const databaseName = "postgres"

/**
 * Reads `postmaster.pid` (PostgreSQL 18, miscadmin.h: LOCK_FILE_LINE_*). Returns undefined if it is
 * missing or incomplete.
 */
export async function readPidFile(data: string): Promise<PidFile | undefined> {
  const text = await readFile(join(data, "postmaster.pid"), "utf8").catch(() => "")
  const [pid, , , port, socketFolder, listenAddress] = text.split("\n")
  if (!port || !Number(pid)) return undefined
  const host = socketFolder || listenAddress || "127.0.0.1"
  return { pid: Number(pid), address: { host, port: Number(port) } }
}

/** Whether the process serves this data, and does not merely have the number of a dead server. */
export function isPostmaster(pid: number, data: string): boolean {
  if (!isAlive(pid)) return false
  try {
    // A server works in its data folder.
    if (process.platform === "linux") return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(data)
    const command = execFileSync("ps", ["-p", String(pid), "-o", "command="], { encoding: "utf8" })
    return command.includes(data)
  } catch {
    // Unknown, as for the process of another user: PostgreSQL decides.
    return true
  }
}

/**
 * The URL of an address; the folder of a socket is percent-encoded, as pg expects. The server is on this
 * machine and takes no TLS, regardless of PGSSLMODE.
 */
export function urlOf({ host, port, password }: Address): string {
  const secret = password === undefined ? "" : `:${encodeURIComponent(password)}`
  return `postgres://${roleName}${secret}@${encodeURIComponent(host)}:${port}/${databaseName}?sslmode=disable`
}

/** Whether the server of this data answers. */
export async function answers(address: Address, data: string): Promise<boolean> {
  const client = new pg.Client({
    connectionString: urlOf(address),
    connectionTimeoutMillis: 5_000,
  })
  client.on("error", () => {})
  try {
    await client.connect()
    const { rows } = await client.query("select current_setting('data_directory') as data")
    return (await realpath(rows[0].data)) === (await realpath(data))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EACCES") {
      throw new AdvisedError(
        `A server runs on ${data}, but ${address.host} is closed to this user: start Parley as the ` +
          "user that started it, or set DATABASE_URL.",
        { cause: error },
      )
    }
    return false
  } finally {
    await client.end().catch(() => {})
  }
}
