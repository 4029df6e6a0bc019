/** Which cards are shown: the author's, or one for each element of a list variable. */
import { spend } from "../../../budget/fuel.ts"
import { interpolateStructure, singleToken } from "../../../variables/interpolate.ts"
import type { Reading } from "../../../variables/reading.ts"
import { isDisplayed } from "../choiceItems.ts"
import type { Card, CardsBlock } from "./schema.ts"

/** The cards with the present values. */
export function displayedCards(block: CardsBlock, reading: Reading): Card[] {
  const cards = block.items ?? []
  const [only] = cards
  const many = only && cards.length === 1 ? expanded(only, reading) : undefined
  if (many) return many
  return cards
    .filter((card) => isDisplayed(card.options?.displayCondition, reading))
    .map((card) => interpolateStructure(card, reading))
}

/** For a card, and for each of its buttons. */
const cardUnits = 10

/** Undefined when no part of the card is a list variable. */
function expanded(card: Card, reading: Reading): Card[] | undefined {
  const titles = listNamed(card.title, reading)
  const imageUrls = listNamed(card.imageUrl, reading)
  const descriptions = listNamed(card.description, reading)
  const longest = titles ?? imageUrls ?? descriptions
  if (!longest) return undefined
  const model = interpolateStructure(card, reading)
  spend(reading.fuel, longest.length * cardUnits * (1 + (model.paths?.length ?? 0)))
  return longest.map((_, index) => ({
    ...model,
    title: titles ? titles[index] : model.title,
    imageUrl: imageUrls ? imageUrls[index] : model.imageUrl,
    description: descriptions ? descriptions[index] : model.description,
    paths: model.paths?.map((path, place) => ({
      ...path,
      id: `dynamic-card-${index}-path-${place}`,
    })),
  }))
}

function listNamed(
  text: string | null | undefined,
  reading: Reading,
): (string | undefined)[] | undefined {
  const name = singleToken(text ?? undefined)
  const value = name === undefined ? undefined : reading.variables.named(name)?.value
  return Array.isArray(value) ? value.map((element) => element ?? undefined) : undefined
}
