/** Runs programs of other languages, and installs what they need into a folder that is kept. */
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { access, mkdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"

/** Where tools are installed, so that the next run finds them. */
export const toolsFolder = join(tmpdir(), "parley-generators", "tools")

/** How a program is run. */
export type RunOptions = {
  cwd?: string
  env?: Record<string, string>
  /** After so long the program is ended; five minutes by default. */
  timeoutMs?: number
}

/** Resolves to what the program prints; rejects with its last lines when it fails. */
export function run(
  command: string,
  args: readonly string[],
  { cwd, env, timeoutMs = 300_000 }: RunOptions = {},
): Promise<string> {
  const options = {
    cwd,
    env: { ...process.env, ...env },
    timeout: timeoutMs,
    maxBuffer: 256 * 1024 * 1024,
  }
  return new Promise((resolve, reject) => {
    const child = execFile(command, args, options, (error, stdout, stderr) => {
      if (error === null) return resolve(stdout)
      const words = error.killed ? `ended after ${timeoutMs / 1000} s` : `${stdout}\n${stderr}`
      reject(new Error(words.trim() || error.message))
    })
    child.stdin?.end()
  })
}

/** Throws one sentence when the machine lacks a command. */
export function requireCommand(command: string): void {
  const folders = (process.env.PATH ?? "").split(delimiter)
  if (!folders.some((folder) => existsSync(join(folder, command)))) {
    throw new Error(`${command} is not on this machine`)
  }
}

/** Installs packages of npm into a folder of their own, without running their scripts. */
export function npmTools(name: string, packages: readonly string[]): Promise<string> {
  return installed(`npm-${name}`, async (folder) => {
    const flags = ["--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--legacy-peer-deps"]
    await run("npm", ["install", "--prefix", folder, ...flags, ...packages], { cwd: folder })
  })
}

/** Installs packages of Python into an environment of their own; its commands are in `bin`. */
export function pythonTools(name: string, packages: readonly string[]): Promise<string> {
  requireCommand("python3")
  return installed(`python-${name}`, async (folder) => {
    await run("python3", ["-m", "venv", folder])
    await run(join(folder, "bin/pip"), ["install", "--quiet", ...packages])
  })
}

/** Installs a command written in Go. */
export function goTool(name: string, path: string): Promise<string> {
  requireCommand("go")
  return installed(`go-${name}`, async (folder) => {
    await run("go", ["install", path], { env: { GOBIN: folder } })
  })
}

/** Fetches a program in a jar by its Maven coordinates, without what it depends on. */
export async function mavenJar(group: string, name: string, version: string): Promise<string> {
  requireCommand("java")
  requireCommand("mvn")
  const artifact = `${group}:${name}:${version}`
  const folder = await installed(`jar-${name}-${version}`, async (target) => {
    const copy = ["dependency:copy", `-Dartifact=${artifact}`, `-DoutputDirectory=${target}`]
    await run("mvn", ["-q", "-B", ...copy], { cwd: target })
  })
  return join(folder, `${name}-${version}.jar`)
}

/** Fills a folder once; when that fails it is as if nothing had been tried. */
async function installed(
  name: string,
  install: (folder: string) => Promise<void>,
): Promise<string> {
  const folder = join(toolsFolder, name)
  if (await exists(folder)) return folder
  try {
    await mkdir(folder, { recursive: true })
    await install(folder)
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
  return folder
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
