/** The base of the three elements: attributes, listeners, and the chat itself. */
import type { ChatEvent, ChatListener } from "../talk/events.ts"
import { type MountedChat, mountChat } from "./mount.tsx"

/** What a page can set for a chat; most of it has an attribute too. */
export type ChatSettings = {
  /** Public id of the bot. */
  bot?: string | undefined
  /** Origin of the service, when it is not that of the script. */
  host?: string | undefined
  prefilledVariables?: Record<string, unknown> | undefined
  /** Lets the author's code run in this page: only for pages that trust every author of the bot. */
  isTrusted?: boolean | undefined
  onEvent?: ChatListener | undefined
}

/** Origin of the script that defines the elements. */
const scriptOrigin =
  document.currentScript instanceof HTMLScriptElement
    ? new URL(document.currentScript.src).origin
    : location.origin

export class ChatElement extends HTMLElement {
  settings: ChatSettings = {}
  protected mounted: MountedChat | undefined
  readonly #listeners = new Set<ChatListener>()

  /** Listens to all events of the chat. Returns a function that stops it. */
  listen(listener: ChatListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Sets variables, by name, for the next start. */
  setPrefilledVariables(variables: Record<string, unknown>): void {
    const { prefilledVariables } = this.settings
    this.settings = {
      ...this.settings,
      prefilledVariables: { ...prefilledVariables, ...variables },
    }
  }

  /** Fires a command event of the flow. */
  sendCommand(name: string): void {
    this.mounted?.conversation.command(name)
  }

  disconnectedCallback(): void {
    // An element that is only moved is connected again at once.
    queueMicrotask(() => {
      if (!this.isConnected) this.unmount()
    })
  }

  unmount(): void {
    this.mounted?.unmount()
    this.mounted = undefined
    this.shadowRoot?.replaceChildren()
  }

  /** Moves the focus into the chat. */
  protected focusChat(): void {
    this.mounted?.focus()
  }

  protected tell(event: ChatEvent): void {
    this.settings.onEvent?.(event)
    for (const listener of this.#listeners) listener(event)
  }

  /** Starts the chat in an element of ours, unless it is already running. */
  protected startIn(container: HTMLElement): void {
    const bot = this.settings.bot ?? this.getAttribute("bot")
    if (!bot || this.mounted) return
    const isPage = this.hasAttribute("page")
    const host = this.settings.host ?? this.getAttribute("host") ?? scriptOrigin
    this.mounted = mountChat(this, container, {
      bot,
      host: host.replace(/\/+$/, ""),
      isPage,
      isTrusted: this.settings.isTrusted ?? this.hasAttribute("trusted"),
      prefilled: () => ({ ...this.#prefilledByAttribute(), ...this.settings.prefilledVariables }),
      emit: (event) => this.tell(event),
    })
  }

  #prefilledByAttribute(): Record<string, unknown> {
    const text = this.getAttribute("prefilled-variables")
    if (!text) return {}
    try {
      const read: unknown = JSON.parse(text)
      return typeof read === "object" && read !== null ? { ...read } : {}
    } catch {
      console.error("prefilled-variables is not JSON")
      return {}
    }
  }
}
