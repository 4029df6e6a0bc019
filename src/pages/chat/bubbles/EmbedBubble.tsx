/** Shows a page of the author's choice, and waits for its event where the block asks for that. */
import type { VNode } from "preact"
import { mediaAddress } from "../richText/address.ts"
import type { BubbleProps } from "./bubbleProps.ts"
import { PageFrame, pageHeight } from "./PageFrame.tsx"

export function EmbedBubble({ content, isLast }: BubbleProps<"embed">): VNode | null {
  const address = mediaAddress(content.url)
  if (!address) return null
  const { isEnabled, name, saveDataInVariableId } = content.waitForEvent ?? {}
  const read = (data: unknown) => {
    if (typeof data !== "object" || data === null) return undefined
    const event = data as Record<string, unknown>
    if (event.name !== name) return undefined
    const said = saveDataInVariableId ? event.data : undefined
    return { text: typeof said === "string" || said === undefined ? said : JSON.stringify(said) }
  }
  const isWaiting = isLast && isEnabled === true
  return (
    <PageFrame
      address={address}
      height={pageHeight(content.height)}
      isWaiting={isWaiting}
      read={read}
    />
  )
}
