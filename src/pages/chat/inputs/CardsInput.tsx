/** Asks the person to press a button on one of several cards. */
import type { VNode } from "preact"
import { useChat } from "../chatContext.ts"
import type { InputOf } from "../payload.ts"
import { mediaAddress } from "../richText/address.ts"
import type { InputProps } from "./parts.tsx"

type Card = NonNullable<InputOf<"cards">["items"]>[number]

export function CardsInput({ input }: InputProps<"cards">): VNode {
  const { answer, texts } = useChat()
  const { items = [] } = input
  const choose = (card: Card, { id, text = "" }: { id: string; text?: string | undefined }) => {
    const shown = [card.title, text].filter(Boolean).join(" – ")
    const picture = mediaAddress(card.imageUrl ?? undefined)
    const message = { type: "text", text: id, metadata: { replyId: id } } as const
    answer({ message, shown, picture, staysAsGiven: true })
  }
  return (
    // Together the cards may be wider than the chat, so the list scrolls.
    <ul class="cards" aria-label={texts.chooseOne} tabIndex={-1}>
      {items.map((card, index) => (
        <li key={index} class="card">
          <CardFace card={card} />
          <div class="card-buttons">
            {card.paths?.map((path) => (
              <button
                key={path.id}
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
