/** The terminal of this process. */
import { createInterface } from "node:readline"
import { setTimeout as sleep } from "node:timers/promises"
import type { Terminal } from "./talk.ts"

/** Opens standard input and output; `close` gives the keyboard back. */
export function openTerminal(): Terminal & { close(): void } {
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
    pause: (ms) => sleep(ms),
    close: () => reader.close(),
  }
}
