/** Shows another page within the chat, and reports its messages. */
import type { VNode } from "preact"
import { useEffect, useRef } from "preact/hooks"
import { useChat } from "../chatContext.ts"

type Props = {
  address: string | undefined
  /** In pixels, perhaps as text; the usual height where it is none. */
  height: number | string | undefined
  isWaiting: boolean
  /** Reads a message of the page. Returns undefined for one that the chat does not wait for. */
  read(data: unknown): { text?: string | undefined } | undefined
}

/** Default height of pages, as CSS. */
export const usualHeight = "400px"

export function PageFrame({ address, height, isWaiting, read }: Props): VNode {
  const frame = useRef<HTMLIFrameElement>(null)
  const { report, talk, texts } = useChat()
  useEffect(() => {
    if (!isWaiting) return
    const onMessage = ({ source, data }: MessageEvent) => {
      // Only the page that is shown may speak for it.
      if (!source || source !== frame.current?.contentWindow) return
      const said = read(data)
      if (!said) return
      removeEventListener("message", onMessage)
      report(said.text)
    }
    addEventListener("message", onMessage)
    return () => removeEventListener("message", onMessage)
  }, [isWaiting])
  return (
    <iframe
      ref={frame}
      class="frame"
      src={address}
      style={{ height: pageHeight(height) }}
      title={texts.page}
      // The page keeps its own origin, and cannot navigate the page around it.
      sandbox="allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-modals allow-downloads"
      allow="autoplay; fullscreen; clipboard-write; payment"
      referrerpolicy="strict-origin"
      loading="lazy"
      {...withoutCookies(address, talk.connection.host)}
    />
  )
}

/** Pages of the site around the chat, or of the service, are not shown as the person who is signed in there. */
function withoutCookies(address: string | undefined, host: string): object {
  if (!address) return {}
  const origins = [location.origin, new URL(host, location.origin).origin]
  return origins.includes(new URL(address).origin) ? { credentialless: true } : {}
}

function pageHeight(height: Props["height"]): string {
  const pixels = Number(height)
  return Number.isFinite(pixels) && pixels > 0 ? `${pixels}px` : usualHeight
}
