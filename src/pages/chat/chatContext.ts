/** The context that every component of a chat can use. */
import { createContext } from "preact"
import { useContext } from "preact/hooks"
import type { RuntimeBot } from "./payload.ts"
import type { Reply } from "./talk/conversation.ts"
import type { Talk } from "./talk/talk.ts"
import type { Texts } from "./texts/texts.ts"
import type { Look } from "./theme/theme.ts"

export type ChatContext = {
  talk: Talk
  bot: RuntimeBot
  look: Look
  texts: Texts
  /** In which dates, numbers and lists are written: the language of the texts, in the region of the person. */
  locale: string
  answer(reply: Reply): void
  report(text: string | undefined): void
  /** The element in the page, for children that do not work in a shadow tree. */
  element: HTMLElement
  /** Whether a new input may take the focus: not before the person has used or opened the chat. */
  takesFocus(): boolean
}

const context = createContext<ChatContext | undefined>(undefined)

export const ChatProvider = context.Provider

export function useChat(): ChatContext {
  const chat = useContext(context)
  if (!chat) throw new Error("There is no chat around this")
  return chat
}
