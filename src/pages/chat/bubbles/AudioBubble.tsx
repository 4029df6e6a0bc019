/** Plays an audio file. */
import type { VNode } from "preact"
import { useState } from "preact/hooks"
import { useChat } from "../chatContext.ts"
import type { BubbleProps } from "../payload.ts"
import { mediaAddress } from "../richText/address.ts"
import { Missing } from "./Missing.tsx"

export function AudioBubble({ content, isLast }: BubbleProps<"audio">): VNode {
  const { texts } = useChat()
  // It has begun, or is about to, when something follows.
  const [plays] = useState(isLast && content.isAutoplayEnabled !== false)
  const [isBroken, setBroken] = useState(false)
  if (isBroken) return <Missing name={texts.audio} />
  return (
    // biome-ignore lint/a11y/useMediaCaption: authors provide no captions.
    <audio
      src={mediaAddress(content.url)}
      controls
      autoPlay={plays}
      aria-label={texts.audio}
      onError={() => setBroken(true)}
    />
  )
}
