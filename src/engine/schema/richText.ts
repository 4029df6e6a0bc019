/** Rich text in the form of exports: a tree of elements and leaves, kept word for word. */

import { z } from "zod"
import { listOf } from "./lists.ts"
import { hinted } from "./sharedMembers.ts"

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

export const richTextSchema = listOf(
  z
    .custom<RichTextNode>(
      (node) => typeof node === "object" && node !== null && !Array.isArray(node),
      "must be an object",
    )
    // zod-openapi 5.4 cannot show a custom schema without it.
    .meta({ override: { type: "object", additionalProperties: true } }),
).meta({
  id: "RichText",
  ...hinted("Elements with type and children, and leaves with text, bold, italic, underline", {
    richText: true,
  }),
})

export type RichText = RichTextNode[]
