/** Plays a clip. */
import type { VNode } from "preact"
import { mediaAddress } from "../richText/address.ts"
import { texts } from "../texts.ts"
import type { BubbleProps } from "./bubbleProps.ts"

export function AudioBubble({ content, isLast }: BubbleProps<"audio">): VNode | null {
  const address = mediaAddress(content.url)
  if (!address) return null
  return (
    // biome-ignore lint/a11y/useMediaCaption: authors give an address, and no captions.
    <audio
      src={address}
      controls
      autoPlay={isLast && content.isAutoplayEnabled !== false}
      aria-label={texts.audio}
    />
  )
}
