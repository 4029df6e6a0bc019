/** Remembers in the data folder which state of each bot the commands saw last. */
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { readConfig } from "../app/config.ts"
import type { Environment } from "./command.ts"

/** Remembers the state of a bot that was just read or written. */
export async function writeSeen(
  environment: Environment,
  botId: string,
  updatedAt: string,
): Promise<void> {
  const all = { ...(await readSeen(environment)), [botId]: updatedAt }
  await mkdir(readConfig(environment).dataFolder, { recursive: true })
  await writeFile(pathIn(environment), `${JSON.stringify(all, null, 2)}\n`)
}

/**
 * When bots were changed last, as far as commands here know, by their ids. A file that is missing, or was
 * cut off while it was written, remembers nothing.
 */
export async function readSeen(environment: Environment): Promise<Record<string, string>> {
  try {
    return JSON.parse(await readFile(pathIn(environment), "utf8"))
  } catch {
    return {}
  }
}

function pathIn(environment: Environment): string {
  return join(readConfig(environment).dataFolder, "seen.json")
}
