/** parley chat */
import { createInterface } from "node:readline"
import { setTimeout as sleep } from "node:timers/promises"
import { command, type Environment } from "./command.ts"
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
function openTerminal({ NO_COLOR }: Environment): Terminal & { close(): void } {
  const { stdin, stdout } = process
  const isTyped = stdin.isTTY === true
  const reader = createInterface({ input: stdin, output: stdout, terminal: isTyped, prompt: "> " })
  // Opened at once: lines that come before they are asked for wait in it.
  const lines = reader[Symbol.asyncIterator]()
  return {
    async ask() {
      reader.prompt()
      const { value, done } = await lines.next()
      if (done) return undefined
      // What comes from a pipe is not seen otherwise.
      if (!isTyped) stdout.write(`${value}\n`)
      return value
    },
    show: (line) => {
      stdout.write(`${line}\n`)
    },
    hasStyles: stdout.isTTY === true && !NO_COLOR,
    pause: (ms) => sleep(ms),
    close: () => reader.close(),
  }
}
