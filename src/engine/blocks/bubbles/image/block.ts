/** Shows a picture. */
import { safeUrl } from "../../../richText/safeUrl.ts"
import { interpolate } from "../../../variables/interpolate.ts"
import type { Bubble, Scene } from "../../block.ts"
import { transcribeUrl } from "../transcribeUrl.ts"
import { type ImageBlock, imageBlockSchema } from "./schema.ts"

type Content = NonNullable<ImageBlock["content"]>

export const imageBlock: Bubble<ImageBlock> = {
  kind: "bubble",
  schema: imageBlockSchema,
  show: ({ content }, scene) => content && { type: "image", content: filled(content, scene) },
  mentions: (block) => ({ texts: [block.content?.url] }),
  transcribe: (block, scene) => transcribeUrl("image", block.content?.url, scene),
}

function filled({ url, clickLink }: Content, scene: Scene): Content {
  return {
    ...(url === undefined ? {} : { url: interpolate(url, scene) }),
    ...(clickLink === undefined ? {} : { clickLink: filledLink(clickLink, scene) }),
  }
}

function filledLink(
  { url, alt }: NonNullable<Content["clickLink"]>,
  scene: Scene,
): NonNullable<Content["clickLink"]> {
  const target = url === undefined ? undefined : safeUrl(interpolate(url, scene))
  return {
    ...(target === undefined ? {} : { url: target }),
    ...(alt === undefined ? {} : { alt: interpolate(alt, scene) }),
  }
}
