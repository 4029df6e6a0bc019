/** Offers a file: its name is a link, with its size beside it. */
import type { VNode } from "preact"
import { useChat } from "../chatContext.ts"
import { FileIcon } from "../icons.tsx"
import type { BubbleProps } from "../payload.ts"
import { mediaAddress } from "../richText/address.ts"

export function FileBubble({ content: { url, name, size, caption } }: BubbleProps<"file">): VNode {
  const { locale } = useChat()
  return (
    <>
      <a
        class="offered"
        href={mediaAddress(url)}
        target="_blank"
        rel="noopener noreferrer"
        download={name}
      >
        <FileIcon />
        <span>
          <b>{name}</b>
          {size !== undefined && <small>{sizeIn(locale, size)}</small>}
        </span>
      </a>
      {caption && <p>{caption}</p>}
    </>
  )
}

/** A size with two digits, in kilobytes or megabytes. */
function sizeIn(locale: string, bytes: number): string {
  const [unit, step] = bytes < 1e6 ? ["kilobyte", 1e3] : ["megabyte", 1e6]
  const style = { style: "unit", unit, maximumSignificantDigits: 2 } as const
  return new Intl.NumberFormat(locale, style).format(bytes / step)
}
