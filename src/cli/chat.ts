/** parley chat */
import { readConfig } from "../app/config.ts"
import { command } from "./command.ts"
import { openTerminal } from "./terminal/open.ts"
import { talk } from "./terminal/talk.ts"

/** Talks to a published bot. */
export const chatCommand = command({
  name: "chat",
  description: "Talk to a published bot in the terminal; Ctrl+D leaves",
  args: {
    publicId: { type: "positional", description: "Public id of the bot", required: true },
    url: { type: "string", description: "Address of the service (PARLEY_PUBLIC_URL)" },
  },
  run: async ({ publicId, url }, environment) => {
    const address = url ?? readConfig(environment).publicUrl
    if (!/^https?:\/\//.test(address) || !URL.canParse(address)) {
      throw new Error(`"${address}" is not an address such as http://localhost:3000.`)
    }
    const terminal = openTerminal()
    try {
      await talk(terminal, { url: address, publicId })
    } finally {
      terminal.close()
    }
  },
})
