/** parley chat */
import { setTimeout as sleep } from "node:timers/promises"
import { command, type Environment, print } from "./command.ts"
import { hasStyles, openKeyboard } from "./output.ts"
import { type Terminal, talk } from "./terminal/talk.ts"
import { serviceArgs, serviceUrl } from "./withService.ts"

/** Talks to a published bot. */
export const chatCommand = command({
  name: "chat",
  description: "Talk to a published bot in the terminal; Ctrl+D leaves",
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
  // Opened at once: lines that come before they are asked for wait in it.
  const lines = reader[Symbol.asyncIterator]()
  return {
    async ask() {
      reader.prompt()
      const { value, done } = await lines.next()
      if (done) return undefined
      // What comes from a pipe is not seen otherwise.
      if (!isTyped) print(value)
      return value
    },
    show: print,
    hasStyles: hasStyles(environment),
    pause: (ms) => sleep(ms),
    close: () => reader.close(),
  }
}
