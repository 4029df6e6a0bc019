/** The cards input: pictures with a text and buttons. */
import { z } from "zod"
import { displayConditionSchema } from "../../../schema/condition.ts"
import { edgeIdSchema, idSchema, variableIdSchema } from "../../../schema/id.ts"

/** The parts of a card that can be saved, word for word as exports spell them. */
export const cardFields = ["Image URL", "Title", "Description", "Button", "Internal Value"] as const

export type CardField = (typeof cardFields)[number]

const cardPathSchema = z
  .object({
    id: idSchema.describe("Id of the path; clients send it as the reply"),
    text: z.string().optional().describe("Label of the button"),
    outgoingEdgeId: edgeIdSchema.optional(),
  })
  .meta({ id: "CardPath", description: "A button of a card and where it leads" })

export const cardSchema = z
  .object({
    id: idSchema.describe("Id of the card"),
    blockId: z.string().optional().describe("The block it belongs to; before version 6 only"),
    outgoingEdgeId: edgeIdSchema.optional(),
    imageUrl: z.string().nullish().describe("Address of the picture, or a list variable"),
    title: z.string().nullish().describe("Title, or a list variable"),
    description: z.string().nullish().describe("Text below the title, or a list variable"),
    options: z
      .object({
        displayCondition: displayConditionSchema.optional(),
        internalValue: z.string().optional().describe("A value to save that is not shown"),
      })
      .optional()
      .describe("What the card is besides what it shows"),
    paths: z.array(cardPathSchema).optional().describe("The buttons of the card"),
  })
  .meta({ id: "Card", description: "A picture with a text and buttons" })

export type Card = z.infer<typeof cardSchema>

export const cardsBlockSchema = z
  .object({
    id: idSchema.describe("Id of the block"),
    type: z.literal("cards").describe("A question with cards"),
    outgoingEdgeId: edgeIdSchema.optional(),
    items: z
      .array(cardSchema)
      .optional()
      .describe("The cards; a single one with list variables stands for many"),
    options: z
      .object({
        variableId: variableIdSchema.optional().describe("Receives the title, else the picture"),
        saveResponseMapping: z
          .array(
            z
              .object({
                field: z.enum(cardFields).optional().describe("Part of the chosen card"),
                variableId: variableIdSchema.optional().describe("Receives that part"),
              })
              .meta({ id: "CardMapping", description: "Where a part of the chosen card is saved" }),
          )
          .optional()
          .describe("Parts of the chosen card to save"),
      })
      .optional()
      .describe("What to save"),
  })
  .meta({ id: "CardsBlock", description: "Asks to choose a button of a card" })

export type CardsBlock = z.infer<typeof cardsBlockSchema>
