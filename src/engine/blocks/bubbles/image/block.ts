/** Shows a picture. */
import { safeUrl } from "../../../richText/safeUrl.ts"
import { interpolate } from "../../../variables/interpolate.ts"
import type { BlockContext, Bubble } from "../../block.ts"
import { transcribeUrl } from "../transcribeUrl.ts"
import { type ImageBlock, imageBlockSchema } from "./schema.ts"

type Content = NonNullable<ImageBlock["content"]>

export const imageBlock: Bubble<ImageBlock> = {
  kind: "bubble",
  schema: imageBlockSchema,
  show: ({ content }, context) => content && { type: "image", content: filled(content, context) },
  mentions: (block) => ({ texts: [block.content?.url] }),
  transcribe: (block, context) => transcribeUrl("image", block.content?.url, context),
}

function filled({ url, clickLink }: Content, context: BlockContext): Content {
  return {
    ...(url === undefined ? {} : { url: interpolate(url, context) }),
    ...(clickLink === undefined ? {} : { clickLink: filledLink(clickLink, context) }),
  }
}

function filledLink(
  { url, alt }: NonNullable<Content["clickLink"]>,
  context: BlockContext,
): NonNullable<Content["clickLink"]> {
  const target = url === undefined ? undefined : safeUrl(interpolate(url, context))
  return {
    ...(target === undefined ? {} : { url: target }),
    ...(alt === undefined ? {} : { alt: interpolate(alt, context) }),
  }
}
