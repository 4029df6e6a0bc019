/** Shows a picture, perhaps as a link. */
import type { VNode } from "preact"
import { useState } from "preact/hooks"
import { useChat } from "../chatContext.ts"
import type { BubbleProps } from "../payload.ts"
import { linkAddress, mediaAddress } from "../richText/address.ts"
import { sizeOf } from "../talk/media.ts"
import { Missing } from "./Missing.tsx"

export function ImageBubble({ content }: BubbleProps<"image">): VNode {
  const [isBroken, setBroken] = useState(false)
  const address = mediaAddress(content.url) ?? ""
  // A picture shown in a frame of a default shape stays in it, so that nothing moves.
  const [size] = useState(() => sizeOf(address))
  const { texts } = useChat()
  const target = linkAddress(content.clickLink?.url)
  // A linked picture without a description is described by its target.
  const alt = content.clickLink?.alt ?? target ?? ""
  const picture = isBroken ? (
    <Missing name={alt || texts.image} />
  ) : (
    <img
      class={size ? "picture" : "picture unsized"}
      src={address}
      alt={alt}
      {...size}
      onError={() => setBroken(true)}
    />
  )
  if (!target) return picture
  return (
    <a href={target} target="_blank" rel="noopener noreferrer">
      {picture}
    </a>
  )
}
