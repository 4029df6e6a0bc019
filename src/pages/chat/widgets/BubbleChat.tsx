/** `<parley-bubble bot="…">`: a button in the corner of a page that opens a chat. */
import { render } from "preact"
import { languageFor } from "../../../languages.ts"
import { CloseIcon, SpeechIcon } from "../icons.tsx"
import { mediaAddress } from "../richText/address.ts"
import { loadTexts } from "../texts/loadTexts.ts"
import type { Texts } from "../texts/texts.ts"
import { cssValue } from "../theme/css.ts"
import { ChatElement, type ChatSettings } from "./chatElement.ts"
import { sheetOf } from "./mount.tsx"

/** How the button looks, and on which side it is. */
type BubbleTheme = {
  placement?: "left" | "right" | undefined
  button?: { backgroundColor?: string | undefined; iconUrl?: string | undefined } | undefined
}

export type BubbleSettings = ChatSettings & {
  theme?: BubbleTheme | undefined
  /** Opens automatically after this time; absent: only on request. */
  openAfterMs?: number | undefined
}

const css = `:host { all: initial !important; position: static !important }
:host([hidden]) { display: none !important }
button, .panel { position: fixed; z-index: 2147483000; inset-inline-end: 20px }
.left { inset-inline: 20px auto }
button {
  bottom: 20px; display: grid; place-items: center; width: 60px; height: 60px; padding: 0; border: 0;
  border-radius: 50%; background: var(--bubble, #3550d8); color: #fff; cursor: pointer;
  box-shadow: 0 4px 16px rgb(0 0 0 / 0.28); transition: transform 0.15s;
}
button:hover { transform: scale(1.05) }
button:focus-visible { outline: 3px solid #fff; box-shadow: 0 0 0 6px #1c2230 }
button svg { width: 30px; height: 30px }
button img { width: 60px; height: 60px; border-radius: 50%; object-fit: cover }
.panel {
  bottom: 94px; width: 400px; height: min(680px, calc(100vh - 120px)); border-radius: 18px;
  overflow: hidden; background: #fff; box-shadow: 0 10px 40px rgb(0 0 0 / 0.3);
  contain: layout paint style;
}
.panel > div { all: initial; display: block; height: 100%; contain: layout paint style }
.panel[hidden] { display: none }
@media (max-width: 480px) {
  .panel, .panel.left { inset: 0 0 auto; width: 100%; height: calc(100vh - 90px); height: calc(100dvh - 90px); border-radius: 0 }
}
@media (prefers-reduced-motion: reduce) { button { transition: none } }`

export class BubbleChat extends ChatElement {
  static override readonly observedAttributes = [
    ...ChatElement.observedAttributes,
    "placement",
    "color",
  ]
  declare settings: BubbleSettings
  #parts: { button: HTMLButtonElement; panel: HTMLElement; container: HTMLElement } | undefined

  connectedCallback(): void {
    if (this.#parts) return
    const root = this.shadowRoot ?? this.attachShadow({ mode: "open" })
    root.adoptedStyleSheets = [sheetOf(css)]
    const panel = document.createElement("div")
    const container = document.createElement("div")
    const button = document.createElement("button")
    const { openAfterMs } = this.settings
    panel.hidden = true
    panel.role = "dialog"
    button.type = "button"
    button.onclick = () => this.toggle()
    panel.append(container)
    panel.onkeydown = ({ key }) => {
      if (key === "Escape") this.close()
    }
    root.replaceChildren(panel, button)
    this.#parts = { button, panel, container }
    this.#draw()
    void loadTexts(this.host, languageFor(navigator.languages)).then((texts) => {
      // Later it is the chat that knows the language.
      if (!this.mounted) this.setTexts(texts)
    })
    const waitMs = openAfterMs ?? Number(this.getAttribute("open-after-ms") ?? Number.NaN)
    if (waitMs >= 0) setTimeout(() => this.isConnected && this.open(), waitMs)
  }

  open(): void {
    if (!this.#parts?.panel.hidden) return
    this.#parts.panel.hidden = false
    this.startIn(this.#parts.container)
    this.#draw()
    this.focusChat()
    this.tell({ type: "open" })
  }

  close(): void {
    if (!this.#parts || this.#parts.panel.hidden) return
    this.#parts.panel.hidden = true
    this.#draw()
    this.#parts.button.focus()
    this.tell({ type: "close" })
  }

  toggle(): void {
    if (this.#parts?.panel.hidden) this.open()
    else this.close()
  }

  protected override themeChanged(): void {
    super.themeChanged()
    this.#draw()
  }

  protected override setTexts(texts: Texts): void {
    super.setTexts(texts)
    this.#draw()
  }

  override unmount(): void {
    super.unmount()
    this.#parts = undefined
  }

  #draw(): void {
    if (!this.#parts) return
    const { button, panel } = this.#parts
    const isOpen = !panel.hidden
    const { theme, texts } = this
    const side = (theme?.placement ?? this.getAttribute("placement")) === "left" ? "left" : ""
    panel.className = `panel ${side}`
    button.className = side
    const color = theme?.button?.backgroundColor ?? this.getAttribute("color") ?? undefined
    button.style.setProperty("--bubble", cssValue("color", color) ?? "")
    panel.lang = button.lang = texts.language
    panel.ariaLabel = texts.conversation
    button.ariaLabel = isOpen ? texts.closeChat : texts.openChat
    button.ariaExpanded = String(isOpen)
    const own = mediaAddress(theme?.button?.iconUrl)
    const closedIcon = own ? <img src={own} alt="" /> : <SpeechIcon />
    render(isOpen ? <CloseIcon /> : closedIcon, button)
  }
}
