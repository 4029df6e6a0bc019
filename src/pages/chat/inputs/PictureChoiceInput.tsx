/** Asks to choose one or several pictures. */
import type { VNode } from "preact"
import { useState } from "preact/hooks"
import { useChat } from "../chatContext.ts"
import type { InputOf } from "../payload.ts"
import { mediaAddress } from "../richText/address.ts"
import { texts } from "../texts.ts"
import type { InputProps } from "./inputProps.ts"
import { AskForm, matches, SearchField, SendButton, useFirstFocus } from "./parts.tsx"
import { useSelection } from "./useSelection.ts"

type Item = NonNullable<InputOf<"picture choice input">["items"]>[number]

export function PictureChoiceInput({ input }: InputProps<"picture choice input">): VNode {
  const { options = {}, items = [] } = input
  const [words, setWords] = useState("")
  const shown = items.filter(({ title, description }) => matches(words, title, description))
  const Pictures = options.isMultipleChoice ? Several : One
  return (
    <div class="choices">
      {options.isSearchable && (
        <SearchField
          placeholder={options.searchInputPlaceholder}
          onSearch={setWords}
          count={shown.length}
        />
      )}
      <Pictures input={input} shown={shown} />
    </div>
  )
}

type PicturesProps = { input: InputOf<"picture choice input">; shown: readonly Item[] }

function One({ input, shown }: PicturesProps): VNode {
  const { answer } = useChat()
  const first = useFirstFocus<HTMLButtonElement>()
  const isSearchable = input.options?.isSearchable === true
  const choose = (item: Item) => {
    const text = item.value || nameOf(item)
    answer({ message: { type: "text", text, metadata: { replyId: item.id } }, shown: nameOf(item) })
  }
  return (
    <fieldset class="pictures" aria-label={texts.chooseOne}>
      {shown.map((item, index) => (
        <button
          key={item.id}
          ref={index === 0 && !isSearchable ? first : null}
          type="button"
          class="tile"
          onClick={() => choose(item)}
        >
          <Tile item={item} />
        </button>
      ))}
    </fieldset>
  )
}

function Several({ input, shown }: PicturesProps): VNode {
  const { answer } = useChat()
  const { options = {}, items = [] } = input
  const selection = useSelection(items)
  const first = useFirstFocus<HTMLInputElement>()
  const send = () => {
    const { chosen } = selection
    if (chosen.length === 0) return first.current?.focus()
    const text = chosen.map((item) => item.value || nameOf(item)).join(", ")
    answer({ message: { type: "text", text }, shown: chosen.map(nameOf).join(", ") })
  }
  return (
    <AskForm onSubmit={send} class="several" label={texts.chooseSeveral}>
      <div class="pictures">
        {shown.map((item, index) => (
          <label key={item.id} class="tile choice">
            <input
              ref={index === 0 && !options.isSearchable ? first : null}
              type="checkbox"
              checked={selection.has(item.id)}
              onChange={() => selection.toggle(item.id)}
            />
            <Tile item={item} />
          </label>
        ))}
      </div>
      {selection.chosen.length > 0 && <SendButton label={options.buttonLabel} />}
    </AskForm>
  )
}

/** Without a title the picture itself is the answer, by its address. */
function nameOf({ title, pictureSrc = "" }: Item): string {
  return title || pictureSrc
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

/** The name of the file is the only word that there is for a picture without a title. */
function lastPart(address: string): string {
  return new URL(address).pathname.split("/").pop() || address
}
