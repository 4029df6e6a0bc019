/** What every part of a chat may ask of the chat that it belongs to. */
import { createContext } from "preact"
import { useContext } from "preact/hooks"
import type { RuntimeBot } from "./payload.ts"
import type { Reply } from "./talk/conversation.ts"
import type { Talk } from "./talk/talk.ts"

export type ChatContext = {
  talk: Talk
  bot: RuntimeBot
  answer(reply: Reply): void
  report(text: string | undefined): void
  /** The element in the page to which others attach what cannot live in a shadow tree. */
  element: HTMLElement
  /** Whether to move the focus to what is asked: never before the person did something. */
  takesFocus(): boolean
}

const context = createContext<ChatContext | undefined>(undefined)

export const ChatProvider = context.Provider

export function useChat(): ChatContext {
  const chat = useContext(context)
  if (!chat) throw new Error("There is no chat around this")
  return chat
}
