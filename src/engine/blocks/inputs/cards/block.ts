/** Asks the visitor to choose a button of a card, and saves parts of the chosen card. */
import type { Assignment } from "../../../calls.ts"
import type { Message } from "../../../schema/message.ts"
import { interpolateStructure } from "../../../variables/interpolate.ts"
import type { Scope } from "../../../variables/scope.ts"
import { input } from "../../defineBlock.ts"
import { displayConditions, noItems, unlabelled } from "../choiceItems.ts"
import { displayedCards, labelOf } from "./displayedCards.ts"
import { type Card, type CardField, type CardsBlock, cardsBlockSchema } from "./schema.ts"

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

type Path = NonNullable<Card["paths"]>[number]
type Chosen = { card: Card; path: Path | undefined }

/** Longer titles are tried first; a title stands for the first button of its card. */
function chosenCard(
  block: CardsBlock,
  message: Message | undefined,
  scope: Scope,
): Chosen | undefined {
  if (message?.type !== "text") return undefined
  const said = message.text.trim().toLowerCase()
  const cards = displayedCards(block, scope).toSorted(
    (one, other) => (other.title?.length ?? 0) - (one.title?.length ?? 0),
  )
  for (const card of cards) {
    const path = card.paths?.find(
      ({ id }) => id === message.text || id === message.metadata?.replyId,
    )
    if (path) return { card, path }
    if (said !== "" && card.title?.trim().toLowerCase() === said) {
      return { card, path: card.paths?.[0] }
    }
  }
  return undefined
}

function savedParts(block: CardsBlock, { card, path }: Chosen): Assignment[] {
  const parts: Record<CardField, string | undefined> = {
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
