/** A choice by number becomes the words that people would say, unless they would mean another one. */
import { expect, it } from "vitest"
import type { ChatInput } from "./choices.ts"
import { inWords } from "./replyWords.ts"

function choice(items: { id: string; content: string; value?: string }[]): ChatInput {
  return { id: "b", type: "choice input", items }
}

const colors = choice([
  { id: "item-a", content: "Red" },
  { id: "item-b", content: "Dark red" },
  { id: "item-c", content: "Blue" },
  { id: "item-d", content: "Blue" },
  { id: "item-e", content: "2 colors" },
])

it.each([
  ["item-a", "Red"],
  ["item-b", "Dark red"],
  ["item-c", "item-c"],
  ["item-e", "2 colors"],
])("says one choice: %s is %s", (replyId, text) => {
  const sent = { type: "text" as const, text: "any", metadata: { replyId } }
  expect(inWords(colors, sent)).toEqual({ type: "text", text })
})

it.each([
  ["item-a, item-b", "Red, Dark red"],
  ["item-b, item-c", "item-b, item-c"],
  ["item-a, item-e", "item-a, item-e"],
  ["item-a, or so", "item-a, or so"],
])("says several choices: %s is %s", (text, said) => {
  expect(inWords(colors, { type: "text", text })).toEqual({ type: "text", text: said })
})
