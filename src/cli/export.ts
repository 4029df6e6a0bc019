/** parley export */
import { writeFile } from "node:fs/promises"
import type { ParleyOutputs } from "../client.ts"
import { command, print, tell } from "./command.ts"
import { writeSeen } from "./seen.ts"
import { botIdOf, serviceArgs, withService } from "./withService.ts"

/** Writes a bot as a file that can be imported again. */
export const exportCommand = command({
  name: "export",
  description: "Write a bot as JSON, the same every time while the bot is the same",
  args: {
    bot: { type: "positional", description: "Id or public id of the bot", required: true },
    output: { type: "string", alias: "o", description: "File to write (standard output)" },
    ...serviceArgs,
  },
  run: async ({ bot: named, output, url, token }, environment) => {
    await withService(environment, { url, token }, async (client) => {
      const { bot } = await client.bot.get.query({ botId: await botIdOf(client, named) })
      await writeSeen(environment, bot.id, bot.updatedAt)
      const text = JSON.stringify(fileOf(bot), null, 2)
      if (!output) return print(text)
      await writeFile(output, `${text}\n`)
      tell(`Wrote "${bot.name}" to ${output}.`)
    })
  },
})

/** What an import can bring back; what belongs to the service and the workspace stays there. */
function fileOf(bot: ParleyOutputs["bot"]["get"]["bot"]) {
  const { version, id, name, icon, events, groups, edges, variables, theme, settings } = bot
  const { selectedThemeTemplateId, resultsTablePreferences } = bot
  const flow = { version, id, name, icon, events, groups, edges, variables, theme, settings }
  return { ...flow, selectedThemeTemplateId, resultsTablePreferences }
}
