/** The script `/embed.js`: defines the elements, and `Parley` for pages that create them by script. */
import type { ChatEvent } from "./talk/events.ts"
import { BubbleChat, type BubbleSettings, type PreviewMessage } from "./widgets/BubbleChat.tsx"
import type { ChatElement, ChatSettings } from "./widgets/chatElement.ts"
import { InlineChat } from "./widgets/InlineChat.ts"
import { PopupChat, type PopupSettings } from "./widgets/PopupChat.ts"

/** What a page can do with a chat that it created. `on…` returns a function that removes the listener. */
type Handle = {
  element: HTMLElement
  open(): void
  close(): void
  toggle(): void
  /** Shows a message beside a closed bubble; absent: that of the settings. */
  showPreviewMessage(preview?: PreviewMessage): void
  hidePreviewMessage(): void
  setPrefilledVariables(variables: Record<string, unknown>): void
  sendCommand(name: string): void
  onMessage(listener: (event: Extract<ChatEvent, { type: "message" }>) => void): () => void
  onAnswer(listener: (event: Extract<ChatEvent, { type: "answer" }>) => void): () => void
  onEnd(listener: () => void): () => void
  unmount(): void
}

type StandardSettings = ChatSettings & {
  /** The element that gets the chat, or a selector for it; absent: the body. */
  target?: Element | string | undefined
}

const parley = {
  initStandard: ({ target, ...settings }: StandardSettings): Handle =>
    show(new InlineChat(), settings, target),
  initBubble: (settings: BubbleSettings): Handle => show(new BubbleChat(), settings),
  initPopup: (settings: PopupSettings): Handle => show(new PopupChat(), settings),
  /** Removes every chat that was created by script. */
  unmount: (): void => {
    for (const element of created) element.remove()
    created.clear()
  },
}

const created = new Set<ChatElement>()

type Shown = ChatElement &
  Partial<Pick<Handle, "open" | "close" | "toggle" | "showPreviewMessage" | "hidePreviewMessage">>

function show(element: Shown, settings: ChatSettings, target?: StandardSettings["target"]): Handle {
  element.settings = settings
  created.add(element)
  const attach = () => {
    const found = typeof target === "string" ? document.querySelector(target) : target
    if (created.has(element)) (found ?? document.body).append(element)
  }
  // A script in the head runs before there is a body, and may open the chat at once.
  const whenReady = (work: () => void) => {
    if (document.body) work()
    else addEventListener("DOMContentLoaded", work, { once: true })
  }
  whenReady(attach)
  const on = <T extends ChatEvent["type"]>(
    type: T,
    listener: (event: Extract<ChatEvent, { type: T }>) => void,
  ) =>
    element.listen((event) => {
      if (event.type === type) listener(event as Extract<ChatEvent, { type: T }>)
    })
  return {
    element,
    open: () => whenReady(() => element.open?.()),
    close: () => whenReady(() => element.close?.()),
    toggle: () => whenReady(() => element.toggle?.()),
    showPreviewMessage: (preview) => whenReady(() => element.showPreviewMessage?.(preview)),
    hidePreviewMessage: () => whenReady(() => element.hidePreviewMessage?.()),
    setPrefilledVariables: (variables) => element.setPrefilledVariables(variables),
    sendCommand: (name) => element.sendCommand(name),
    onMessage: (listener) => on("message", listener),
    onAnswer: (listener) => on("answer", listener),
    onEnd: (listener) => on("end", listener),
    unmount: () => {
      created.delete(element)
      element.remove()
    },
  }
}

declare global {
  interface Window {
    Parley?: typeof parley
  }
}

// A page may load the script twice.
if (!window.Parley) {
  window.Parley = parley
  customElements.define("parley-chat", InlineChat)
  customElements.define("parley-bubble", BubbleChat)
  customElements.define("parley-popup", PopupChat)
}
