/** The bots that a bot in a file links to, for commands that play it. */
import type { Flow } from "../engine/bot.ts"
import { readStoredBot } from "./botFile.ts"
import { option } from "./command.ts"

export const linkedArg = option("Bots that it links to: id=file,id=file")

/** The files of linked bots, by the ids in blocks. */
export function linkedFiles(linked: string | undefined): Record<string, string> {
  return pairsIn(linked?.split(",") ?? [])
}

/** Reads linked bots. Throws sentences that say what is wrong if one is none. */
export async function readLinked(files: Record<string, string>): Promise<Record<string, Flow>> {
  const linked: Record<string, Flow> = {}
  for (const [id, path] of Object.entries(files)) linked[id] = (await readStoredBot(path)).flow
  return linked
}

/** `Name=Ann` as a member. */
export function pairsIn(words: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    words.map((word) => {
      const at = word.indexOf("=")
      if (at > 0) return [word.slice(0, at), word.slice(at + 1)]
      throw new Error(`"${word}" is no pair such as Name=Ann: see \`parley --help\`.`)
    }),
  )
}
