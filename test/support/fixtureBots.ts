/** Bot files of every version, and what they are converted to. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import {
  flowOfImport,
  importedBotSchema,
  sentFlow,
} from "../../src/authoring/upgrade/importedBot.ts"
import type { Flow } from "../../src/engine/bot.ts"

const folder = join(import.meta.dirname, "../fixtures/bots")

/** Names of the files without their ending; each begins with the version. */
export const fixtureNames: readonly string[] = readdirSync(folder)
  .filter((name) => name.endsWith(".json"))
  .map((name) => name.slice(0, -".json".length))
  .toSorted()

/** A file, parsed anew every time. */
export function fixtureBot(name: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8"))
}

/** Path of the file that holds what a fixture is converted to. */
export function convertedFile(name: string): string {
  return join(folder, "converted", `${name}.json`)
}

/** Ids that count up, the same every time. */
export function countedIds(): () => string {
  let count = 0
  return () => `new${++count}`
}

/** The flow of a file in its own version, and as an import stores it. */
export function readFixture(name: string): { sent: Flow; latest: Flow } {
  const bot = importedBotSchema.parse(fixtureBot(name))
  return { sent: sentFlow(bot), latest: flowOfImport(bot, countedIds()) }
}
