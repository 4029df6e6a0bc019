/** Shows a picture. */

import { defined } from "../../../presentMembers.ts"
import { safeUrl } from "../../../richText/safeUrl.ts"
import { interpolate, interpolateStructure } from "../../../variables/interpolate.ts"
import type { BlockContext, Bubble } from "../../block.ts"
import { type ImageBlock, imageBlockSchema } from "./schema.ts"

type Content = NonNullable<ImageBlock["content"]>

export const imageBlock: Bubble<ImageBlock> = {
  kind: "bubble",
  schema: imageBlockSchema,
  show: ({ content }, context) => content && { type: "image", content: filled(content, context) },
  mentions: (block) => ({ texts: [block.content?.url] }),
  transcribe: (block, context) => {
    return { type: "image", content: interpolate(block.content?.url, context) }
  },
}

function filled(content: Content, context: BlockContext): Content {
  const { clickLink, ...picture } = interpolateStructure(content, context)
  if (clickLink === undefined) return picture
  const url = clickLink.url === undefined ? undefined : safeUrl(clickLink.url)
  return { ...picture, clickLink: defined({ ...clickLink, url }) }
}
