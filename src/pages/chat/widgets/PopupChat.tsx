/** `<parley-popup bot="…">`: a chat in a modal dialog. */
import { createRef, type VNode } from "preact"
import { css } from "../styles/popup.css"
import { ChatElement } from "./chatElement.ts"

export class PopupChat extends ChatElement {
  protected override readonly css = css
  readonly #dialog = createRef<HTMLDialogElement>()
  #pressed: EventTarget | null = null

  protected override connected(): void {
    this.later(this.settings.openAfterMs ?? this.getAttribute("open-after-ms"), () => this.open())
  }

  open(): void {
    const { current: dialog } = this.#dialog
    if (!dialog || dialog.open) return
    dialog.showModal()
    this.start()
    this.followKeyboard()
    this.mounted?.focus()
    this.emitEvent({ type: "open" })
  }

  close(): void {
    this.#dialog.current?.close()
  }

  toggle(): void {
    if (this.#dialog.current?.open) this.close()
    else this.open()
  }

  protected override view(): VNode {
    const { texts } = this
    return (
      // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog by itself.
      <dialog
        ref={this.#dialog}
        lang={texts.language}
        aria-label={texts.conversation}
        onClose={() => {
          this.leaveKeyboard()
          this.emitEvent({ type: "close" })
        }}
        onPointerDown={({ target }) => {
          this.#pressed = target
        }}
        onClick={({ target, currentTarget }) => {
          // The click was beside the chat, and is not the end of a text selection in it.
          if (target === currentTarget && this.#pressed === currentTarget) this.close()
        }}
      >
        <div ref={this.container} />
        <button type="button" aria-label={texts.closeChat} onClick={() => this.close()}>
          ×
        </button>
      </dialog>
    )
  }
}
