/** parley chat */
import { setTimeout as sleep } from "node:timers/promises"
import { command, type Environment, print } from "./command.ts"
import { hasStyles, openKeyboard } from "./output.ts"
import { type Terminal, talk } from "./terminal/talk.ts"
import { serviceArgs, serviceUrl } from "./withService.ts"

/** Talks to a published bot. */
export const chatCommand = command({
  name: "chat",
  description: "Talk to a published bot in the terminal; Ctrl+D quits",
  args: {
    publicId: { type: "positional", description: "Public id of the bot", required: true },
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

/** Opens standard input and output; `close` gives the keyboard back. */
function openTerminal(environment: Environment): Terminal & { close(): void } {
  const { reader, isTyped } = openKeyboard()
  // Opened at once, because lines may arrive before they are asked for.
  const lines = reader[Symbol.asyncIterator]()
  return {
    async ask() {
      reader.prompt()
      const { value, done } = await lines.next()
      if (done) return undefined
      // Nothing else shows what comes from a pipe.
      if (!isTyped) print(value)
      return value
    },
    show: print,
    hasStyles: hasStyles(environment),
    pause: (ms) => sleep(ms),
    close: () => reader.close(),
  }
}
