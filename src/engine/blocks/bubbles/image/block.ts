/** Shows a picture. */
import type { z } from "zod"
import { defined } from "../../../../lib/presentMembers.ts"
import { safeUrl } from "../../../richText/safeUrl.ts"
import { optional } from "../../../schema/sharedMembers.ts"
import { interpolateStructure } from "../../../variables/interpolateStructure.ts"
import type { BlockContext } from "../../block.ts"
import { blockSchemaOf, bubble } from "../../defineBlock.ts"

const imageBlockSchema = blockSchemaOf("image", {
  content: optional.named("ImageBubbleContent", "The picture to show", {
    url: optional.template("Address of the picture"),
    clickLink: optional.object("The link of the picture", {
      url: optional.template("Address that a click opens"),
      alt: optional.template("Description of the picture; default Bubble image"),
    }),
  }),
}).meta({ id: "ImageBlock" })

type ImageBlock = z.infer<typeof imageBlockSchema>

type Content = NonNullable<ImageBlock["content"]>

export const imageBlock = bubble(imageBlockSchema, {
  catalogue: {
    label: "Image",
    description: "Shows a picture, which may link to a page",
    category: "messages",
    icon: "image",
  },
  show: ({ content }, context) => content && { type: "image", content: filled(content, context) },
  mentions: (block) => ({ texts: [block.content?.url] }),
})

function filled(content: Content, context: BlockContext): Content {
  const { clickLink, ...picture } = interpolateStructure(content, context)
  if (clickLink === undefined) return picture
  const url = clickLink.url === undefined ? undefined : safeUrl(clickLink.url)
  return { ...picture, clickLink: defined({ ...clickLink, url }) }
}
