/** The choice input: buttons, one or several of which can be chosen. */
import { z } from "zod"
import { displayConditionSchema } from "../../../schema/condition.ts"
import { edgeIdSchema, idSchema, variableIdSchema } from "../../../schema/id.ts"

export const choiceItemSchema = z
  .object({
    id: idSchema.describe("Id of the item"),
    blockId: z.string().optional().describe("The block it belongs to; before version 6 only"),
    outgoingEdgeId: edgeIdSchema.optional(),
    content: z.string().optional().describe("Label of the button; may hold {{variables}}"),
    value: z.string().optional().describe("What is saved instead of the label"),
    displayCondition: displayConditionSchema.optional(),
  })
  .meta({ id: "ChoiceItem", description: "A button to choose" })

export type ChoiceItem = z.infer<typeof choiceItemSchema>

export const choiceInputBlockSchema = z
  .object({
    id: idSchema.describe("Id of the block"),
    type: z.literal("choice input").describe("A question with buttons"),
    outgoingEdgeId: edgeIdSchema.optional(),
    items: z.array(choiceItemSchema).optional().describe("The buttons"),
    options: z
      .object({
        variableId: variableIdSchema.optional().describe("Receives the answer"),
        isMultipleChoice: z
          .boolean()
          .optional()
          .describe("Whether several can be chosen; default false"),
        buttonLabel: z.string().optional().describe("Label of the button that submits several"),
        dynamicVariableId: variableIdSchema
          .optional()
          .describe("Variable whose elements are the buttons; the items are ignored then"),
        isSearchable: z
          .boolean()
          .optional()
          .describe("Whether a search field is shown; default false"),
        searchInputPlaceholder: z.string().optional().describe("Hint in the search field"),
        areInitialSearchButtonsVisible: z
          .boolean()
          .optional()
          .describe("Whether buttons show before a search is typed; default true"),
      })
      .optional()
      .describe("How to ask"),
  })
  .meta({ id: "ChoiceInputBlock", description: "Asks to choose among buttons" })

export type ChoiceInputBlock = z.infer<typeof choiceInputBlockSchema>
