/** parley push */
import type { ParleyInputs } from "../client.ts"
import { pickText } from "../lib/foreignJson.ts"
import { draftIn, readBotFile } from "./botFile.ts"
import { fileArg, flag, option, tell } from "./command.ts"
import { readSeen, writeSeen } from "./lastSeen.ts"
import { publishBot } from "./publish.ts"
import { botIdOf, placedIn, serviceCommand } from "./withService.ts"

export const pushCommand = serviceCommand({
  name: "push",
  description: "Replace the draft of a bot with a file, unless it has changed since you read it",
  args: {
    file: fileArg,
    bot: { ...option("Id or public id of the bot"), required: true },
    publish: flag("Publish it as well"),
    force: flag("Overwrite the changes of others, and publish it though it has errors"),
  },
  run: async ({ file, bot: named, publish, force }, { client, url, environment }) => {
    const read = await readBotFile(file)
    const { raw } = read
    const draft = draftIn(read)
    const botId = await botIdOf(client, named)
    // A file that is an answer of the API says when the bot was last changed.
    const updatedAt = pickText(raw, "updatedAt") ?? (await readSeen(environment))[botId]
    if (updatedAt === undefined && !force) {
      throw new Error(
        `The file does not say which revision of ${named} it was made from: read the bot with ` +
          "`parley export` first, or replace it with --force.",
      )
    }
    const changes = { ...(draft as Changes), updatedAt }
    const request = client.bot.update.mutate({ botId, bot: changes, overwrite: force })
    const { bot } = await placedIn(read.text, url, request)
    await writeSeen(environment, botId, bot.updatedAt)
    tell(`Pushed "${bot.name}".`)
    if (publish) await publishBot(client, botId, { service: { url, environment }, force })
  },
})

// The service checks what is in the file.
type Changes = ParleyInputs["bot"]["update"]["bot"]
