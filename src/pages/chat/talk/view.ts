/** What a chat shows at a moment, and the store that notifies its readers of changes. */
import type { ChatInput, ChatMessage, DynamicTheme, RuntimeBot, Theme } from "../payload.ts"
import type { TextName, Texts } from "../texts/texts.ts"

/** An entry of the conversation; keys only grow. */
export type Entry = MessageEntry | AnswerEntry

export type MessageEntry = { kind: "message"; key: number; message: ChatMessage }

/** What the person has said, sent or chosen. */
export type AnswerEntry = {
  kind: "answer"
  key: number
  text: string
  /** Addresses of files. */
  urls: readonly string[]
  /** Names of the files at these addresses, as the person knows them; none for a voice clip. */
  names?: readonly string[] | undefined
  /** Address of a picture of what was chosen. */
  picture?: string | undefined
  /** Whether the conversation keeps showing this, whatever the service stores. */
  staysAsGiven?: boolean | undefined
  isSent: boolean
}

/** Why there is no chat, or no longer, perhaps in words of the bot, and whether a new one can be started. */
export type Ending = { text: TextName; ownWords?: string; canRestart: boolean }

/** What a chat shows at a moment. */
export type View = {
  /** The built-in texts: in English until those in another language are here. */
  texts: Texts
  /** The theme and settings; absent before the first answer. */
  bot?: RuntimeBot
  dynamicTheme?: DynamicTheme | undefined
  /** What the page around the chat lays over the theme of the bot. */
  theme?: Theme | undefined
  progress?: number | undefined
  entries: readonly Entry[]
  isTyping: boolean
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

/** The view before anything is known, but for its texts and the theme around it; of a chat before, nothing stays. */
export const emptyView: Omit<View, "texts" | "bot" | "theme"> = {
  dynamicTheme: undefined,
  progress: undefined,
  entries: [],
  isTyping: false,
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
