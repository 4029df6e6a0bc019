/** Shows a picture. */
import type { z } from "zod"
import { defined } from "../../../presentMembers.ts"
import { safeUrl } from "../../../richText/safeUrl.ts"
import { optional } from "../../../schema/members.ts"
import { interpolateStructure } from "../../../variables/interpolate.ts"
import type { BlockContext } from "../../block.ts"
import { blockSchemaOf } from "../../blockSchema.ts"
import { bubble } from "../../defineBlock.ts"

const imageBlockSchema = blockSchemaOf("image", "An image bubble", {
  content: optional.named("ImageBubbleContent", "The picture to show", {
    url: optional.template("Address of the picture"),
    clickLink: optional.object("What a click opens", {
      url: optional.template("Address that a click opens"),
      alt: optional.text(
        "Description of the picture; may hold {{variables}}; default Bubble image",
      ),
    }),
  }),
}).meta({ id: "ImageBlock", description: "Shows a picture" })

type ImageBlock = z.infer<typeof imageBlockSchema>

type Content = NonNullable<ImageBlock["content"]>

export const imageBlock = bubble(imageBlockSchema, {
  show: ({ content }, context) => content && { type: "image", content: filled(content, context) },
  mentions: (block) => ({ texts: [block.content?.url] }),
})

function filled(content: Content, context: BlockContext): Content {
  const { clickLink, ...picture } = interpolateStructure(content, context)
  if (clickLink === undefined) return picture
  const url = clickLink.url === undefined ? undefined : safeUrl(clickLink.url)
  return { ...picture, clickLink: defined({ ...clickLink, url }) }
}
