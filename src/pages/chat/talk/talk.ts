/** What one conversation holds while it lasts. */
import type { Code } from "../code/messages.ts"
import type { ChatInput } from "../payload.ts"
import type { Connection } from "./connection.ts"
import type { ChatListener } from "./events.ts"
import type { Kept, Memory } from "./memory.ts"
import type { Tabs } from "./tabs.ts"
import type { Store } from "./view.ts"

/** What actions may do to the page around the chat. */
export type Page = {
  /** Whether code of the bot's author runs in the page itself, with all that the page may do. */
  isTrusted: boolean
  /** Runs code of the bot's author and returns what it gives back. */
  runCode(code: Code): Promise<unknown>
}

/** What is remembered of an open conversation. */
export type Open = NonNullable<Kept["open"]>

export type Talk = {
  bot: string
  page: Page
  emit: ChatListener
  prefilled(): Record<string, unknown>
  store: Store
  connection: Connection
  memory: Memory
  closing: AbortController
  /** Aborted by a command, which does not wait until what the chat waits for has come. */
  interruption: AbortController
  tabs: Tabs
  lastKey: number
  sessionId?: string
  resultId?: string | undefined
  /** What is remembered of the open conversation. */
  kept?: Open
  /** What was asked when the answer that is under way was given. */
  asked?: ChatInput | undefined
  /** Settles when everything that was begun is done. */
  turn?: Promise<void>
  /** What came of a payment elsewhere, until its question has taken note of it. */
  isPaid?: boolean | undefined
  /** How many things are being done or wait to be. */
  busy: number
  /** What another tab told meanwhile. */
  heard?: Open | undefined
}

/** Ends what may take long: when the chat is closed, or at a command. */
export function interruptible({ closing, interruption }: Talk): AbortSignal {
  return AbortSignal.any([closing.signal, interruption.signal])
}

/** Remembers how far the conversation has come. */
export function keep(talk: Talk, part: Partial<Open>): void {
  if (!talk.kept) return
  talk.kept = { ...talk.kept, entries: talk.store.read().entries, ...part }
  talk.memory.write({ resultId: talk.resultId, open: talk.kept }, talk.kept.bot.settings)
  talk.tabs.tell(talk.kept)
}

/** Remembers the conversation whatever its settings say, until `release`: the person may pay elsewhere. */
export function hold({ memory, resultId, kept }: Talk, secret: string): void {
  memory.hold({ resultId, open: kept }, secret)
}

/** Forgets the conversation, and remembers only its result. */
export function forget(talk: Talk): void {
  if (talk.kept) talk.memory.write({ resultId: talk.resultId }, talk.kept.bot.settings)
}
