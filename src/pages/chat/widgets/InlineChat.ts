/** `<parley-chat bot="…">`: a chat within the text of a page; with `page`, the page itself. */
import type { RuntimeBot } from "../payload.ts"
import { ChatElement } from "./chatElement.ts"
import { sheetOf } from "./mount.tsx"

// What is important here wins over what the page says, important or not. Size is the page's affair.
const css = `:host {
  display: block !important;
  position: relative !important;
  opacity: 1 !important;
  visibility: visible !important;
  width: 100%;
  height: 640px;
  max-height: 100vh;
}
:host([hidden]) { display: none !important }
:host([page]) { height: 100vh; height: 100dvh; max-height: none }
div { all: initial; display: block; height: 100%; contain: layout paint style }`

export class InlineChat extends ChatElement {
  connectedCallback(): void {
    if (this.mounted) return
    const root = this.shadowRoot ?? this.attachShadow({ mode: "open" })
    root.adoptedStyleSheets = [sheetOf(css)]
    const container = document.createElement("div")
    root.replaceChildren(container)
    const isPage = this.hasAttribute("page")
    if (isPage) this.#prefillByQuery()
    this.startIn(container)
    if (isPage) this.#followBot()
  }

  #prefillByQuery(): void {
    this.setPrefilledVariables(Object.fromEntries(new URLSearchParams(location.search)))
  }

  /** Whether the chat begins or goes on: its bot is known soon. */
  #followBot(): void {
    const store = this.mounted?.conversation.store
    const stop = store?.subscribe(() => {
      const { bot } = store.read()
      if (!bot) return
      stop?.()
      dressPage(bot)
    })
  }
}

/** As a page of its own: the title is the bot's, and the query, which prefills variables, goes. */
function dressPage({ settings: { general, metadata } }: RuntimeBot): void {
  if (metadata?.title) document.title = metadata.title
  if (location.search === "" || general?.isHideQueryParamsEnabled === false) return
  history.replaceState(history.state, "", location.pathname + location.hash)
}
