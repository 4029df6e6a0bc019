/** How long a start takes: from `npm start` to the first answer of a chat, the first time and again. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { chmod, cp, mkdtemp, rm, symlink } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../..", import.meta.url))
const parts = ["src", "schema", "scripts", "openapi.json", "package.json", "tsconfig.json"]
const wanted = { first: 10_000, second: 3_000 }

/** Starts a copy of the product twice, with nothing built and no data before the first time. */
export async function run(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "parley-bench-start-"))
  // For the account that runs PostgreSQL when this is root.
  await chmod(folder, 0o755)
  try {
    for (const part of parts) await cp(join(root, part), join(folder, part), { recursive: true })
    await symlink(join(root, "node_modules"), join(folder, "node_modules"))
    for (const [name, limitMs] of Object.entries(wanted)) {
      const { readyMs, answeredMs } = await start(folder)
      const verdict = answeredMs < limitMs ? "ok" : "too slow"
      console.log(
        `${name} start: ready after ${readyMs} ms, chat answered after ${answeredMs} ms (wanted: < ${limitMs} ms, ${verdict})`,
      )
    }
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
}

async function start(folder: string): Promise<{ readyMs: number; answeredMs: number }> {
  const startedAt = performance.now()
  const child = spawn("npm", ["start"], {
    cwd: folder,
    env: { ...process.env, PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
    // A group of its own, to be ended as a whole: npm, its shell and the service.
    detached: true,
  })
  const closed = once(child, "close")
  let output = ""
  child.stdout?.on("data", (data: Buffer) => {
    output += data
  })
  let hasEnded = false
  void closed.then(() => {
    hasEnded = true
  })
  try {
    while (!output.includes("SESSION_ID")) {
      if (hasEnded) throw new Error(`The service did not start: ${output}`)
      await sleep(5)
    }
    const readyMs = Math.round(performance.now() - startedAt)
    const address = /API +(http\S+)\/api\/v1/.exec(output)?.[1]
    const response = await fetch(`${address}/api/v1/bots/demo/startChat`, { method: "POST" })
    if (!response.ok) throw new Error(`The chat was answered with ${response.status}`)
    await response.json()
    return { readyMs, answeredMs: Math.round(performance.now() - startedAt) }
  } finally {
    if (child.pid !== undefined && !hasEnded) process.kill(-child.pid, "SIGTERM")
    await closed
  }
}
