/** Plays an audio file. */
import type { VNode } from "preact"
import { useChat } from "../chatContext.ts"
import { mediaAddress } from "../richText/address.ts"
import type { BubbleProps } from "./bubbleProps.ts"

export function AudioBubble({ content, isLast }: BubbleProps<"audio">): VNode | null {
  const { texts } = useChat()
  const address = mediaAddress(content.url)
  if (!address) return null
  return (
    // biome-ignore lint/a11y/useMediaCaption: authors provide no captions.
    <audio
      src={address}
      controls
      autoPlay={isLast && content.isAutoplayEnabled !== false}
      aria-label={texts.audio}
    />
  )
}
