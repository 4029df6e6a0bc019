/** The script `/embed.js`: defines the elements, and `Parley` for pages that create them by script. */
import { loadOnDemand } from "./loadOnDemand.ts"
import type { ChatEvent, ChatListener } from "./talk/events.ts"
import { BubbleChat, type BubbleSettings, type PreviewMessage } from "./widgets/BubbleChat.tsx"
import { type ChatElement, type ChatSettings, serviceOrigin } from "./widgets/chatElement.ts"
import type { Call } from "./widgets/checkSettings.ts"
import { InlineChat } from "./widgets/InlineChat.tsx"
import { PopupChat } from "./widgets/PopupChat.tsx"

type StandardSettings = ChatSettings & {
  /** The element that gets the chat, or a selector for it; absent: the body. */
  target?: Element | string | undefined
}

/** The options, which may be none; mistakes in them are named in the console. */
function checked<Settings extends ChatSettings>(call: Call, given: Settings): Settings {
  const settings = typeof given === "object" && given !== null ? given : ({} as Settings)
  const host = settings.host ?? serviceOrigin
  if (typeof host === "string") {
    loadOnDemand(host)
      .then(({ checkSettings }) => {
        for (const problem of checkSettings(call, given)) console.error(`Parley: ${problem}.`)
      })
      .catch(() => {
        // The chat itself says that its service cannot be reached.
      })
  }
  return settings
}

const parley = {
  initStandard: (given: StandardSettings) => {
    const { target, ...settings } = checked("initStandard", given)
    return show(new InlineChat(), settings, target)
  },
  initBubble: (given: BubbleSettings) => show(new BubbleChat(), checked("initBubble", given)),
  initPopup: (given: ChatSettings) => show(new PopupChat(), checked("initPopup", given)),
  /** Removes every chat that was created by script. */
  unmount: () => {
    for (const element of created) element.remove()
    created.clear()
  },
}

const created = new Set<ChatElement>()

type Shown = ChatElement &
  Partial<
    Pick<BubbleChat, "open" | "close" | "toggle" | "showPreviewMessage" | "hidePreviewMessage">
  >

/** Shows a chat, and returns its handle for the page. */
function show(element: Shown, settings: ChatSettings, target?: StandardSettings["target"]) {
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
  /** Adds a listener to one type of event; returns a function that removes it. */
  const on = (type: ChatEvent["type"]) => (listener: ChatListener) =>
    element.listen((event) => {
      if (event.type === type) listener(event)
    })
  return {
    element,
    open: () => whenReady(() => element.open?.()),
    close: () => whenReady(() => element.close?.()),
    toggle: () => whenReady(() => element.toggle?.()),
    showPreviewMessage: (preview?: PreviewMessage) =>
      whenReady(() => element.showPreviewMessage?.(preview)),
    hidePreviewMessage: () => whenReady(() => element.hidePreviewMessage?.()),
    setPrefilledVariables: (variables: Record<string, unknown>) =>
      element.setPrefilledVariables(variables),
    sendCommand: (name: string) => element.sendCommand(name),
    reset: () => element.reset(),
    onMessage: on("message"),
    onAnswer: on("answer"),
    onEnd: on("end"),
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
