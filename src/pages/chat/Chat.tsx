/** The whole chat: the conversation so far, the current input and notices. */
import type { VNode } from "preact"
import { useEffect, useMemo, useRef, useState } from "preact/hooks"
import { isRightToLeft } from "../../lib/languages.ts"
import { type ChatContext, ChatProvider, useChat } from "./chatContext.ts"
import { Ask } from "./inputs/inputs.tsx"
import { loadOnDemand } from "./loadOnDemand.ts"
import { localeOf } from "./locale.ts"
import { Messages } from "./Messages.tsx"
import { Notices } from "./Notices.tsx"
import { ProgressBar } from "./ProgressBar.tsx"
import type { RuntimeBot } from "./payload.ts"
import { plainText } from "./richText/plainText.ts"
import type { Conversation } from "./talk/conversation.ts"
import { teamInput } from "./talk/team.ts"
import type { View } from "./talk/view.ts"
import { overlay } from "./theme/overlay.ts"
import { lookOf } from "./theme/theme.ts"
import { useScroll } from "./useScroll.ts"

type ChatProps = {
  conversation: Conversation
  /** The element in the page that contains the chat. */
  element: HTMLElement
  /** Whether the chat is the whole page. */
  isPage: boolean
  /** Applies the author's own styles. */
  applyCss(css: string): void
}

export function Chat({ conversation, element, isPage, applyCss }: ChatProps): VNode {
  const shown = useView(conversation)
  const bot = useMemo(
    () => shown.bot && { ...shown.bot, theme: overlay(shown.bot.theme, shown.theme) },
    [shown.bot, shown.theme],
  )
  const view: View = { ...shown, ...(bot && { bot }) }
  const prefersDark = usePrefersDark(isPage)
  const { texts, dynamicTheme } = view
  // Every step brings such a theme, most of them the same one.
  const look = useMemo(
    () => lookOf(bot?.theme ?? {}, dynamicTheme ?? {}, prefersDark),
    [bot, JSON.stringify(dynamicTheme), prefersDark],
  )
  const locale = useMemo(() => localeOf(texts.language), [texts])
  const { theme } = view.bot ?? {}
  useEffect(() => applyCss(theme?.customCss ?? ""), [theme?.customCss])
  const font = theme?.general?.font
  useEffect(() => {
    if (typeof font !== "object") return
    const scripts = loadOnDemand(conversation.talk.connection.host)
    scripts.then(({ loadFont }) => loadFont(font)).catch(() => {})
  }, [font])
  const root = useRef<HTMLDivElement>(null)
  // The focus that a page takes on its own has no ring until the person uses the keyboard.
  const [isFresh, setFresh] = useState(true)
  // On a touch screen the focus would open the keyboard.
  const isFine = matchMedia("(pointer: fine)").matches
  const hasTouched = useRef(isPage && isFine)
  // Stable while equal: otherwise its readers would render with every message.
  const context = useMemo(
    (): ChatContext => ({
      talk: conversation.talk,
      bot: bot ?? emptyBot,
      look,
      texts,
      locale,
      answer: (reply) => {
        hasTouched.current = true
        conversation.answer(reply)
      },
      report: conversation.report,
      element,
      // Opening a bubble or a popup puts the focus on the whole chat.
      takesFocus: () => {
        hasTouched.current ||= isFine && root.current?.matches(":focus") === true
        return hasTouched.current
      },
    }),
    [bot, look, texts, locale],
  )
  return (
    <ChatProvider value={context}>
      <div
        ref={root}
        class={`chat${look.isDark ? " dark" : ""}${isFresh ? " fresh" : ""}`}
        style={look.properties}
        lang={texts.language}
        dir={directionOf(view)}
        tabIndex={-1}
        onKeyDownCapture={(event) => {
          setFresh(false)
          // Holding Enter sends one answer, and must not answer the next question.
          const isLine = event.target instanceof HTMLTextAreaElement
          if (event.repeat && event.key === "Enter" && !isLine) event.preventDefault()
        }}
        // A Tab into the chat was pressed elsewhere.
        onKeyUpCapture={() => setFresh(false)}
        onPointerDown={() => {
          hasTouched.current = true
          setFresh(false)
        }}
      >
        <Column view={view} conversation={conversation} />
      </div>
    </ChatProvider>
  )
}

function Column({ view, conversation }: { view: View; conversation: Conversation }): VNode {
  const { look } = useChat()
  const scroller = useRef<HTMLElement>(null)
  const { bot, texts, isPaused } = view
  const answers = view.entries.filter(({ kind }) => kind === "answer").length
  const input = isPaused ? teamInput : view.input
  // A reply that comes leaves what is being typed.
  const asked = input && `${input.id} ${isPaused ? answers : view.entries.at(-1)?.key}`
  useScroll(scroller, answers, asked, view.entries.at(-1)?.key)
  return (
    <div class={look.isBoxed ? "container boxed" : "container"}>
      <ProgressBar progress={view.progress} theme={bot?.theme} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it must be scrollable with the keyboard. */}
      <section ref={scroller} class="scroller" tabIndex={0} aria-label={texts.conversation}>
        <div class="column">
          <Messages
            entries={view.entries}
            isTyping={(view.isTyping && !view.isCutOff) || view.isTeamTyping}
          />
          {/* Before the input, which may be longer than the window. */}
          <Notices view={view} conversation={conversation} />
          {input && <Ask key={asked} input={input} />}
        </div>
      </section>
      {bot?.settings.general?.isBrandingEnabled && <p class="badge">{texts.madeWith}</p>}
    </div>
  )
}

const emptyBot: RuntimeBot = { id: "", version: "6.1", theme: {}, settings: {} }

function useView({ store }: Conversation): View {
  const [view, setView] = useState(store.read)
  useEffect(() => {
    const read = () => setView(store.read())
    read()
    return store.subscribe(read)
  }, [store])
  return view
}

/** Whether the person prefers dark pages. Always false inside another page, which has its own colours. */
function usePrefersDark(isPage: boolean): boolean {
  const query = matchMedia("(prefers-color-scheme: dark)")
  const [isDark, setDark] = useState(query.matches)
  useEffect(() => {
    const read = () => setDark(query.matches)
    query.addEventListener("change", read)
    return () => query.removeEventListener("change", read)
  }, [])
  return isPage && isDark
}

const rightToLeft = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/
const leftToRight = /[A-Za-z\u00AA-\u02B8\u0370-\u058F\u0900-\u1FFF\u2C00-\uFB1C]/

/** The direction of the chat is that of its texts, else of the first letter in the bot's messages. */
function directionOf({ entries, texts }: View): "rtl" | "ltr" {
  if (isRightToLeft(texts.language)) return "rtl"
  for (const entry of entries) {
    if (entry.kind !== "message" || entry.message.type !== "text") continue
    const words = plainText(entry.message.content)
    const [right, left] = [words.search(rightToLeft), words.search(leftToRight)]
    if (right >= 0 && (left < 0 || right < left)) return "rtl"
    if (left >= 0) return "ltr"
  }
  return "ltr"
}
