/** Offers a file to open or to save. */
import type { z } from "zod"
import { cut } from "../../../../lib/cut.ts"
import { defined } from "../../../../lib/presentMembers.ts"
import { safeUrl } from "../../../richText/safeUrl.ts"
import { optional } from "../../../schema/sharedMembers.ts"
import { interpolate } from "../../../variables/interpolate.ts"
import { interpolateUrl } from "../../../variables/interpolateUrl.ts"
import type { BlockContext } from "../../block.ts"
import { blockSchemaOf, bubble } from "../../defineBlock.ts"

const fileBlockSchema = blockSchemaOf("file", {
  content: optional.named("FileBubbleContent", "The file to offer", {
    url: optional.template("Address of the file"),
    name: optional.template("Name to show; absent: the end of the address"),
    size: optional.number("Size in bytes"),
    caption: optional.template("Words below the file"),
  }),
}).meta({ id: "FileBlock" })

type Content = NonNullable<z.infer<typeof fileBlockSchema>["content"]>

const maxNameLength = 255

export const fileBlock = bubble(fileBlockSchema, {
  catalogue: {
    label: "File",
    description: "Offers a document or another file to open or save",
    category: "messages",
    icon: "file-text",
  },
  show: ({ content }, context) => content && { type: "file", content: filled(content, context) },
  mentions: ({ content }) => ({ texts: [content?.url, content?.name, content?.caption] }),
})

function filled({ url: written, name, size, caption }: Content, context: BlockContext) {
  const url = written === undefined ? undefined : safeUrl(interpolateUrl(written, context).trim())
  const shownName = interpolate(name, context).trim() || (url && nameIn(url)) || undefined
  return defined({
    url,
    name: shownName && cut(shownName, maxNameLength),
    size,
    caption: interpolate(caption, context).trim() || undefined,
  })
}

/** The last part of an address's path, or its host. */
function nameIn(url: string): string {
  const [path = ""] = url.replace(/^[a-z][a-z\d+.-]*:\/\//i, "").split(/[?#]/, 1)
  const last = path.split("/").findLast(Boolean) ?? ""
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}
