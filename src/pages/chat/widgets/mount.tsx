/** Puts a chat into an element, in a shadow tree of its own, and takes it out again. */
import { render } from "preact"
import { openPage } from "../actions/openPage.ts"
import { Chat } from "../Chat.tsx"
import { createCodeRunner } from "../code/code.ts"
import { chatStyles } from "../styles/styles.ts"
import { type Conversation, openConversation } from "../talk/conversation.ts"
import type { ChatListener } from "../talk/events.ts"

/** Which chat, and how it stands to the page around it. */
type ChatOptions = {
  /** Public id of the bot. */
  bot: string
  /** Origin of the service. */
  host: string
  isPage: boolean
  /** Whether code of the bot's author may run in the page itself. */
  isTrusted: boolean
  prefilled(): Record<string, unknown>
  emit: ChatListener
}

export type MountedChat = { conversation: Conversation; focus(): void; unmount(): void }

/** Every chat of a page uses the same sheet. */
let sheet: CSSStyleSheet | undefined

/**
 * Mounts a chat into `container`. The tree of the container belongs to us, and `element` stands in
 * the page itself. A second tree within keeps the styles of the bot's author away from both.
 */
export function mountChat(
  element: HTMLElement,
  container: HTMLElement,
  options: ChatOptions,
): MountedChat {
  const { bot, host, isPage, isTrusted, prefilled, emit } = options
  const root = container.attachShadow({ mode: "open" })
  const authors = new CSSStyleSheet()
  sheet ??= sheetOf(chatStyles)
  root.adoptedStyleSheets = [sheet, authors]
  // Leads what must stand in the page (a payment form) through to the innermost tree.
  const passage = Object.assign(document.createElement("slot"), {
    name: "payment",
    slot: "payment",
  })
  container.append(passage)
  const place = document.createElement("div")
  place.style.height = "100%"
  root.append(place)
  const open = (url: string, isNewTab: boolean) => openPage(conversation.talk, url, isNewTab)
  const runCode = createCodeRunner({ host, isTrusted, root, openPage: open })
  const conversation = openConversation({
    host,
    bot,
    prefilled,
    emit,
    page: { isTrusted, runCode },
  })
  const applyCss = (css: string) => authors.replaceSync(css)
  const props = { conversation, element, isPage, applyCss }
  render(<Chat {...props} />, place)
  conversation.start()
  return {
    conversation,
    focus: () => {
      const first = root.querySelector<HTMLElement>("form input, form textarea, .options button")
      const chat = first ?? root.querySelector<HTMLElement>(".chat")
      chat?.focus({ preventScroll: true })
    },
    unmount: () => {
      conversation.close()
      render(null, place)
    },
  }
}

/** A sheet made by script: policies against inline styles do not concern it. */
export function sheetOf(css: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  return sheet
}
