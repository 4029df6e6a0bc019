/** Which cards are shown: the author's, or one for each element of a list variable. */
import { spend } from "../../../budget/fuel.ts"
import { interpolateStructure, tokenValue } from "../../../variables/interpolate.ts"
import type { Scope } from "../../../variables/scope.ts"
import { isDisplayed } from "../choiceItems.ts"
import type { Card, CardsBlock } from "./schema.ts"

/** The cards with the present values; one without a label cannot be chosen. */
export function displayedCards(block: CardsBlock, scope: Scope): Card[] {
  return shownCards(block, scope).filter((card) => labelOf(card)?.trim())
}

/** What an answer saves of a card: its title, else the address of its picture. */
export function labelOf({ title, imageUrl }: Card): string | undefined {
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

/** A card for each element of its list variables; undefined when no part of it is one. */
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

function listNamed(
  text: string | null | undefined,
  scope: Scope,
): (string | undefined)[] | undefined {
  const value = tokenValue(text ?? undefined, scope)
  return Array.isArray(value) ? value.map((element) => element ?? undefined) : undefined
}
