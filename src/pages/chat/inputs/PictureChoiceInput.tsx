/** Asks the person to choose one or more pictures. */
import type { VNode } from "preact"
import type { InputOf } from "../payload.ts"
import { mediaAddress } from "../richText/address.ts"
import { Offers } from "./Offers.tsx"
import type { InputProps } from "./parts.tsx"

type Item = NonNullable<InputOf<"picture choice input">["items"]>[number]

export function PictureChoiceInput({ input }: InputProps<"picture choice input">): VNode {
  const offers = (input.items ?? []).map((item) => {
    const { id, title, description, pictureSrc = "", value } = item
    // A picture without a title is answered with its address.
    const shown = title || pictureSrc
    const words = [title, description]
    return { id, text: value || shown, shown, face: <Tile item={item} />, words }
  })
  return <Offers input={input} offers={offers} list="pictures" item="tile" />
}

function Tile({ item }: { item: Item }): VNode {
  const { title, description, pictureSrc } = item
  const address = mediaAddress(pictureSrc)
  return (
    <>
      {address && <img src={address} alt={title ? "" : lastPart(address)} />}
      {(title || description) && (
        <span class="tile-words">
          {title && <strong>{title}</strong>}
          {description && <span>{description}</span>}
        </span>
      )}
    </>
  )
}

/** The file name, which is all there is to describe a picture without a title. */
function lastPart(address: string): string {
  return new URL(address).pathname.split("/").pop() || address
}
