/** `<parley-popup bot="…">`: a chat in a modal dialog. */
import { css } from "../styles/popup.css"
import type { Texts } from "../texts/texts.ts"
import { ChatElement, type ChatSettings } from "./chatElement.ts"
import { followKeyboard } from "./followKeyboard.ts"
import { sheetOf } from "./mount.tsx"

export type PopupSettings = ChatSettings & {
  /** Opens automatically after this time; absent: only on request. */
  openAfterMs?: number | undefined
}

export class PopupChat extends ChatElement {
  declare settings: PopupSettings
  #parts: { dialog: HTMLDialogElement; container: HTMLElement; button: HTMLElement } | undefined
  #leaveKeyboard: (() => void) | undefined

  connectedCallback(): void {
    if (this.#parts) return
    const root = this.shadowRoot ?? this.attachShadow({ mode: "open" })
    root.adoptedStyleSheets = [sheetOf(css)]
    const dialog = document.createElement("dialog")
    const container = document.createElement("div")
    const button = document.createElement("button")
    button.type = "button"
    button.textContent = "×"
    button.onclick = () => this.close()
    dialog.onclose = () => {
      this.#leaveKeyboard?.()
      this.tell({ type: "close" })
    }
    let pressed: EventTarget | null
    dialog.onpointerdown = ({ target }) => {
      pressed = target
    }
    dialog.onclick = ({ target }) => {
      // The click was beside the chat, and does not end where somebody has selected text in it.
      if (target === dialog && pressed === dialog) this.close()
    }
    dialog.append(container, button)
    root.replaceChildren(dialog)
    this.#parts = { dialog, container, button }
    this.setTexts(this.texts)
    this.applySizes()
    this.later(this.settings.openAfterMs ?? this.getAttribute("open-after-ms"), () => this.open())
  }

  open(): void {
    if (!this.#parts || this.#parts.dialog.open) return
    this.#parts.dialog.showModal()
    this.startIn(this.#parts.container)
    this.#leaveKeyboard = followKeyboard(this)
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

  protected override setTexts(texts: Texts): void {
    super.setTexts(texts)
    if (!this.#parts) return
    const { dialog, button } = this.#parts
    dialog.lang = texts.language
    dialog.ariaLabel = texts.conversation
    button.ariaLabel = texts.closeChat
  }

  override unmount(): void {
    this.#leaveKeyboard?.()
    super.unmount()
    this.#parts = undefined
  }
}
