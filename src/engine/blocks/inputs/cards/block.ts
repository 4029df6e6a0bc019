/** Asks the visitor to choose a button of a card, and saves parts of the chosen card. */
import { z } from "zod"
import { foldCase } from "../../../../lib/foldCase.ts"
import { spend } from "../../../budget/fuel.ts"
import type { Assignment } from "../../../calls.ts"
import { displayConditionSchema } from "../../../schema/condition.ts"
import type { Message } from "../../../schema/message.ts"
import {
  edgeIdSchema,
  hinted,
  idSchema,
  namedObject,
  optional,
} from "../../../schema/sharedMembers.ts"
import { type Scope, tokenValue } from "../../../variables/interpolate.ts"
import { interpolateStructure } from "../../../variables/interpolateStructure.ts"
import type { Offer } from "../../block.ts"
import { blockSchemaOf, input } from "../../defineBlock.ts"
import { typedAs } from "../asking.ts"
import { displayConditions, isDisplayed, noItems, unlabelled } from "../choiceItems.ts"
import { detailsOf, sampleChoices } from "../sampleChoices.ts"

/** The parts of a card that can be saved, word for word as exports spell them. */
const cardFields = ["Image URL", "Title", "Description", "Button", "Internal Value"] as const

const cardPathSchema = namedObject("CardPath", "A button of a card and where it leads", {
  id: idSchema.describe("Id of the path; clients send it as the reply"),
  text: optional.text("Label of the button"),
  outgoingEdgeId: edgeIdSchema.optional(),
})

const listable = (description: string) =>
  z
    .string()
    .nullish()
    .meta(hinted(description, { template: true }))

const cardSchema = namedObject("Card", "A picture with a text and buttons", {
  id: idSchema.describe("Id of the card"),
  blockId: optional.former("The block it belongs to; before version 6 only"),
  outgoingEdgeId: edgeIdSchema.optional(),
  imageUrl: listable("Address of the picture, or a list variable"),
  title: listable("Title, or a list variable"),
  description: listable("Text below the title, or a list variable"),
  options: optional.object("Data and visibility of the card", {
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

export const cardsBlock = input(cardsBlockSchema, {
  catalogue: {
    label: "Cards",
    description: "Offers cards with a picture, a text and buttons",
    category: "choices",
    icon: "gallery-horizontal",
    messengers: "reduced",
    defaults: { items: [{ id: "item1", title: "Card", paths: [{ id: "path1", text: "Choose" }] }] },
  },
  replyName: "cards",
  takesOpeningMessage: false,
  isChoice: true,
  choices: ({ items = [] }) => items.flatMap((card) => labelOf(card) ?? []),
  offers: offersOf,
  samples: (asked) => {
    const { fitting, refused } = sampleChoices(offersOf(asked))
    const titles = (asked.items ?? []).flatMap(({ title }) => (title?.trim() ? title.trim() : []))
    return { fitting: [...fitting, ...typedAs(titles)], refused }
  },
  pathEdges: ({ items = [] }) =>
    items.flatMap(({ paths = [] }) => paths.map((path) => path.outgoingEdgeId)),
  itemLabel(block, item, path) {
    const card = block.items?.[item]
    return path === undefined ? (card?.title ?? undefined) : card?.paths?.[path]?.text
  },
  conditions: ({ items }) =>
    displayConditions(items, ({ options }) => ({
      at: ["options", "displayCondition"],
      when: options?.displayCondition,
    })),
  problems: ({ items }) => [...noItems(items), ...unlabelled(items, labelOf)],
  ask: (block, context) => ({
    options: interpolateStructure(block.options, context),
    items: displayedCards(block, context),
  }),
  reply(block, message, context) {
    const chosen = chosenCard(block, message, context)
    const accept = chosen && labelOf(chosen.card)
    if (!accept) return "retry"
    return { accept, edge: chosen.path?.outgoingEdgeId, set: savedParts(block, chosen) }
  },
})

/** The buttons; a reply names one by its id, since cards may have the same buttons. */
function offersOf({ items = [] }: CardsBlock): Offer[] {
  return items.flatMap(({ title, description, imageUrl, paths = [] }) =>
    paths.map(({ id, text }) => {
      const details = detailsOf(title ?? "", description, imageUrl)
      return { id, label: text || id, of: title || undefined, value: "", reply: id, details }
    }),
  )
}

type Path = NonNullable<Card["paths"]>[number]
type Chosen = { card: Card; path: Path | undefined }

/** Tries longer titles first; a title means the first button of its card. */
function chosenCard(block: CardsBlock, message: Message | undefined, scope: Scope) {
  if (message?.type !== "text") return undefined
  const said = foldCase(message.text.trim())
  const cards = displayedCards(block, scope).toSorted(
    (one, other) => (other.title?.length ?? 0) - (one.title?.length ?? 0),
  )
  for (const card of cards) {
    const path = card.paths?.find(
      ({ id }) => id === message.text || id === message.metadata?.replyId,
    )
    if (path) return { card, path }
    if (said !== "" && foldCase(card.title?.trim() ?? "") === said) {
      return { card, path: card.paths?.[0] }
    }
  }
  return undefined
}

function savedParts(block: CardsBlock, { card, path }: Chosen): Assignment[] {
  const parts: Record<(typeof cardFields)[number], string | undefined> = {
    "Image URL": card.imageUrl ?? undefined,
    Title: card.title ?? undefined,
    Description: card.description ?? undefined,
    Button: path?.text,
    "Internal Value": card.options?.internalValue || undefined,
  }
  return (block.options?.saveResponseMapping ?? []).flatMap(({ field, variableId }) => {
    const value = field && parts[field]
    return variableId && value !== undefined ? [{ variableId, value }] : []
  })
}

/** The cards with current values; cards without a label cannot be chosen. */
function displayedCards(block: CardsBlock, scope: Scope): Card[] {
  return shownCards(block, scope).filter((card) => labelOf(card)?.trim())
}

/** The text that an answer saves: the card's title, else the address of its picture. */
function labelOf({ title, imageUrl }: Card): string | undefined {
  return title || imageUrl || undefined
}

function shownCards(block: CardsBlock, scope: Scope): Card[] {
  const cards = block.items ?? []
  const [only] = cards
  const many = only && cards.length === 1 ? expanded(only, scope) : undefined
  if (many) return many
  return cards
    .filter((card) => isDisplayed(card.options?.displayCondition, scope))
    .map((card) => interpolateStructure(card, scope))
}

/** The cost of a card, and of each of its buttons. */
const cardUnits = 10

/** A card for each element of its list variables; undefined without list variables. */
function expanded(card: Card, scope: Scope): Card[] | undefined {
  const titles = listNamed(card.title, scope)
  const imageUrls = listNamed(card.imageUrl, scope)
  const descriptions = listNamed(card.description, scope)
  const internalValues = listNamed(card.options?.internalValue, scope)
  const longest = titles ?? imageUrls ?? descriptions
  if (!longest) return undefined
  const model = interpolateStructure(card, scope)
  spend(scope.fuel, longest.length * cardUnits * (1 + (model.paths?.length ?? 0)))
  return longest.map((_, index) => ({
    ...model,
    title: titles ? titles[index] : model.title,
    imageUrl: imageUrls ? imageUrls[index] : model.imageUrl,
    description: descriptions ? descriptions[index] : model.description,
    ...(internalValues && {
      options: { ...model.options, internalValue: internalValues[index] },
    }),
    paths: model.paths?.map((path, place) => ({
      ...path,
      id: `dynamic-card-${index}-path-${place}`,
    })),
  }))
}

function listNamed(text: string | null | undefined, scope: Scope) {
  const value = tokenValue(text ?? undefined, scope)
  return Array.isArray(value) ? value.map((element) => element ?? undefined) : undefined
}
