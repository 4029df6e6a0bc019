/** The component for each type of message; a missing one does not compile. */
import type { FunctionComponent, VNode } from "preact"
import type { BubbleProps, BubbleType, ChatMessage } from "../payload.ts"
import { mediaAddress } from "../richText/address.ts"
import { RichText } from "../richText/RichText.tsx"
import { AudioBubble } from "./AudioBubble.tsx"
import { CustomEmbedBubble } from "./CustomEmbedBubble.tsx"
import { EmbedBubble } from "./EmbedBubble.tsx"
import { FileBubble } from "./FileBubble.tsx"
import { ImageBubble } from "./ImageBubble.tsx"
import { VideoBubble } from "./VideoBubble.tsx"

const bubbles: { readonly [T in BubbleType]: FunctionComponent<BubbleProps<T>> } = {
  text: ({ content }) => <RichText content={content} />,
  image: ImageBubble,
  video: VideoBubble,
  audio: AudioBubble,
  file: FileBubble,
  embed: EmbedBubble,
  "custom-embed": CustomEmbedBubble,
}

export function Bubble({ message, isLast }: { message: ChatMessage; isLast: boolean }): VNode {
  // Each component only gets its own type of content, which TypeScript cannot follow through the table.
  const Shown = bubbles[message.type] as FunctionComponent<{ content: unknown; isLast: boolean }>
  return <Shown content={message.content} isLast={isLast} />
}

/**
 * Whether a message shows anything: texts and addresses can be empty once their variables are filled in. Others
 * do not become bubbles.
 */
export function isVisible({ type, content }: ChatMessage): boolean {
  if (type === "custom-embed") return true
  if (type === "text") {
    return content.type === "markdown"
      ? content.markdown.trim() !== ""
      : content.richText.length > 0
  }
  if (type === "video" && (content.type ?? "url") !== "url") return Boolean(content.id)
  return mediaAddress(content.url) !== undefined
}
