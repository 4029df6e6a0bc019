/** Starts the servers that are measured, each in a process of its own. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { availableParallelism, tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/** A running process, with the address and the API token that it printed; "": no token. */
export type Started = { process: ChildProcess; pid: number; address: string; token: string }

const root = fileURLToPath(new URL("../..", import.meta.url))

/** The built service; `variables` name its database. */
export function startParley(variables: Record<string, string>): Promise<Started> {
  return startProcess(["scripts/start.mjs"], {
    PORT: "0",
    PARLEY_LOG_LEVEL: "error",
    PARLEY_RATE_LIMITS: "off",
    PARLEY_SECRET: "only for measuring and nothing is kept",
    ...variables,
  })
}

/** A bare server of this folder, with everything it needs in one JSON argument. */
export function startFloor(
  file: string,
  argument: unknown,
  { isPinned = false } = {},
): Promise<Started> {
  const args = ["--import", "tsx", `scripts/bench/floors/${file}`, JSON.stringify(argument)]
  return startProcess(args, {}, isPinned)
}

/** A server of this folder, bundled as the service is, and pinned to one processor. */
export async function startBundle(file: string): Promise<Started> {
  const folder = await mkdtemp(join(tmpdir(), "parley-bench-"))
  try {
    const outfile = join(folder, "server.mjs")
    await bundleServer(file, outfile)
    return await startProcess([outfile], { NODE_ENV: "production" }, true)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Bundles one file with everything it imports, for production. */
async function bundleServer(file: string, outfile: string): Promise<void> {
  const { build } = await import("esbuild")
  const banner = [
    'import { createRequire as __createRequire } from "node:module";',
    "const require = __createRequire(import.meta.url);",
  ]
  await build({
    absWorkingDir: root,
    entryPoints: [file],
    outfile,
    bundle: true,
    platform: "node",
    target: "node20",
    format: "esm",
    banner: { js: banner.join("\n") },
    define: { "process.env.NODE_ENV": '"production"' },
    external: ["pg-native"],
    logLevel: "warning",
  })
}

/** Puts a command on the last processor, so that it does not compete with the load; where it can. */
function pinned(): string[] {
  const command = ["taskset", "-c", String(availableParallelism() - 1)]
  const [program = "", ...args] = [...command, process.execPath]
  return spawnSync(program, [...args, "--version"]).status === 0 ? command : []
}

function startProcess(
  args: string[],
  variables: Record<string, string>,
  isPinned = false,
): Promise<Started> {
  const env = { ...process.env, ...variables }
  const [program = process.execPath, ...rest] = [
    ...(isPinned ? pinned() : []),
    process.execPath,
    ...args,
  ]
  const child = spawn(program, rest, {
    cwd: root,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  })
  process.once("exit", () => child.kill())
  return new Promise((resolve, reject) => {
    let output = ""
    child.once("exit", (code) => reject(new Error(`The server ended with ${code}: ${output}`)))
    child.stdout?.on("data", (data: Buffer) => {
      output += data.toString()
      const address = /http:\/\/[\w.]+:\d+/.exec(output)?.[0]
      if (!address || (output.includes("Parley is ready") && !output.includes("by hand"))) return
      child.removeAllListeners("exit")
      const token = /parley_pat_\w+/.exec(output)?.[0] ?? ""
      resolve({ process: child, pid: child.pid ?? 0, address, token })
    })
  })
}

/** Asks a process to end, and waits for it. */
export function stopProcess({ process: child }: Started): Promise<void> {
  return new Promise((resolve) => {
    child.once("exit", () => resolve())
    child.kill("SIGTERM")
  })
}
