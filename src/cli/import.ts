/** parley import */
import type { ParleyClient, ParleyInputs } from "../client.ts"
import { readBotFile } from "./botFile.ts"
import { command, print, tell } from "./command.ts"
import { publishBot } from "./publish.ts"
import { writeSeen } from "./seen.ts"
import { serviceArgs, withService, workspaceIdOf } from "./withService.ts"

/** Brings a bot from a file into a service. */
export const importCommand = command({
  name: "import",
  description: "Import a bot; standard output gets nothing but its id",
  args: {
    file: {
      type: "positional",
      description: "File with the bot; - is standard input",
      required: true,
    },
    publish: { type: "boolean", description: "Publish it, too", default: false },
    "public-id": { type: "string", description: "Address of the bot in chats" },
    workspace: { type: "string", description: "Id or name of the workspace (the only one)" },
    ...serviceArgs,
  },
  run: async ({ file, publish, "public-id": publicId, workspace, url, token }, environment) => {
    const { raw } = await readBotFile(file)
    await withService(environment, { url, token }, async (client, service) => {
      await checkPublicId(client, publicId)
      const workspaceId = await workspaceIdOf(client, workspace)
      const made = await client.bot.import.mutate({ workspaceId, bot: raw as ImportedBot })
      const { bot, warnings = [] } = made
      tell(`Imported "${bot.name}" as ${bot.id}.`)
      for (const { place, message } of warnings) tell(`${place}: ${message}. It was cut.`)
      if (publicId) await client.bot.update.mutate({ botId: bot.id, bot: { publicId } })
      if (publish) await publishBot(client, bot.id, { service })
      const { bot: stored } = await client.bot.get.query({ botId: bot.id })
      await writeSeen(environment, bot.id, stored.updatedAt)
      print(bot.id)
    })
  },
})

// The service judges what is in the file.
type ImportedBot = ParleyInputs["bot"]["import"]["bot"]

/** Asked first, because the bot is there once it is imported. */
async function checkPublicId(client: ParleyClient, publicId: string | undefined): Promise<void> {
  if (!publicId) return
  const { isAvailable } = await client.bot.publicIdAvailability.query({ publicId })
  if (!isAvailable) throw new Error(`The public id ${publicId} cannot be used or is taken.`)
}
