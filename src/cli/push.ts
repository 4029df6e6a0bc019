/** parley push */
import type { ParleyInputs } from "../client.ts"
import { readBotFile } from "./botFile.ts"
import { command, tell } from "./command.ts"
import { publishBot } from "./publish.ts"
import { readSeen, writeSeen } from "./seen.ts"
import { botIdOf, serviceArgs, withService } from "./withService.ts"

/** Replaces the draft of a bot by that of a file, unless somebody has changed it since. */
export const pushCommand = command({
  name: "push",
  description: "Replace the draft of a bot by a file, unless somebody changed it since you read it",
  args: {
    file: {
      type: "positional",
      description: "File with the bot; - is standard input",
      required: true,
    },
    bot: { type: "string", description: "Id or public id of the bot", required: true },
    publish: { type: "boolean", description: "Publish it, too", default: false },
    force: { type: "boolean", description: "Also over changes of others", default: false },
    ...serviceArgs,
  },
  run: async ({ file, bot: named, publish, force, url, token }, environment) => {
    const { raw } = await readBotFile(file)
    await withService(environment, { url, token }, async (client, service) => {
      const botId = await botIdOf(client, named)
      const updatedAt = timeIn(raw) ?? (await readSeen(environment, botId))
      if (updatedAt === undefined && !force) {
        throw new Error(
          `It is not known which state of ${named} this file was made from: read it by ` +
            "`parley export`, or replace it by --force.",
        )
      }
      const changes = { ...(raw as Changes), updatedAt }
      const { bot } = await client.bot.update.mutate({ botId, bot: changes, overwrite: force })
      await writeSeen(environment, botId, bot.updatedAt)
      tell(`Pushed "${bot.name}".`)
      if (publish) await publishBot(client, botId, { service })
    })
  },
})

// The service judges what is in the file.
type Changes = ParleyInputs["bot"]["update"]["bot"]

/** When the bot was changed last, in files that the API has written. */
function timeIn(raw: unknown): string | undefined {
  const isObject = typeof raw === "object" && raw !== null && "updatedAt" in raw
  return isObject && typeof raw.updatedAt === "string" ? raw.updatedAt : undefined
}
