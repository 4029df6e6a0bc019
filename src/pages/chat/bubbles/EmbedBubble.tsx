/** Shows another page within the chat, and passes on what it reports. */
import type { VNode } from "preact"
import { useEffect, useRef } from "preact/hooks"
import { useChat } from "../chatContext.ts"
import { mediaAddress } from "../richText/address.ts"
import { texts } from "../texts.ts"
import type { BubbleProps } from "./bubbleProps.ts"
import { openedHeight, pagePermissions } from "./page.ts"

export function EmbedBubble({ content, isLast }: BubbleProps<"embed">): VNode | null {
  const frame = useRef<HTMLIFrameElement>(null)
  const { report } = useChat()
  const { isEnabled, name, saveDataInVariableId } = content.waitForEvent ?? {}
  const isWaiting = isLast && isEnabled === true
  useEffect(() => {
    if (!isWaiting) return
    const hear = ({ source, data }: MessageEvent) => {
      // Only the page that is shown may speak for it.
      if (!source || source !== frame.current?.contentWindow) return
      if (typeof data !== "object" || data === null || data.name !== name) return
      removeEventListener("message", hear)
      const said = saveDataInVariableId ? data.data : undefined
      report(typeof said === "string" || said === undefined ? said : JSON.stringify(said))
    }
    addEventListener("message", hear)
    return () => removeEventListener("message", hear)
  }, [isWaiting, name, saveDataInVariableId, report])
  const address = mediaAddress(content.url)
  if (!address) return null
  return (
    <iframe
      ref={frame}
      class="frame"
      src={address}
      style={{ height: openedHeight(content.height) }}
      title={texts.page}
      {...pagePermissions}
    />
  )
}
