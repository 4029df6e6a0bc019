/** Asks to choose what is offered: one by a click, or several that are marked and then sent. */
import type { ComponentChildren, VNode } from "preact"
import { useState } from "preact/hooks"
import { useChat } from "../chatContext.ts"
import { SearchIcon } from "../icons.tsx"
import { texts } from "../texts.ts"
import { AskForm, SendButton, useFirstFocus } from "./parts.tsx"

/** Something to choose. */
type Offer = {
  id: string
  /** What is sent, and what the conversation shows of it. */
  text: string
  shown: string
  face: ComponentChildren
  /** What a search looks in. */
  words: readonly (string | null | undefined)[]
}

type ChoiceOptions = {
  isMultipleChoice?: boolean | undefined
  isSearchable?: boolean | undefined
  searchInputPlaceholder?: string | undefined
  areInitialSearchButtonsVisible?: boolean | undefined
  buttonLabel?: string | undefined
}

type Props = {
  offers: readonly Offer[]
  options: ChoiceOptions
  /** CSS classes of the list, and of each thing in it. */
  list: string
  item: string
}

export function Offers(props: Props): VNode {
  const { offers, options } = props
  const [words, setWords] = useState("")
  const isHidden = options.areInitialSearchButtonsVisible === false && words.trim() === ""
  const found = offers.filter((offer) => !isHidden && matches(words, offer.words))
  const shown = options.isSearchable ? found : offers
  const Choices = options.isMultipleChoice ? Several : One
  return (
    <div class="choices">
      {options.isSearchable && (
        <SearchField
          placeholder={options.searchInputPlaceholder}
          onSearch={setWords}
          count={shown.length}
        />
      )}
      <Choices {...props} shown={shown} />
    </div>
  )
}

type ChoicesProps = Props & { shown: readonly Offer[] }

function One({ options, shown, list, item }: ChoicesProps): VNode {
  const { answer } = useChat()
  const first = useFirstFocus<HTMLButtonElement>()
  return (
    <fieldset class={list} aria-label={texts.chooseOne}>
      {shown.map(({ id, text, shown, face }, index) => (
        <button
          key={id}
          ref={index === 0 && !options.isSearchable ? first : null}
          type="button"
          class={item}
          onClick={() =>
            answer({ message: { type: "text", text, metadata: { replyId: id } }, shown })
          }
        >
          {face}
        </button>
      ))}
    </fieldset>
  )
}

function Several({ offers, options, shown, list, item }: ChoicesProps): VNode {
  const { answer } = useChat()
  const [ids, setIds] = useState<readonly string[]>([])
  const first = useFirstFocus<HTMLInputElement>()
  // In the order in which they are offered.
  const chosen = offers.filter(({ id }) => ids.includes(id))
  const toggle = (id: string) =>
    setIds(ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id])
  const send = () => {
    if (chosen.length === 0) return first.current?.focus()
    const text = chosen.map((offer) => (isShared(offer, offers) ? offer.id : offer.text)).join(", ")
    answer({ message: { type: "text", text }, shown: chosen.map(({ shown }) => shown).join(", ") })
  }
  return (
    <AskForm onSubmit={send} class="several" label={texts.chooseSeveral}>
      <div class={list}>
        {shown.map(({ id, face }, index) => (
          <label key={id} class={`${item} choice`}>
            <input
              ref={index === 0 && !options.isSearchable ? first : null}
              type="checkbox"
              checked={ids.includes(id)}
              onChange={() => toggle(id)}
            />
            {face}
          </label>
        ))}
      </div>
      {chosen.length > 0 && <SendButton label={options.buttonLabel} />}
    </AskForm>
  )
}

/** Whether others are sent by the same text, which then names the first of them alone. */
function isShared({ text }: Offer, offers: readonly Offer[]): boolean {
  return offers.filter((offer) => offer.text === text).length > 1
}

type SearchProps = {
  placeholder: string | undefined
  onSearch(words: string): void
  count: number
}

function SearchField({ placeholder, onSearch, count }: SearchProps): VNode {
  const label = placeholder || texts.search
  const first = useFirstFocus<HTMLInputElement>()
  return (
    <div class="search field">
      <SearchIcon />
      <input
        ref={first}
        type="search"
        aria-label={label}
        placeholder={label}
        autoComplete="off"
        onInput={({ currentTarget }) => onSearch(currentTarget.value)}
      />
      <span class="for-readers" role="status">
        {count === 0 ? texts.noMatch : ""}
      </span>
    </div>
  )
}

/** Whether a text holds all the words that were searched for, whatever their case and accents. */
function matches(words: string, parts: Offer["words"]): boolean {
  const text = fold(parts.filter(Boolean).join(" "))
  return fold(words)
    .split(/\s+/)
    .every((word) => text.includes(word))
}

function fold(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase()
}
