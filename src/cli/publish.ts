/** parley publish, parley unpublish */
import type { ParleyClient } from "../client.ts"
import { command, tell } from "./command.ts"
import { botIdOf, chatPageAddress, serviceArgs, withService } from "./withService.ts"

const args = {
  bot: { type: "positional", description: "Id or public id of the bot", required: true },
  ...serviceArgs,
} as const

/** Makes the draft of a bot what its public id runs. */
export const publishCommand = command({
  name: "publish",
  description: "Publish the draft of a bot",
  args: { ...args, note: { type: "string", description: "What is new, for the history" } },
  run: async ({ bot, note, url, token }, environment) => {
    await withService(environment, { url, token }, async (client, service) => {
      await publishBot(client, await botIdOf(client, bot), { service, note })
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

/** Publishes a bot; its page at the service and warnings go to standard error. */
export async function publishBot(
  client: ParleyClient,
  botId: string,
  { service, note }: { service: string; note?: string | undefined },
): Promise<void> {
  const { publicId, version, warnings } = await client.bot.publish.mutate({ botId, note })
  for (const { place, message, count, rule } of warnings ?? []) {
    const others = count > 1 ? ` (and ${count - 1} more of ${rule})` : ` (${rule})`
    tell(`Warning: ${place}: ${message}${others}`)
  }
  tell(`Published version ${version} as ${publicId}: \`parley chat ${publicId}\` talks to it.`)
  tell(`Its page is ${chatPageAddress(service, publicId)}`)
}
