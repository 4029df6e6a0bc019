/** parley import */
import type { ParleyClient, ParleyInputs } from "../client.ts"
import { readBotFile } from "./botFile.ts"
import { fileArg, flag, option, print, tell } from "./command.ts"
import { writeSeen } from "./lastSeen.ts"
import { forceArg, publishBot } from "./publish.ts"
import { placedIn, serviceCommand, workspaceIdOf } from "./withService.ts"

export const importCommand = serviceCommand({
  name: "import",
  description: "Import a bot, and print its id on standard output",
  args: {
    file: fileArg,
    publish: flag("Publish it as well"),
    force: forceArg,
    "public-id": option("Public id of the bot"),
    workspace: option("Id or name of the workspace (the only one)"),
  },
  run: async (
    { file, publish, force, "public-id": publicId, workspace },
    { client, url, environment },
  ) => {
    const { raw, text } = await readBotFile(file)
    await checkPublicId(client, publicId)
    const workspaceId = await workspaceIdOf(client, workspace)
    const request = client.bot.import.mutate({ workspaceId, bot: raw as ImportedBot })
    const made = await placedIn(text, url, request)
    const { bot, warnings = [] } = made
    tell(`Imported "${bot.name}" as ${bot.id}.`)
    for (const { place, message, rule } of warnings)
      tell(`${place}: ${message}. ${rule === "long-text" ? "It was cut" : "It was left out"}.`)
    if (publicId) await client.bot.update.mutate({ botId: bot.id, bot: { publicId } })
    const refusal = publish
      ? await publishBot(client, bot.id, { service: { url, environment }, force }).catch(
          (error: Error) => error,
        )
      : undefined
    const { bot: stored } = await client.bot.get.query({ botId: bot.id })
    await writeSeen(environment, bot.id, stored.updatedAt)
    print(bot.id)
    if (!refusal) return
    tell("The bot is imported, but not published:")
    throw refusal
  },
})

// The service checks what is in the file.
type ImportedBot = ParleyInputs["bot"]["import"]["bot"]

/** Checks the public id before the import, which would otherwise leave a bot without it. */
async function checkPublicId(client: ParleyClient, publicId: string | undefined): Promise<void> {
  if (!publicId) return
  const { isAvailable } = await client.bot.publicIdAvailability.query({ publicId })
  if (!isAvailable) throw new Error(`The public id ${publicId} is taken or cannot be used.`)
}
