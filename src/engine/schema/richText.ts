/** Rich text as exports hold it: a tree of elements and leaves, kept word for word. */
import { z } from "zod"

/** An element (`type`, `children`) or a leaf (`text` and its marks); further members are kept. */
export type RichTextNode = {
  type?: string
  children?: RichTextNode[]
  text?: string
  bold?: boolean
  italic?: boolean
  underline?: boolean
  code?: boolean
  url?: string
  [member: string]: unknown
}

export const richTextSchema = z
  .array(z.custom<RichTextNode>((node) => typeof node === "object" && node !== null))
  .meta({
    id: "RichText",
    description: "Elements with type and children, and leaves with text, bold, italic, underline",
    override: { type: "array", items: { type: "object", additionalProperties: true } },
  })

export type RichText = RichTextNode[]
