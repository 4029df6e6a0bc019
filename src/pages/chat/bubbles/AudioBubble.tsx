/** Plays an audio file. */
import type { VNode } from "preact"
import { useState } from "preact/hooks"
import { useChat } from "../chatContext.ts"
import { mediaAddress } from "../richText/address.ts"
import type { BubbleProps } from "./bubbleProps.ts"

export function AudioBubble({ content, isLast }: BubbleProps<"audio">): VNode | null {
  const { texts } = useChat()
  // It has begun, or is about to, when something follows.
  const [plays] = useState(isLast && content.isAutoplayEnabled !== false)
  const address = mediaAddress(content.url)
  if (!address) return null
  return (
    // biome-ignore lint/a11y/useMediaCaption: authors provide no captions.
    <audio src={address} controls autoPlay={plays} aria-label={texts.audio} />
  )
}
