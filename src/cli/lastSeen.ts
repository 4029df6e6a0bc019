/** Remembers in the data folder which state of each bot the commands saw last. */
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { readConfig } from "../app/config.ts"
import { type Environment, tell } from "./command.ts"

/**
 * Remembers the state of a bot that was just read or written. A folder that cannot be written to is no reason
 * to fail: the bot has been read or written already.
 */
export async function writeSeen(
  environment: Environment,
  botId: string,
  updatedAt: string,
): Promise<void> {
  try {
    const all = { ...(await readSeen(environment)), [botId]: updatedAt }
    await mkdir(readConfig(environment).dataFolder, { recursive: true })
    await writeFile(pathIn(environment), `${JSON.stringify(all, null, 2)}\n`)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    tell(
      `\`parley push\` will need --force, because nothing remembers this state of the bot: ${why}.`,
    )
  }
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
