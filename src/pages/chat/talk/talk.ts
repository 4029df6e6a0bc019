/** The state of one conversation while the page is open. */
import type { Language } from "../../../lib/languages.ts"
import type { Code } from "../code/codeMessages.ts"
import type { ChatStep } from "../payload.ts"
import type { Texts } from "../texts/texts.ts"
import { anySignal } from "./anySignal.ts"
import type { Connection } from "./connection.ts"
import type { ChatListener } from "./events.ts"
import type { Draft, Memory, Open } from "./memory.ts"
import type { Tabs } from "./tabs.ts"
import type { OfTeam, Store } from "./view.ts"

/** Access of actions to the page around the chat. */
export type Page = {
  /** Whether the author's code runs in the page itself, with all its rights. */
  isTrusted: boolean
  /** Runs the author's code and returns its result. */
  runCode(code: Code): Promise<unknown>
}

/** An event of the bot: a webhook call as the text to send, a step to play, or the end of the chat. */
type OfBot = { call: string | undefined } | { step: ChatStep } | "end"

/** An event: of the bot, or what the team does. */
export type Heard = OfBot | { ofTeam: OfTeam }

export type Talk = {
  bot: string
  page: Page
  emit: ChatListener
  prefilled(): Record<string, unknown>
  /** BCP 47 tags by preference; used when the bot has no language. */
  languages: readonly string[]
  /** Called when the texts are in the language of the chat. */
  onTexts(texts: Texts): void
  store: Store
  connection: Connection
  memory: Memory
  closing: AbortController
  /** Aborted by a command, which interrupts every wait of the chat. */
  interruption: AbortController
  tabs: Tabs
  lastKey: number
  /** The language of the chat; absent: none that there are texts in. */
  language?: Language | undefined
  /** The prefilled variables of this conversation, as JSON. */
  startedWith?: string
  /** Absent until the conversation has begun. */
  sessionId?: string | undefined
  resultId?: string | undefined
  /** The remembered state of the open conversation. */
  kept?: Open
  /** The draft for the current input, or for the answer being sent. */
  draft?: Draft | undefined
  /** Settles when everything that was started is done. */
  turn?: Promise<void>
  /** Whether a payment on another page succeeded, until its input has read it. */
  isPaid?: boolean | undefined
  /** How many tasks are running or waiting. */
  busy: number
  /** Ends the connection on which the chat is heard. */
  hearing?: AbortController | undefined
  /** Hides the typing sign of the team. */
  teamTyping?: ReturnType<typeof setTimeout> | undefined
  /** When the page last reported that the person types. */
  typedAt?: number
  /** Settles when all messages to the team were sent that do not wait for the bot. */
  toTeam?: Promise<void>
  /** Id of the last event that was heard; absent: none. */
  heardId?: string | undefined
  /** Takes events while the chat waits for a webhook call. */
  onCall?: ((heard: OfBot) => void) | undefined
  /** Lets a chat listen that waits until others of the page have listened. */
  listenNow?: () => void
  /** Called when a step was heard that will be shown. */
  onStep?: (() => void) | undefined
  /** A webhook call that came before the page waited for it. */
  called?: OfBot | undefined
  /** The state sent by another tab in the meantime. */
  heard?: Open | undefined
}

/** Max characters of a message that the service takes. */
export const maxTextLength = 100_000

/** The path of a call about the session. */
export function sessionPath({ sessionId = "" }: Talk, name: string): string {
  return `/api/v1/sessions/${encodeURIComponent(sessionId)}/${name}`
}

/** A signal for long work: it aborts when the chat is closed or a command comes. */
export function interruptible({ closing, interruption }: Talk): AbortSignal {
  return anySignal(closing.signal, interruption.signal)
}

/** Remembers the current state of the conversation. */
export function keep(talk: Talk, part: Partial<Open>): void {
  if (!talk.kept) return
  talk.kept = { ...talk.kept, entries: talk.store.read().entries, heardId: talk.heardId, ...part }
  talk.memory.write({ resultId: talk.resultId, open: talk.kept }, talk.kept.bot.settings)
  talk.tabs.send(talk.kept)
}

/** Remembers the draft, so that a refusal or a reload does not lose it. */
export function keepDraft(talk: Talk, blockId: string, values: Draft["values"]): void {
  const known = talk.draft?.blockId === blockId ? talk.draft.values : {}
  talk.draft = { blockId, values: { ...known, ...values } }
  if (talk.kept) talk.memory.writeDraft(talk.draft, talk.kept.bot.settings)
}

/** Clears the draft: it was received, or another conversation begins. */
export function deleteDraft(talk: Talk): void {
  talk.draft = undefined
  if (talk.kept) talk.memory.writeDraft(undefined, talk.kept.bot.settings)
}

/** Forgets the conversation except for its result. */
export function forget(talk: Talk): void {
  talk.hearing?.abort()
  deleteDraft(talk)
  if (talk.kept) talk.memory.write({ resultId: talk.resultId }, talk.kept.bot.settings)
}

/** Shows that the conversation is over, and offers another one. */
export function expire(talk: Talk): void {
  forget(talk)
  const ending = { text: "expired", canRestart: true } as const
  talk.store.change({ input: undefined, isTyping: false, ending })
}
