/** Shows a page of the author's choice, and waits for its event where the block asks for that. */
import type { VNode } from "preact"
import type { BubbleProps } from "../payload.ts"
import { mediaAddress } from "../richText/address.ts"
import { PageFrame } from "./PageFrame.tsx"

export function EmbedBubble({ content, isLast }: BubbleProps<"embed">): VNode {
  const { isEnabled, name, saveDataInVariableId } = content.waitForEvent ?? {}
  const read = (data: unknown) => {
    if (typeof data !== "object" || data === null) return undefined
    const event = data as Record<string, unknown>
    if (event.name !== name) return undefined
    const said = saveDataInVariableId ? event.data : undefined
    return { text: typeof said === "string" || said === undefined ? said : JSON.stringify(said) }
  }
  return (
    <PageFrame
      address={mediaAddress(content.url)}
      height={content.height}
      isWaiting={isLast && isEnabled === true}
      read={read}
    />
  )
}
