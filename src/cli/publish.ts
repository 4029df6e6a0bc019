/** parley publish, parley unpublish */
import { botIdOf } from "./chosenBot.ts"
import { command, tell } from "./command.ts"
import { publishBot } from "./publishBot.ts"
import { serviceArgs, withService } from "./service.ts"

const args = {
  bot: { type: "positional", description: "Id or public id of the bot", required: true },
  ...serviceArgs,
} as const

/** Makes the draft of a bot what its public id runs. */
export const publishCommand = command({
  name: "publish",
  description: "Publish the draft of a bot",
  args,
  run: async ({ bot, url, token }, environment) => {
    await withService(environment, { url, token }, async (client) => {
      await publishBot(client, await botIdOf(client, bot))
    })
  },
})

/** Takes a bot off the air. */
export const unpublishCommand = command({
  name: "unpublish",
  description: "Take a bot off the air; running chats go on",
  args,
  run: async ({ bot, url, token }, environment) => {
    await withService(environment, { url, token }, async (client) => {
      await client.bot.unpublish.mutate({ botId: await botIdOf(client, bot) })
      tell(`Unpublished ${bot}.`)
    })
  },
})
