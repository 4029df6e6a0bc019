/** parley chat */
import { command, flag, word } from "./command.ts"
import { openTerminal } from "./terminal/openTerminal.ts"
import { talk } from "./terminal/talk.ts"
import { botIdOf, serviceArgs, serviceUrl, withService } from "./withService.ts"

export const chatCommand = command({
  name: "chat",
  description: "Talk to a published bot, or to a draft, in the terminal; Ctrl+D quits",
  args: {
    publicId: word("Public id of the bot; of a draft also its id"),
    draft: flag("Talk to the draft, in a preview that leaves no result"),
    ...serviceArgs,
  },
  run: async ({ publicId, draft, url: named, token }, environment) => {
    if (draft) {
      return await withService(environment, { url: named, token }, async (service) => {
        const { client, url } = service
        const previewed = { url, botId: await botIdOf(client, publicId), token: service.token }
        await talkHere(previewed, environment)
      })
    }
    await talkHere({ url: await serviceUrl(environment, named), publicId }, environment)
  },
})

async function talkHere(
  bot: Parameters<typeof talk>[1],
  environment: Parameters<typeof openTerminal>[0],
): Promise<void> {
  const terminal = openTerminal(environment)
  try {
    await talk(terminal, bot)
  } finally {
    terminal.close()
  }
}
