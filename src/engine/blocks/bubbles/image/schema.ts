/** Shape of an image bubble. */
import type { z } from "zod"
import { namedObject, optional } from "../../../schema/members.ts"
import { blockSchemaOf } from "../../blockSchema.ts"

const contentSchema = namedObject("ImageBubbleContent", "The picture to show", {
  url: optional.template("Address of the picture"),
  clickLink: optional.object("What a click opens", {
    url: optional.template("Address that a click opens"),
    alt: optional.text("Description of the picture; may hold {{variables}}; default Bubble image"),
  }),
})

export const imageBlockSchema = blockSchemaOf("image", "An image bubble", {
  content: contentSchema.optional(),
}).meta({ id: "ImageBlock", description: "Shows a picture" })

export type ImageBlock = z.infer<typeof imageBlockSchema>
