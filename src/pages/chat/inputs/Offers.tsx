/** Asks the person to choose: one offer with a click, or several that are ticked and then sent. */
import type { ComponentChildren, VNode } from "preact"
import { useState } from "preact/hooks"
import { useChat } from "../chatContext.ts"
import { SearchIcon } from "../icons.tsx"
import { texts } from "../texts.ts"
import { AskForm, SendButton } from "./parts.tsx"
import { useDraft } from "./useDraft.ts"

type Offer = {
  id: string
  /** Sent as the answer. */
  text: string
  /** Shown in the conversation as the answer. */
  shown: string
  face: ComponentChildren
  /** Texts that a search looks through. */
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
  input: { id: string }
  offers: readonly Offer[]
  options: ChoiceOptions
  /** CSS classes of the list and of each offer. */
  list: string
  item: string
}

export function Offers(props: Props): VNode {
  const { offers, options } = props
  const [words, setWords] = useState("")
  const isHidden = options.areInitialSearchButtonsVisible === false && words.trim() === ""
  const found = offers.filter((offer) => !isHidden && matches(words, offer.words))
  const shown = options.isSearchable ? found : offers
  const Choices = options.isMultipleChoice ? MultipleChoice : SingleChoice
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

function SingleChoice({ shown, list, item }: ChoicesProps): VNode {
  const { answer } = useChat()
  return (
    <fieldset class={list} aria-label={texts.chooseOne}>
      {shown.map(({ id, text, shown, face }) => (
        <button
          key={id}
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

function MultipleChoice({ input, offers, options, shown, list, item }: ChoicesProps): VNode {
  const { answer } = useChat()
  const [ids, setIds] = useDraft<readonly string[]>(input, "ids", [])
  // In the order of the offers.
  const chosen = offers.filter(({ id }) => ids.includes(id))
  const toggle = (id: string) =>
    setIds(ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id])
  const send = () => {
    const text = chosen.map((offer) => (isShared(offer, offers) ? offer.id : offer.text)).join(", ")
    answer({ message: { type: "text", text }, shown: chosen.map(({ shown }) => shown).join(", ") })
  }
  return (
    <AskForm
      onSubmit={send}
      isEmpty={chosen.length === 0}
      class="several"
      label={texts.chooseSeveral}
    >
      <div class={list}>
        {shown.map(({ id, face }) => (
          <label key={id} class={`${item} choice`}>
            <input type="checkbox" checked={ids.includes(id)} onChange={() => toggle(id)} />
            {face}
          </label>
        ))}
      </div>
      {chosen.length > 0 && <SendButton label={options.buttonLabel} />}
    </AskForm>
  )
}

/** Whether other offers are sent as the same text, by which the service would find only the first. */
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
  return (
    <div class="search field">
      <SearchIcon />
      <input
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

/** Whether the parts contain all the words of a search, ignoring case and accents. */
function matches(words: string, parts: Offer["words"]): boolean {
  const text = fold(parts.filter(Boolean).join(" "))
  return fold(words)
    .split(/\s+/)
    .every((word) => text.includes(word))
}

function fold(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase()
}
