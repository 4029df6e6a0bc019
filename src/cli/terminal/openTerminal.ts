/** The terminal of a chat: standard input and output. */
import { setTimeout as sleep } from "node:timers/promises"
import { type Environment, print } from "../command.ts"
import { hasStyles, openKeyboard } from "../output.ts"
import type { Terminal } from "./talk.ts"

/** Opens standard input and output; `close` gives the keyboard back. */
export function openTerminal(environment: Environment): Terminal & { close(): void } {
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
