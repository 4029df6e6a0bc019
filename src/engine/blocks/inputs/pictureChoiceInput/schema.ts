/** The picture choice input: pictures, one or several of which can be chosen. */
import type { z } from "zod"
import { displayConditionSchema } from "../../../schema/condition.ts"
import { namedObject, optional } from "../../../schema/members.ts"
import { blockSchemaOf, itemShape } from "../../blockSchema.ts"
import { choiceOptionsShape } from "../inputSchema.ts"

export const pictureChoiceItemSchema = namedObject("PictureChoiceItem", "A picture to choose", {
  ...itemShape,
  pictureSrc: optional.text("Address of the picture"),
  title: optional.text("Title; without one the address is the label"),
  description: optional.text("Text below the title"),
  value: optional.text("What is saved instead of the title"),
  displayCondition: displayConditionSchema.optional(),
})

export type PictureChoiceItem = z.infer<typeof pictureChoiceItemSchema>

const dynamicItemsSchema = namedObject(
  "DynamicPictures",
  "Variables whose elements are the pictures",
  {
    isEnabled: optional.flag("Whether variables give the pictures; default false"),
    titlesVariableId: optional.variableId("List of titles"),
    descriptionsVariableId: optional.variableId("List of descriptions"),
    pictureSrcsVariableId: optional.variableId("List of addresses; one picture for each"),
  },
)

export const pictureChoiceInputBlockSchema = blockSchemaOf(
  "picture choice input",
  "A question with pictures",
  {
    items: optional.list("The pictures", pictureChoiceItemSchema),
    options: optional.object("How to ask", {
      ...choiceOptionsShape,
      dynamicItems: dynamicItemsSchema.optional(),
    }),
  },
).meta({ id: "PictureChoiceInputBlock", description: "Asks to choose among pictures" })

export type PictureChoiceInputBlock = z.infer<typeof pictureChoiceInputBlockSchema>
