/** Asks the person to choose one or more of the given answers. */
import type { VNode } from "preact"
import { useChat } from "../chatContext.ts"
import { Offers } from "./Offers.tsx"
import type { InputProps } from "./parts.tsx"

export function ChoiceInput({ input }: InputProps<"choice input">): VNode {
  const { bot } = useChat()
  const offers = (input.items ?? []).map(({ id, content, value }) => {
    const shown = content || value || ""
    return { id, text: value || shown, shown, face: <span>{shown}</span>, words: [content] }
  })
  const isVertical = bot.theme.chat?.buttonsInput?.layout === "vertical"
  const list = isVertical ? "options vertical" : "options"
  return <Offers input={input} offers={offers} list={list} item="button" />
}
