/** Starts the servers that are measured, each in a process of its own. */
import { type ChildProcess, spawn } from "node:child_process"
import { fileURLToPath } from "node:url"

/** A running process and the address that it printed. */
export type Started = { process: ChildProcess; pid: number; address: string; output: string }

const root = fileURLToPath(new URL("../..", import.meta.url))

/** The built service on a database. */
export function startParley(variables: Record<string, string>): Promise<Started> {
  return startProcess(["scripts/start.mjs"], { PORT: "0", PARLEY_LOG_LEVEL: "error", ...variables })
}

/** A bare server of this folder, with everything it needs in one JSON argument. */
export function startFloor(file: string, argument: unknown): Promise<Started> {
  const args = ["--import", "tsx", `scripts/bench/floors/${file}`, JSON.stringify(argument)]
  return startProcess(args, {})
}

function startProcess(args: string[], variables: Record<string, string>): Promise<Started> {
  const env = { ...process.env, ...variables }
  const child = spawn(process.execPath, args, {
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
      resolve({ process: child, pid: child.pid ?? 0, address, output })
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
