/** The picture choice input: pictures, one or several of which can be chosen. */
import { z } from "zod"
import { displayConditionSchema } from "../../../schema/condition.ts"
import { edgeIdSchema, idSchema, variableIdSchema } from "../../../schema/id.ts"

export const pictureChoiceItemSchema = z
  .object({
    id: idSchema.describe("Id of the item"),
    blockId: z.string().optional().describe("The block it belongs to; before version 6 only"),
    outgoingEdgeId: edgeIdSchema.optional(),
    pictureSrc: z.string().optional().describe("Address of the picture"),
    title: z.string().optional().describe("Title; without one the address is the label"),
    description: z.string().optional().describe("Text below the title"),
    value: z.string().optional().describe("What is saved instead of the title"),
    displayCondition: displayConditionSchema.optional(),
  })
  .meta({ id: "PictureChoiceItem", description: "A picture to choose" })

export type PictureChoiceItem = z.infer<typeof pictureChoiceItemSchema>

const dynamicItemsSchema = z
  .object({
    isEnabled: z
      .boolean()
      .optional()
      .describe("Whether variables give the pictures; default false"),
    titlesVariableId: variableIdSchema.optional().describe("List of titles"),
    descriptionsVariableId: variableIdSchema.optional().describe("List of descriptions"),
    pictureSrcsVariableId: variableIdSchema
      .optional()
      .describe("List of addresses; one picture for each"),
  })
  .meta({ id: "DynamicPictures", description: "Variables whose elements are the pictures" })

export const pictureChoiceInputBlockSchema = z
  .object({
    id: idSchema.describe("Id of the block"),
    type: z.literal("picture choice input").describe("A question with pictures"),
    outgoingEdgeId: edgeIdSchema.optional(),
    items: z.array(pictureChoiceItemSchema).optional().describe("The pictures"),
    options: z
      .object({
        variableId: variableIdSchema.optional().describe("Receives the answer"),
        isMultipleChoice: z
          .boolean()
          .optional()
          .describe("Whether several can be chosen; default false"),
        isSearchable: z
          .boolean()
          .optional()
          .describe("Whether a search field is shown; default false"),
        buttonLabel: z.string().optional().describe("Label of the button that submits several"),
        searchInputPlaceholder: z.string().optional().describe("Hint in the search field"),
        dynamicItems: dynamicItemsSchema.optional(),
      })
      .optional()
      .describe("How to ask"),
  })
  .meta({ id: "PictureChoiceInputBlock", description: "Asks to choose among pictures" })

export type PictureChoiceInputBlock = z.infer<typeof pictureChoiceInputBlockSchema>
