/** `<parley-popup bot="…">`: a chat in a modal dialog. */
import { texts } from "../texts.ts"
import { ChatElement, type ChatSettings } from "./chatElement.ts"
import { sheetOf } from "./mount.tsx"

export type PopupSettings = ChatSettings & {
  /** Opens automatically after this time; absent: only on request. */
  openAfterMs?: number | undefined
}

const css = `:host { all: initial !important }
dialog {
  width: min(800px, 100vw - 32px); height: min(720px, 100vh - 112px); max-width: none;
  max-height: none; padding: 0; border: 0; overflow: visible; background: none;
}
dialog::backdrop { background: rgb(0 0 0 / 0.5) }
dialog > div {
  all: initial; display: block; height: 100%; contain: layout paint style; border-radius: 18px;
  overflow: hidden; background: #fff; box-shadow: 0 16px 60px rgb(0 0 0 / 0.35);
}
button {
  position: absolute; inset-block-start: -46px; inset-inline-end: 0; display: grid;
  place-items: center; width: 36px; height: 36px; padding: 0; border: 0; border-radius: 50%;
  background: #1c2230; color: #fff; font: 20px / 1 sans-serif; cursor: pointer;
}
button:focus-visible { outline: 3px solid #fff; outline-offset: -5px }`

export class PopupChat extends ChatElement {
  declare settings: PopupSettings
  #parts: { dialog: HTMLDialogElement; container: HTMLElement } | undefined

  connectedCallback(): void {
    if (this.#parts) return
    const root = this.shadowRoot ?? this.attachShadow({ mode: "open" })
    root.adoptedStyleSheets = [sheetOf(css)]
    const dialog = document.createElement("dialog")
    const container = document.createElement("div")
    const button = document.createElement("button")
    button.type = "button"
    button.textContent = "×"
    button.ariaLabel = texts.closeChat
    button.onclick = () => this.close()
    dialog.ariaLabel = texts.conversation
    dialog.onclose = () => this.tell({ type: "close" })
    dialog.onclick = ({ target }) => {
      // The click was beside the chat.
      if (target === dialog) this.close()
    }
    dialog.append(container, button)
    root.replaceChildren(dialog)
    this.#parts = { dialog, container }
    const waitMs =
      this.settings.openAfterMs ?? Number(this.getAttribute("open-after-ms") ?? Number.NaN)
    if (waitMs >= 0) setTimeout(() => this.isConnected && this.open(), waitMs)
  }

  open(): void {
    if (!this.#parts || this.#parts.dialog.open) return
    this.#parts.dialog.showModal()
    this.startIn(this.#parts.container)
    this.focusChat()
    this.tell({ type: "open" })
  }

  close(): void {
    this.#parts?.dialog.close()
  }

  toggle(): void {
    if (this.#parts?.dialog.open) this.close()
    else this.open()
  }

  override unmount(): void {
    super.unmount()
    this.#parts = undefined
  }
}
