/** parley chat */
import { command, word } from "./command.ts"
import { openTerminal } from "./terminal/openTerminal.ts"
import { talk } from "./terminal/talk.ts"
import { serviceArgs, serviceUrl } from "./withService.ts"

/** Talks to a published bot. */
export const chatCommand = command({
  name: "chat",
  description: "Talk to a published bot in the terminal; Ctrl+D quits",
  args: {
    publicId: word("Public id of the bot"),
    url: serviceArgs.url,
  },
  run: async ({ publicId, url }, environment) => {
    const bot = { url: await serviceUrl(environment, url), publicId }
    const terminal = openTerminal(environment)
    try {
      await talk(terminal, bot)
    } finally {
      terminal.close()
    }
  },
})
