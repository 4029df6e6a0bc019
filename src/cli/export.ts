/** parley export */
import type { ParleyOutputs } from "../client.ts"
import { botArg, option, print, tell } from "./command.ts"
import { writeSeen } from "./lastSeen.ts"
import { botIdOf, serviceCommand } from "./withService.ts"
import { replaceFile } from "./writeWhole.ts"

export const exportCommand = serviceCommand({
  name: "export",
  description: "Write a bot as JSON; an unchanged bot gives the same text every time",
  args: {
    bot: botArg,
    output: { ...option("File to write (standard output)"), alias: "o" },
  },
  run: async ({ bot: named, output }, { client, environment }) => {
    const { bot } = await client.bot.get.query({ botId: await botIdOf(client, named) })
    const text = JSON.stringify(fileOf(bot), null, 2)
    if (output) await replaceFile(output, `${text}\n`)
    else print(text)
    // A new draft: `parley push` of an older file would undo changes of others.
    await writeSeen(environment, bot.id, bot.updatedAt)
    if (output) tell(`Wrote "${bot.name}" to ${output}.`)
  },
})

/** The members that an import takes, without those that belong to the service or the workspace. */
function fileOf(bot: ParleyOutputs["bot"]["get"]["bot"]) {
  const { version, id, name, icon, events, groups, edges, variables, theme, settings } = bot
  const { selectedThemeTemplateId, resultsTablePreferences } = bot
  const flow = { version, id, name, icon, events, groups, edges, variables, theme, settings }
  return { ...flow, selectedThemeTemplateId, resultsTablePreferences }
}
