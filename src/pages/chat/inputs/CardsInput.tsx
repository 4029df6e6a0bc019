/** Asks to choose a button of a card. */
import type { VNode } from "preact"
import { useChat } from "../chatContext.ts"
import type { InputOf } from "../payload.ts"
import { mediaAddress } from "../richText/address.ts"
import { texts } from "../texts.ts"
import { type InputProps, useFirstFocus } from "./parts.tsx"

type Card = NonNullable<InputOf<"cards">["items"]>[number]

export function CardsInput({ input }: InputProps<"cards">): VNode {
  const { answer } = useChat()
  const first = useFirstFocus<HTMLButtonElement>()
  const { items = [] } = input
  const choose = (card: Card, { id, text = "" }: { id: string; text?: string | undefined }) => {
    const shown = [card.title, text].filter(Boolean).join(" – ")
    answer({ message: { type: "text", text: id, metadata: { replyId: id } }, shown })
  }
  return (
    // Cards may be wider together than the chat, and then scroll.
    <ul class="cards" aria-label={texts.chooseOne} tabIndex={-1}>
      {items.map((card, index) => (
        <li key={index} class="card">
          <CardFace card={card} />
          <div class="card-buttons">
            {card.paths?.map((path, place) => (
              <button
                key={path.id}
                ref={index === 0 && place === 0 ? first : null}
                type="button"
                class="button"
                aria-label={[path.text, card.title].filter(Boolean).join(", ")}
                onClick={() => choose(card, path)}
              >
                {path.text}
              </button>
            ))}
          </div>
        </li>
      ))}
    </ul>
  )
}

function CardFace({ card }: { card: Card }): VNode {
  const address = mediaAddress(card.imageUrl ?? undefined)
  return (
    <>
      {address && <img src={address} alt="" />}
      <div class="card-words">
        {card.title && <strong>{card.title}</strong>}
        {card.description && <p>{card.description}</p>}
      </div>
    </>
  )
}
