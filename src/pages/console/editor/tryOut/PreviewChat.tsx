/** The chat that visitors get, over the calls of a preview of the draft. */
import type { Preview, PreviewTurn } from "@parley/client"
import { useEffect, useImperativeHandle, useRef } from "react"
import type { Outputs } from "../../shell/api.ts"
import { reportProblem } from "../../shell/notify.ts"
import { useTexts } from "../../shell/texts.ts"
import { useEditing } from "../editing.ts"
import { tryOutTexts } from "./tryOutTexts.ts"

type Calls = {
  start(): Promise<Outputs["chat"]["start"]>
  continue(message: PreviewTurn["sent"]): Promise<Outputs["chat"]["continue"]>
}

/** The element of `/embed/preview.js`. */
type PreviewElement = HTMLElement & {
  calls: Calls
  settings: object
  leadsTo: string
  restart(): void
  showTurns(turns: readonly PreviewTurn[], input: unknown): void
  setTheme(theme: object): void
}

export type ChatHandle = { restart(): void; showTurns: PreviewElement["showTurns"] }

let loaded: Promise<void> | undefined

/** Loads the chat once; another attempt follows a failed one. */
function loadChat(): Promise<void> {
  loaded ??= new Promise<void>((resolve, reject) => {
    const script = document.createElement("script")
    script.src = "/embed/preview.js"
    script.onload = () => resolve()
    script.onerror = () => {
      loaded = undefined
      script.remove()
      reject(new Error("The chat cannot be loaded"))
    }
    document.head.append(script)
  })
  return loaded
}

type Given = {
  preview: Preview
  /** Begins the preview with what was chosen. */
  onStart(): Promise<PreviewTurn>
  handle: React.Ref<ChatHandle>
}

export function PreviewChat({ preview, onStart, handle }: Given) {
  const { botId, bot } = useEditing()
  const place = useRef<HTMLDivElement>(null)
  const element = useRef<PreviewElement>(undefined)
  const { leadsTo } = useTexts(tryOutTexts)
  const latest = useRef({ bot, onStart, leadsTo })
  latest.current = { bot, onStart, leadsTo }
  useEffect(() => {
    let isOver = false
    const show = () => {
      if (isOver) return
      const chat = document.createElement("parley-preview") as PreviewElement
      chat.leadsTo = latest.current.leadsTo
      chat.settings = { bot: botId, host: location.origin }
      chat.calls = {
        start: async () => {
          const { step } = await latest.current.onStart()
          const { id, version, theme, settings } = latest.current.bot
          return { ...step, bot: { id, version, theme, settings } } as Outputs["chat"]["start"]
        },
        continue: async (message) => (await preview.send(message)).step,
      }
      element.current = chat
      place.current?.replaceChildren(chat)
    }
    loadChat().then(show, reportProblem)
    return () => {
      isOver = true
      element.current?.remove()
    }
  }, [preview, botId])
  useEffect(() => {
    element.current?.setTheme(bot.theme)
  }, [bot.theme])
  useImperativeHandle(handle, () => ({
    restart: () => element.current?.restart(),
    showTurns: (turns, input) => element.current?.showTurns(turns, input),
  }))
  return <div ref={place} style={{ height: "100%" }} />
}
