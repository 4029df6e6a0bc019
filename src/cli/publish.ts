/** parley publish, parley unpublish */
import type { ParleyClient } from "../client.ts"
import { botArg, flag, option, tell } from "./command.ts"
import { botIdOf, chatPageAddress, type Service, serviceCommand } from "./withService.ts"

export const forceArg = flag("Publish it though it has errors")

export const publishCommand = serviceCommand({
  name: "publish",
  description: "Publish the draft of a bot",
  args: {
    bot: botArg,
    note: option("What is new, for the history"),
    force: forceArg,
  },
  run: async ({ bot, note, force }, service) => {
    const { client } = service
    await publishBot(client, await botIdOf(client, bot), { service, note, force })
  },
})

export const unpublishCommand = serviceCommand({
  name: "unpublish",
  description: "Take a bot offline; running chats go on",
  args: { bot: botArg },
  run: async ({ bot }, { client }) => {
    await client.bot.unpublish.mutate({ botId: await botIdOf(client, bot) })
    tell(`Unpublished ${bot}.`)
  },
})

type Publishing = {
  service: Pick<Service, "url" | "environment">
  note?: string | undefined
  /** Whether errors keep it from nothing. */
  force: boolean
}

/**
 * Publishes a bot, unless the linter finds errors in it. Warnings and the address of its chat page go to
 * standard error.
 */
export async function publishBot(
  client: ParleyClient,
  botId: string,
  { service, note, force }: Publishing,
): Promise<void> {
  if (!force) await refuseErrors(client, botId)
  const { publicId, version, warnings } = await client.bot.publish.mutate({ botId, note })
  for (const { place, message, count, rule } of warnings ?? []) {
    const others = count > 1 ? ` (and ${count - 1} more of ${rule})` : ` (${rule})`
    tell(`Warning: ${place}: ${message}${others}`)
  }
  tell(`Published version ${version} as ${publicId}: \`parley chat ${publicId}\` talks to it.`)
  tell(`Its page is ${chatPageAddress(service, publicId)}`)
}

async function refuseErrors(client: ParleyClient, botId: string): Promise<void> {
  // A token may have no other right than publishing, which reports missing rights itself.
  const report = await client.bot.lint.mutate({ botId }).catch(() => undefined)
  const errors = report?.findings.filter(({ severity }) => severity === "error") ?? []
  if (errors.length === 0) return
  const lines = errors.slice(0, maxShown).map(({ place, message }) => `\n- ${place}: ${message}`)
  const more = errors.length > maxShown ? `\n- and ${errors.length - maxShown} more` : ""
  throw new Error(
    `Not published, because parts of the bot cannot work (--force publishes it):${lines.join("")}${more}`,
  )
}

const maxShown = 20
