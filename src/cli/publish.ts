/** parley publish, parley unpublish */
import type { ParleyClient } from "../client.ts"
import { botArg, option, tell } from "./command.ts"
import { botIdOf, chatPageAddress, type Service, serviceCommand } from "./withService.ts"

/** Puts the draft of a bot live under its public id. */
export const publishCommand = serviceCommand({
  name: "publish",
  description: "Publish the draft of a bot",
  args: {
    bot: botArg,
    note: option("What is new, for the history"),
  },
  run: async ({ bot, note }, service) => {
    const { client } = service
    await publishBot(client, await botIdOf(client, bot), { service, note })
  },
})

/** Takes a bot offline. */
export const unpublishCommand = serviceCommand({
  name: "unpublish",
  description: "Take a bot offline; running chats go on",
  args: { bot: botArg },
  run: async ({ bot }, { client }) => {
    await client.bot.unpublish.mutate({ botId: await botIdOf(client, bot) })
    tell(`Unpublished ${bot}.`)
  },
})

/** Publishes a bot. Warnings and the address of its chat page go to standard error. */
export async function publishBot(
  client: ParleyClient,
  botId: string,
  { service, note }: { service: Pick<Service, "url" | "environment">; note?: string | undefined },
): Promise<void> {
  const { publicId, version, warnings } = await client.bot.publish.mutate({ botId, note })
  for (const { place, message, count, rule } of warnings ?? []) {
    const others = count > 1 ? ` (and ${count - 1} more of ${rule})` : ` (${rule})`
    tell(`Warning: ${place}: ${message}${others}`)
  }
  tell(`Published version ${version} as ${publicId}: \`parley chat ${publicId}\` talks to it.`)
  tell(`Its page is ${chatPageAddress(service, publicId)}`)
}
