/** `<parley-bubble bot="…">`: a button in the corner of a page that opens a chat. */
import type { VNode } from "preact"
import { languageFor } from "../../../lib/languages.ts"
import { BotIcon, CloseIcon, SpeechIcon } from "../icons.tsx"
import { mediaAddress } from "../richText/address.ts"
import { css } from "../styles/bubble.css"
import type { ChatEvent } from "../talk/events.ts"
import { loadTexts } from "../texts/loadTexts.ts"
import { readableOn } from "../theme/contrast.ts"
import { cssValue } from "../theme/css.ts"
import { lookOf } from "../theme/theme.ts"
import { ChatElement, type ChatSettings } from "./chatElement.ts"

/** How the button looks, and on which side it is. */
type BubbleTheme = {
  placement?: "left" | "right" | undefined
  button?: { backgroundColor?: string | undefined; iconUrl?: string | undefined } | undefined
}

/** A message of the bot beside the closed bubble. */
export type PreviewMessage = {
  message: string
  /** Address of a picture beside the message. */
  avatarUrl?: string | undefined
  /** Milliseconds until it appears; absent: only `showPreviewMessage` shows it. */
  autoShowDelay?: number | undefined
}

export type BubbleSettings = ChatSettings & {
  theme?: BubbleTheme | undefined
  previewMessage?: PreviewMessage | undefined
}

export class BubbleChat extends ChatElement {
  declare settings: BubbleSettings
  protected override readonly css = css
  #isOpen = false
  /** The number of messages while the chat was closed. */
  #unread = 0
  #preview: PreviewMessage | undefined
  /** Address of the bot's icon, once it has loaded. */
  #icon: string | undefined

  protected override connected(): void {
    const { host } = this
    if (host) {
      void loadTexts(host, languageFor(navigator.languages)).then((texts) => {
        // Later it is the chat that knows the language.
        if (!this.mounted) this.setTexts(texts)
      })
    }
    this.#loadIcon()
    this.later(this.settings.openAfterMs ?? this.getAttribute("open-after-ms"), () =>
      this.open(false),
    )
    this.later(this.#givenPreview().autoShowDelay, () => this.showPreviewMessage())
  }

  #loadIcon(): void {
    const { bot, host } = this.place
    if (!bot || !host || this.theme?.button?.iconUrl) return
    const image = new Image()
    image.onload = () => {
      this.#icon = image.src
      this.draw()
    }
    image.src = `${host}/chat/${encodeURIComponent(bot)}/icon`
  }

  /** Opens the chat, and leads into it unless the person has not asked for that, and may be writing elsewhere. */
  open(isAsked = true): void {
    if (!this.root || this.#isOpen) return
    this.#isOpen = true
    this.#unread = 0
    this.#preview = undefined
    this.draw()
    this.start()
    this.followKeyboard()
    if (isAsked) this.mounted?.focus()
    this.emitEvent({ type: "open" })
  }

  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.leaveKeyboard()
    const hadFocus = this.root?.activeElement
    this.draw()
    if (hadFocus) this.root?.querySelector<HTMLElement>(".toggle")?.focus()
    this.emitEvent({ type: "close" })
  }

  toggle(): void {
    if (this.#isOpen) this.close()
    else this.open()
  }

  /** Shows a message beside the closed bubble; absent: that of the settings. */
  showPreviewMessage(preview: Partial<PreviewMessage> = this.#givenPreview()): void {
    const { message } = preview
    if (this.#isOpen || !message) return
    this.#preview = { ...preview, message }
    this.draw()
  }

  hidePreviewMessage(): void {
    this.#preview = undefined
    this.draw()
  }

  #givenPreview(): Partial<PreviewMessage> {
    return { ...this.objectOf("preview-message"), ...this.settings.previewMessage }
  }

  protected override emitEvent(event: ChatEvent): void {
    super.emitEvent(event)
    if (event.type !== "message" || this.#isOpen) return
    this.#unread += 1
    this.draw()
  }

  override unmount(): void {
    super.unmount()
    this.#isOpen = false
  }

  protected override view(): VNode {
    const { theme } = this
    const side = theme?.placement ?? this.getAttribute("placement")
    const chosen = theme?.button?.backgroundColor ?? this.getAttribute("color") ?? undefined
    const color = cssValue("color", chosen) ?? "#3550d8"
    const style = { "--bubble": color, "--on-bubble": readableOn(color) ?? "#fff" }
    return (
      <div class={side === "left" ? "left" : ""} style={style} lang={this.texts.language}>
        {this.#panel()}
        {/* It is there before it says something: screen readers announce only what changes. */}
        <div role="status">{this.#preview && this.#previewCard(this.#preview)}</div>
        {this.#button()}
      </div>
    )
  }

  #panel(): VNode {
    const { texts } = this
    const { bot, dynamicTheme = {} } = this.mounted?.conversation.store.read() ?? {}
    const { hostAvatar } = lookOf(bot?.theme ?? {}, dynamicTheme, false)
    const leave = ({ key }: KeyboardEvent) => {
      if (key === "Escape") this.close()
    }
    return (
      <div
        class="panel"
        hidden={!this.#isOpen}
        role="dialog"
        aria-label={texts.conversation}
        onKeyDown={leave}
      >
        <div class="bar" dir="auto">
          {hostAvatar !== undefined && <Face url={hostAvatar} />}
          <strong>{bot?.settings.metadata?.title || bot?.name || texts.conversation}</strong>
          <button type="button" aria-label={texts.closeChat} onClick={() => this.close()}>
            <CloseIcon />
          </button>
        </div>
        <div class="chat" ref={this.container} />
      </div>
    )
  }

  #previewCard({ message, avatarUrl }: PreviewMessage): VNode {
    return (
      <div class="preview">
        <button type="button" class="words" onClick={() => this.open()}>
          {avatarUrl && <Face url={avatarUrl} />}
          <span dir="auto" lang="">
            {message}
          </span>
        </button>
        <button
          type="button"
          class="dismiss"
          aria-label={this.texts.hidePreview}
          onClick={() => this.hidePreviewMessage()}
        >
          <CloseIcon />
        </button>
      </div>
    )
  }

  #button(): VNode {
    const { texts } = this
    const count = this.#unread > 9 ? "9+" : String(this.#unread)
    const openLabel = this.#unread > 0 ? `${texts.openChat} (${count})` : texts.openChat
    const own = mediaAddress(this.theme?.button?.iconUrl) ?? this.#icon
    const closedIcon = own ? <img src={own} alt="" /> : <SpeechIcon />
    return (
      <button
        type="button"
        class="toggle"
        aria-label={this.#isOpen ? texts.closeChat : openLabel}
        aria-expanded={this.#isOpen}
        onClick={() => this.toggle()}
      >
        {this.#isOpen ? <CloseIcon /> : closedIcon}
        {this.#unread > 0 && (
          <span class="unread" aria-hidden="true">
            {count}
          </span>
        )}
      </button>
    )
  }
}

/** The picture of the speaker. */
function Face({ url }: { url: string }): VNode {
  const address = mediaAddress(url)
  return address ? (
    <img class="face" src={address} alt="" />
  ) : (
    <span class="face">
      <BotIcon />
    </span>
  )
}
