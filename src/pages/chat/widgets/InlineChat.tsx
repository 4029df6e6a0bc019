/** `<parley-chat bot="…">`: a chat in the content of a page, or with `page`, the whole page. */
import type { VNode } from "preact"
import { isRightToLeft } from "../../../lib/languages.ts"
import type { RuntimeBot } from "../payload.ts"
import type { Texts } from "../texts/texts.ts"
import { ChatElement } from "./chatElement.ts"

// `!important` here overrides all styles of the page. The page decides the size:
// the chat fills its container, and the floor holds it up in a container without a height.
const css = `:host {
  display: block !important;
  position: relative !important;
  opacity: 1 !important;
  visibility: visible !important;
  width: var(--parley-width, 100%);
  height: var(--parley-height, 100%);
  overflow: clip;
}
:host([hidden]) { display: none !important }
:host([page]) { top: var(--visible-top, 0); height: 100vh; height: var(--visible-height, 100dvh) }
.floor { height: 400px }
.box { all: initial; position: absolute; inset: 0; display: block; contain: layout paint style }`

export class InlineChat extends ChatElement {
  protected override readonly css = css

  protected override view(): VNode {
    return (
      <>
        <div class="floor" />
        <div class="box" ref={this.container} />
      </>
    )
  }

  protected override connected(): void {
    const isPage = this.hasAttribute("page")
    if (isPage) {
      this.setPrefilledVariables(Object.fromEntries(new URLSearchParams(location.search)))
    }
    this.start()
    if (!isPage) return
    this.#followBot()
    this.followKeyboard()
  }

  /** A page declares its actual language. */
  protected override setTexts(texts: Texts): void {
    super.setTexts(texts)
    if (!this.hasAttribute("page")) return
    const { language: lang } = texts
    const dir = isRightToLeft(lang) ? "rtl" : "ltr"
    Object.assign(document.documentElement, { lang, dir })
  }

  /** Waits until the bot is known, whether the chat starts or continues. */
  #followBot(): void {
    const store = this.mounted?.conversation.store
    const stop = store?.subscribe(() => {
      const { bot } = store.read()
      if (!bot) return
      stop?.()
      updatePage(bot)
    })
  }
}

/** Gives the page the bot's title, and removes the query, which has prefilled variables. */
function updatePage({ settings: { general, metadata } }: RuntimeBot): void {
  if (metadata?.title) document.title = metadata.title
  if (location.search === "" || general?.isHideQueryParamsEnabled === false) return
  history.replaceState(history.state, "", location.pathname + location.hash)
}
