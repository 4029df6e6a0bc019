/** The view of a chat, and the store that notifies its readers of changes. */
import type { ChatInput, ChatMessage, DynamicTheme, RuntimeBot, Theme } from "../payload.ts"
import type { TextName, Texts } from "../texts/texts.ts"

/** An entry of the conversation; keys only grow. */
export type Entry = MessageEntry | AnswerEntry

export type MessageEntry = {
  kind: "message"
  key: number
  message: ChatMessage
  /** Of a reply of the team; later ones are greater. Absent: the bot says it. */
  id?: string | undefined
  /** Its author and files. */
  of?: { author?: string | undefined; urls?: readonly string[] | undefined } | undefined
}

/** A reply of the team, as the stream of the chat has it. */
type TeamReply = {
  id: string
  text: string
  richText?: Extract<MessageEntry["message"]["content"], { richText: unknown }>["richText"]
  attachedFileUrls?: readonly string[]
  author?: string
}

/** What people of the team do in a chat. */
export type OfTeam = { reply: TeamReply } | { isPaused: boolean } | { isTyping: true }

/** An answer, upload or choice of the person. */
export type AnswerEntry = {
  kind: "answer"
  key: number
  text: string
  urls: readonly string[]
  /** Names of the files at these addresses, as the person knows them; none for a voice clip. */
  names?: readonly string[] | undefined
  /** Address of the chosen picture. */
  picture?: string | undefined
  /** Whether the conversation keeps showing this, instead of the stored form. */
  staysAsGiven?: boolean | undefined
  isSent: boolean
  /** Of a message to the team; absent: it is an answer to the bot, or not sent. */
  id?: string | undefined
  /** The key under which it is sent to the team; absent: it is an answer to the bot. */
  teamKey?: string | undefined
}

/** Why there is no chat, or no longer, perhaps in words of the bot, and whether a new one can be started. */
export type Ending = { text: TextName; ownWords?: string; canRestart: boolean }

export type View = {
  /** The built-in texts: in English until those in another language are here. */
  texts: Texts
  /** The theme and settings; absent before the first answer. */
  bot?: RuntimeBot
  dynamicTheme?: DynamicTheme | undefined
  /** Theme of the page around the chat, over that of the bot. */
  theme?: Theme | undefined
  progress?: number | undefined
  entries: readonly Entry[]
  isTyping: boolean
  /** A person of the team is typing. */
  isTeamTyping: boolean
  /** A person of the team has taken over. */
  isPaused: boolean
  /** The current input; absent while an answer is being sent or messages are yet to be shown. */
  input?: ChatInput | undefined
  /** True while a call must be repeated because the service cannot be reached. */
  isCutOff: boolean
  /** A page that the browser refused to open automatically. */
  blockedUrl?: string | undefined
  ending?: Ending | undefined
  /** True: the flow has come to its end. */
  isOver: boolean
  /** Why the last answer was not accepted. */
  notice?: TextName | undefined
}

export type Store = {
  read(): View
  change(part: Partial<View>): void
  subscribe(listener: () => void): () => void
}

/** The initial view, with its texts and the theme of the page; nothing of a former chat stays. */
export const emptyView: Omit<View, "texts" | "bot" | "theme"> = {
  dynamicTheme: undefined,
  progress: undefined,
  entries: [],
  isTyping: false,
  isTeamTyping: false,
  isPaused: false,
  input: undefined,
  isCutOff: false,
  blockedUrl: undefined,
  ending: undefined,
  isOver: false,
  notice: undefined,
}

export function createStore(first: View): Store {
  let view = first
  const listeners = new Set<() => void>()
  return {
    read: () => view,
    change: (part) => {
      view = { ...view, ...part }
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
