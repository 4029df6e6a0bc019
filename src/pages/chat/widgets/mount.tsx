/** Mounts a chat in an element, in a shadow tree of its own, and unmounts it again. */
import { render } from "preact"
import { openPage } from "../actions/openPage.ts"
import { Chat } from "../Chat.tsx"
import { createCodeRunner } from "../code/code.ts"
import { firstField } from "../inputs/parts.tsx"
import { chatStyles } from "../styles/styles.ts"
import {
  type Conversation,
  type ConversationOptions,
  openConversation,
} from "../talk/conversation.ts"

/** Which chat to mount, and its relation to the page around it. */
type ChatOptions = Omit<ConversationOptions, "page"> & {
  isPage: boolean
  /** Whether code of the bot's author may run in the page itself. */
  isTrusted: boolean
}

export type MountedChat = { conversation: Conversation; focus(): void; unmount(): void }

/** Shared by all chats of a page. */
let sheet: CSSStyleSheet | undefined

/**
 * Mounts a chat in `container`, which is in a shadow tree of ours, while `element` is in the page
 * itself. A second shadow tree inside keeps the author's styles away from both.
 */
export function mountChat(
  element: HTMLElement,
  container: HTMLElement,
  options: ChatOptions,
): MountedChat {
  const { isPage, isTrusted, ...given } = options
  const root = container.attachShadow({ mode: "open" })
  const authors = new CSSStyleSheet()
  sheet ??= sheetOf(chatStyles)
  root.adoptedStyleSheets = [sheet, authors]
  // Passes elements that must stay in the page (a payment form) through to the innermost tree.
  const passage = Object.assign(document.createElement("slot"), {
    name: "payment",
    slot: "payment",
  })
  container.append(passage)
  const open = (url: string, isNewTab: boolean) => openPage(conversation.talk, url, isNewTab)
  const leaving = new AbortController()
  const place = { host: given.host, root, openPage: open, leaving: leaving.signal }
  const runCode = createCodeRunner({ ...place, isTrusted })
  const conversation = openConversation({ ...given, page: { isTrusted, runCode } })
  const applyCss = (css: string) => authors.replaceSync(css)
  const props = { conversation, element, isPage, applyCss }
  render(<Chat {...props} />, root)
  conversation.start()
  return {
    conversation,
    focus: () => {
      const asked = root.querySelector(".asked")
      const chat = root.querySelector<HTMLElement>(".chat")
      const target = (asked && firstField(asked)) ?? chat
      target?.focus({ preventScroll: true })
    },
    unmount: () => {
      conversation.close()
      leaving.abort()
      render(null, root)
    },
  }
}

/** A style sheet made by script, to which policies against inline styles do not apply. */
export function sheetOf(css: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  return sheet
}
