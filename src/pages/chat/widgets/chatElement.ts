/** The base of the three elements: attributes, listeners, and the chat itself. */
import { createRef, render, type VNode } from "preact"
import type { Theme } from "../payload.ts"
import type { ChatEvent, ChatListener } from "../talk/events.ts"
import { openMemory } from "../talk/memory.ts"
import { english } from "../texts/english.ts"
import type { Texts } from "../texts/texts.ts"
import { cssValue } from "../theme/css.ts"
import { followKeyboard } from "./followKeyboard.ts"
import { type MountedChat, mountChat, sheetOf } from "./mount.tsx"
import { scriptOrigin } from "./scriptOrigin.ts"

/** Options of a chat for pages; most have an attribute too. */
export type ChatSettings = {
  /** Public id of the bot. */
  bot?: string | undefined
  /** Origin of the service, when it is not that of the script. */
  host?: string | undefined
  /** Names the person, whose conversation is remembered apart from those of others in this browser. */
  rememberKey?: string | undefined
  prefilledVariables?: Record<string, unknown> | undefined
  /** Parts of a theme, which are laid over that of the bot. */
  theme?: Theme | undefined
  /** CSS lengths; absent: the usual size. A bubble on a phone fills the window. */
  width?: string | undefined
  height?: string | undefined
  /** CSS length of the diameter of a bubble's button. */
  buttonSize?: string | undefined
  /** Of a bubble or a popup: opens it after this time; absent: only on request. */
  openAfterMs?: number | undefined
  /** Lets the author's code run in this page: only for pages that trust every author of the bot. */
  isTrusted?: boolean | undefined
  onEvent?: ChatListener | undefined
}

/** Origin of the script that defines the elements. */
export const serviceOrigin = scriptOrigin()

const noHost =
  'Parley: no service is known. Set the attribute host (or the option host), such as "https://chat.example.com".'

/**
 * Keeps keys that are pressed in a chat from the page. To it they come from an element that is no field, so
 * that its shortcuts would take letters away; its dialogs may need those that leave them.
 */
function keepKey(event: KeyboardEvent): void {
  if (event.key !== "Escape" && event.key !== "Tab") event.stopPropagation()
}

/** The options about sizes, by the attributes that set them too. */
const sizes = { width: "width", height: "height", "button-size": "buttonSize" } as const

export abstract class ChatElement extends HTMLElement {
  static readonly observedAttributes = [
    "bot",
    "host",
    "remember-key",
    "prefilled-variables",
    "theme",
    "placement",
    "color",
    ...Object.keys(sizes),
  ]
  settings: ChatSettings = {}
  protected mounted: MountedChat | undefined
  /** The built-in texts that the element shows itself. */
  protected texts: Texts = english
  /** The shadow tree, while the element is in the page. */
  protected root: ShadowRoot | undefined
  /** The element of ours that gets the chat. */
  protected readonly container = createRef<HTMLDivElement>()
  #isStarted = false
  #leaveKeyboard: (() => void) | undefined
  readonly #listeners = new Set<ChatListener>()

  constructor() {
    super()
    for (const type of ["keydown", "keypress", "keyup"])
      this.addEventListener(type, keepKey as EventListener)
  }

  /** Listens to all events of the chat. Returns a function that stops it. */
  listen(listener: ChatListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    if (before === after) return
    if (name === "theme" || name === "placement" || name === "color") this.themeChanged()
    else if (name === "prefilled-variables") this.mounted?.conversation.prefill()
    else if (name in sizes) this.applySizes()
    else if (this.#isStarted) {
      this.mounted?.unmount()
      this.mounted = undefined
      this.start()
    }
  }

  /** The style sheet of the shadow tree. */
  protected abstract readonly css: string

  /** Contents of the shadow tree, around the chat. */
  protected abstract view(): VNode

  /** Called when the element has been drawn in a page. */
  protected abstract connected(): void

  connectedCallback(): void {
    if (this.root) return
    this.root = this.shadowRoot ?? this.attachShadow({ mode: "open" })
    this.root.adoptedStyleSheets = [sheetOf(this.css)]
    this.applySizes()
    this.draw()
    this.connected()
  }

  protected draw(): void {
    if (this.root) render(this.view(), this.root)
  }

  /** Sets variables, by name. An unanswered chat starts again, others use them at the next start. */
  setPrefilledVariables(variables: Record<string, unknown>): void {
    const { prefilledVariables } = this.settings
    this.settings = {
      ...this.settings,
      prefilledVariables: { ...prefilledVariables, ...variables },
    }
    this.mounted?.conversation.prefill()
  }

  /** Forgets the person and the conversation, and begins anew. */
  reset(): void {
    this.mounted?.conversation.reset()
    const { bot, host, rememberKey } = this.place
    if (!this.mounted && bot && host) openMemory(host, bot, rememberKey).clear()
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
    this.leaveKeyboard()
    this.mounted?.unmount()
    this.mounted = undefined
    this.#isStarted = false
    if (this.root) render(null, this.root)
    this.root = undefined
  }

  /** Keeps the element clear of the on-screen keyboard, until `leaveKeyboard`. */
  protected followKeyboard(): void {
    this.#leaveKeyboard ??= followKeyboard(this)
  }

  protected leaveKeyboard(): void {
    this.#leaveKeyboard?.()
    this.#leaveKeyboard = undefined
  }

  /** The theme over that of the bot. */
  protected get theme(): this["settings"]["theme"] {
    return { ...this.objectOf("theme"), ...this.settings.theme }
  }

  protected themeChanged(): void {
    this.mounted?.conversation.store.change({ theme: this.theme })
    this.draw()
  }

  protected setTexts(texts: Texts): void {
    this.texts = texts
    this.draw()
  }

  /** Origin of the service, without a slash at the end; undefined where neither page nor script says it. */
  protected get host(): string | undefined {
    const host = this.settings.host ?? this.getAttribute("host") ?? serviceOrigin
    return host?.replace(/\/+$/, "")
  }

  /** Identifies the chat and its person. */
  protected get place() {
    const bot = this.settings.bot ?? this.getAttribute("bot")
    const rememberKey = this.settings.rememberKey ?? this.getAttribute("remember-key") ?? undefined
    return { bot, host: this.host, rememberKey }
  }

  /** Hands the sizes to the style sheets of the elements. */
  protected applySizes(): void {
    for (const [attribute, option] of Object.entries(sizes)) {
      const size = this.settings[option] ?? this.getAttribute(attribute) ?? undefined
      this.style.setProperty(`--parley-${attribute}`, cssValue("max-width", size) ?? "")
    }
  }

  /** Calls a function after some milliseconds, if they are given and the element is still there. */
  protected later(waitMs: string | number | null | undefined, work: () => void): void {
    const ms = Number(waitMs ?? Number.NaN)
    // Browsers count no further, and would do it at once.
    if (ms >= 0 && ms < 2 ** 31) setTimeout(() => this.isConnected && work(), ms)
  }

  protected emitEvent(event: ChatEvent): void {
    for (const listener of [this.settings.onEvent, ...this.#listeners]) {
      try {
        listener?.(event)
      } catch (error) {
        // A mistake of the page must not end the conversation.
        reportError(error)
      }
    }
  }

  /** Starts the chat, unless it is already running; without a bot, once there is one. */
  protected start(): void {
    this.#isStarted = true
    const { bot, host, rememberKey } = this.place
    if (!bot || this.mounted) return
    if (!host) {
      console.error(noHost)
      return
    }
    // The chat takes a shadow tree, which an element can have only once.
    const place = document.createElement("div")
    place.style.height = "100%"
    this.container.current?.replaceChildren(place)
    const isPage = this.hasAttribute("page")
    this.mounted = mountChat(this, place, {
      bot,
      host,
      rememberKey,
      isPage,
      // The service has written the page in the language of the bot, else of the person.
      languages: isPage ? [document.documentElement.lang] : navigator.languages,
      onTexts: (texts) => this.setTexts(texts),
      isTrusted: this.settings.isTrusted ?? this.hasAttribute("trusted"),
      prefilled: () => ({
        ...this.objectOf("prefilled-variables"),
        ...this.settings.prefilledVariables,
      }),
      emit: (event) => this.emitEvent(event),
    })
    this.mounted.conversation.store.subscribe(() => this.draw())
    this.themeChanged()
  }

  /** The object that an attribute has as JSON. */
  protected objectOf(name: string): Record<string, unknown> {
    const text = this.getAttribute(name)
    if (!text) return {}
    try {
      const read: unknown = JSON.parse(text)
      return typeof read === "object" && read !== null ? { ...read } : {}
    } catch {
      console.error(`Parley: the attribute ${name} is not JSON`)
      return {}
    }
  }
}
