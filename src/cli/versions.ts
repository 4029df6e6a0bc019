/** parley history, parley rollback, and what parley restore does with a version */
import type { ParleyOutputs } from "../client.ts"
import { botArg, countIn, type Environment, option, tell, word } from "./command.ts"
import { printTable } from "./printTable.ts"
import { botIdOf, readList, serviceCommand, withService } from "./withService.ts"

export const historyCommand = serviceCommand({
  name: "history",
  description: "List the publications of a bot, newest first",
  args: {
    bot: botArg,
    limit: { ...option("Most entries to show"), default: "50" },
  },
  run: async ({ bot, limit }, { client }) => {
    const most = countIn("--limit", limit)
    const botId = await botIdOf(client, bot)
    const { items, hasMore } = await readList(most, async (size, cursor) => {
      const request = { botId, limit: size, cursor }
      const { publications, ...page } = await client.version.listPublications.query(request)
      return { items: publications, ...page }
    })
    if (items.length === 0) return tell(`${bot} was never published.`)
    printTable([titles, ...items.map(rowOf)])
    if (hasMore) tell("There are more: raise --limit.")
  },
})

const titles = ["WHEN", "WHAT", "VERSION", "BY", "NOTE"]

type Publication = ParleyOutputs["version"]["listPublications"]["publications"][number]

function rowOf({ at, kind, version, author, note }: Publication): string[] {
  const who = author?.name ?? author?.email ?? ""
  return [at, kind, version === undefined ? "" : String(version), who, note ?? ""]
}

export const rollbackCommand = serviceCommand({
  name: "rollback",
  description: "Put a version live that was live before; running chats and the draft are kept",
  args: {
    bot: botArg,
    number: word("Number of the version"),
    note: option("Why, for the history"),
  },
  run: async ({ bot, number, note }, { client }) => {
    const request = {
      botId: await botIdOf(client, bot),
      version: countIn("The version", number),
      note,
    }
    const { version } = await client.version.rollback.mutate(request)
    tell(`Version ${version} of ${bot} is live again.`)
  },
})

/** Makes an earlier version the draft again. */
export async function restoreVersion(
  { bot, number, ...options }: { bot: string; number: string; url?: string; token?: string },
  environment: Environment,
): Promise<void> {
  const version = countIn("The version", number)
  await withService(environment, options, async ({ client }) => {
    await client.version.restoreDraft.mutate({ botId: await botIdOf(client, bot), version })
    tell(`The draft of ${bot} is version ${version} again; the former draft is among its versions.`)
  })
}
