/** Plays a video from a file or a video service. */
import type { VNode } from "preact"
import { useState } from "preact/hooks"
import { useChat } from "../chatContext.ts"
import type { BubbleProps, ContentOf } from "../payload.ts"
import { mediaAddress } from "../richText/address.ts"
import { cssValue } from "../theme/css.ts"
import { Missing } from "./Missing.tsx"

type Content = ContentOf<"video">
type Service = Exclude<NonNullable<Content["type"]>, "url">

const players: Record<Service, (id: string) => string> = {
  youtube: (id) => `https://www.youtube-nocookie.com/embed/${id}`,
  vimeo: (id) => `https://player.vimeo.com/video/${id}`,
  tiktok: (id) => `https://www.tiktok.com/embed/v2/${id}`,
  gumlet: (id) => `https://play.gumlet.io/embed/${id}`,
}

export function VideoBubble({ content, isLast }: BubbleProps<"video">): VNode {
  const { texts } = useChat()
  const { type = "url", id = "", isAutoplayEnabled = true, areControlsDisplayed = true } = content
  // A started player keeps its address: another would reload it.
  const [plays] = useState(isLast && isAutoplayEnabled)
  const [isBroken, setBroken] = useState(false)
  if (isBroken) return <Missing name={texts.video} />
  const isTall = type === "tiktok" || content.url?.includes("/shorts/")
  const style = {
    aspectRatio: cssValue("aspect-ratio", content.aspectRatio) ?? (isTall ? "9 / 16" : "16 / 9"),
    maxWidth: cssValue("max-width", content.maxWidth) ?? (isTall ? "400px" : "100%"),
  }
  if (type === "url") {
    return (
      <video
        class="frame"
        src={mediaAddress(content.url)}
        style={style}
        controls={areControlsDisplayed || !plays}
        autoPlay={plays}
        // Browsers do not autoplay with sound.
        muted={plays}
        playsInline
        aria-label={texts.video}
        onError={() => setBroken(true)}
      />
    )
  }
  const query = new URLSearchParams(content.queryParamsStr ?? "")
  if (plays) query.set("autoplay", "1")
  // Videos without autoplay need controls.
  if (plays && !areControlsDisplayed) query.set("controls", "0")
  const address = `${players[type](encodeURIComponent(id))}?${query}`
  return (
    <iframe
      class="frame"
      src={address}
      style={style}
      title={texts.video}
      allow="autoplay; fullscreen; picture-in-picture"
      referrerpolicy="strict-origin"
    />
  )
}
