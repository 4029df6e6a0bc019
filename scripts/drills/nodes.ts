/** The nodes of a cluster on this machine: a database on each, and a worker that is killed and started again. */
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import pg from "pg"
import type { Pool } from "../../src/db/connection/connectionPool.ts"
import { readPidFile } from "../../src/postgres/postmaster.ts"
import { databaseUrl, runAlone } from "../../test/support/cluster.ts"

export type Nodes = {
  /** The database at the coordinator. */
  url: string
  /** Adds the last node to the cluster. */
  add(pool: Pool): Promise<void>
  /** Kills the first worker; returns the id by which the cluster knows it. */
  kill(pool: Pool): Promise<number>
  /** Starts it again, and waits until it answers. */
  revive(): Promise<void>
  close(): Promise<void>
}

/** Makes a database on every node of DRILL_NODES and joins all but the last to a cluster. */
export async function openNodes(): Promise<Nodes> {
  const { DRILL_NODES = "", DRILL_NODE_START = "" } = process.env
  const servers = DRILL_NODES.split(",").filter((url) => url !== "")
  const [coordinator = "", killed = ""] = servers
  if (servers.length < 4 || DRILL_NODE_START === "")
    throw new Error("DRILL_NODES must name four nodes, and DRILL_NODE_START how one is started.")
  const name = `parley_drill_${process.pid}`
  const onEach = (text: string) => Promise.all(servers.map((server) => runAlone(server, text)))
  const databases = servers.map((server) => databaseUrl(server, name))
  const url = databaseUrl(coordinator, name)
  const join = (server: string) => {
    const { hostname, port } = new URL(server)
    return `select citus_add_node('${hostname}', ${port})`
  }
  await onEach(`create database ${name}`)
  for (const each of databases) await runAlone(each, "create extension citus")
  const { hostname, port } = new URL(coordinator)
  await runAlone(url, `select citus_set_coordinator_host('${hostname}', ${port})`)
  for (const server of servers.slice(1, -1)) await runAlone(url, join(server))
  const folder = await folderOf(killed)
  let isDown = false
  const revive = async () => {
    if (!isDown) return
    const env = { ...process.env, PGDATA: folder }
    await promisify(execFile)("/bin/sh", ["-c", DRILL_NODE_START], { env })
    isDown = false
  }
  return {
    url,
    revive,
    async add(pool) {
      await pool.query(join(servers.at(-1) ?? ""))
    },
    async kill(pool) {
      const { rows } = await pool.query("select nodeid from pg_dist_node where nodeport = $1", [
        Number(new URL(killed).port),
      ])
      const file = await readPidFile(folder)
      if (file) process.kill(file.pid, "SIGKILL")
      isDown = true
      return rows[0]?.nodeid
    },
    async close() {
      await revive()
      await onEach(`drop database if exists ${name} with (force)`)
    },
  }
}

async function folderOf(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query("select current_setting('data_directory') as folder")
  await client.end()
  return rows[0].folder
}
