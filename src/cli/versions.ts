/** parley history, parley rollback, parley restore */
import type { ParleyOutputs } from "../client.ts"
import { columns } from "./columns.ts"
import { command, type Environment, print, tell } from "./command.ts"
import { botIdOf, serviceArgs, withService } from "./withService.ts"

const args = {
  bot: { type: "positional", description: "Id or public id of the bot", required: true },
  number: { type: "positional", description: "Number of the version", required: true },
  ...serviceArgs,
} as const

/** Lists what was live, newest first. */
export const historyCommand = command({
  name: "history",
  description: "List the publications of a bot, newest first",
  args: {
    bot: args.bot,
    limit: { type: "string", description: "Most entries, up to 200", default: "50" },
    ...serviceArgs,
  },
  run: async ({ bot, limit, url, token }, environment) => {
    await withService(environment, { url, token }, async (client) => {
      const botId = await botIdOf(client, bot)
      const request = { botId, limit: numberOf(limit) }
      const { publications, nextCursor } = await client.version.listPublications.query(request)
      if (publications.length === 0) return tell(`${bot} was never published.`)
      for (const line of columns([titles, ...publications.map(rowOf)])) print(line)
      if (nextCursor !== undefined) tell("There is more: see --limit.")
    })
  },
})

const titles = ["WHEN", "WHAT", "VERSION", "BY", "NOTE"]

type Publication = ParleyOutputs["version"]["listPublications"]["publications"][number]

function rowOf({ at, kind, version, author, note }: Publication): string[] {
  const who = author?.name ?? author?.email ?? ""
  return [at, kind, version === undefined ? "" : String(version), who, note ?? ""]
}

/** Makes an earlier version live again. */
export const rollbackCommand = command({
  name: "rollback",
  description: "Make a version live that was live before; running chats and the draft stay",
  args: { ...args, note: { type: "string", description: "Why, for the history" } },
  run: async ({ bot, number, note, url, token }, environment) => {
    await withService(environment, { url, token }, async (client) => {
      const request = { botId: await botIdOf(client, bot), version: numberOf(number), note }
      const { version } = await client.version.rollback.mutate(request)
      tell(`Version ${version} of ${bot} is live again.`)
    })
  },
})

/** Makes an earlier version the draft again. */
export async function restoreVersion(
  { bot, number, ...service }: { bot: string; number: string; url?: string; token?: string },
  environment: Environment,
): Promise<void> {
  const version = numberOf(number)
  await withService(environment, service, async (client) => {
    await client.version.restoreDraft.mutate({ botId: await botIdOf(client, bot), version })
    tell(`The draft of ${bot} is version ${version} again; what it was is kept as a version.`)
  })
}

function numberOf(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new Error(`"${text}" is not a number.`)
}
