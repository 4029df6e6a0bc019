/** The cards input: pictures with a text and buttons. */
import { z } from "zod"
import { displayConditionSchema } from "../../../schema/condition.ts"
import { edgeIdSchema, hinted, idSchema, namedObject, optional } from "../../../schema/members.ts"
import { blockSchemaOf } from "../../blockSchema.ts"

/** The parts of a card that can be saved, word for word as exports spell them. */
const cardFields = ["Image URL", "Title", "Description", "Button", "Internal Value"] as const

export type CardField = (typeof cardFields)[number]

const cardPathSchema = namedObject("CardPath", "A button of a card and where it leads", {
  id: idSchema.describe("Id of the path; clients send it as the reply"),
  text: optional.text("Label of the button"),
  outgoingEdgeId: edgeIdSchema.optional(),
})

const cardSchema = namedObject("Card", "A picture with a text and buttons", {
  id: idSchema.describe("Id of the card"),
  blockId: optional.former("The block it belongs to; before version 6 only"),
  outgoingEdgeId: edgeIdSchema.optional(),
  imageUrl: z
    .string()
    .nullish()
    .meta(hinted("Address of the picture, or a list variable", { template: true })),
  title: z
    .string()
    .nullish()
    .meta(hinted("Title, or a list variable", { template: true })),
  description: z
    .string()
    .nullish()
    .meta(hinted("Text below the title, or a list variable", { template: true })),
  options: optional.object("What the card is besides what it shows", {
    displayCondition: displayConditionSchema.optional(),
    internalValue: optional.text("A value to save that is not shown"),
  }),
  paths: optional.list("The buttons of the card", cardPathSchema),
})

export type Card = z.infer<typeof cardSchema>

export const cardsBlockSchema = blockSchemaOf("cards", {
  items: optional.list("The cards; a single one with list variables stands for many", cardSchema),
  options: optional.named("CardsOptions", "What to save", {
    variableId: optional.variableId("Receives the title, else the picture"),
    saveResponseMapping: optional.list(
      "Parts of the chosen card to save",
      namedObject("CardMapping", "Where a part of the chosen card is saved", {
        field: optional.oneOf("Part of the chosen card", cardFields),
        variableId: optional.variableId("Receives that part"),
      }),
    ),
  }),
}).meta({ id: "CardsBlock" })

export type CardsBlock = z.infer<typeof cardsBlockSchema>
