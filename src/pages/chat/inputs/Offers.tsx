/** Asks the person to choose: one offer with a click, or several that are ticked and then sent. */
import type { ComponentChildren, VNode } from "preact"
import { useState } from "preact/hooks"
import { useChat } from "../chatContext.ts"
import { SearchIcon } from "../icons.tsx"
import type { InputOf } from "../payload.ts"
import { AskForm, SendButton, useDraft } from "./parts.tsx"

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

type Props = {
  input: Pick<InputOf<"choice input">, "id" | "options">
  offers: readonly Offer[]
  /** CSS classes of the list and of each offer. */
  list: string
  item: string
}

export function Offers(props: Props): VNode {
  const { input, offers } = props
  const { isSearchable, isMultipleChoice, areInitialSearchButtonsVisible, searchInputPlaceholder } =
    input.options ?? {}
  const { answer, texts } = useChat()
  const [words, setWords] = useState("")
  const [ids, setIds] = useDraft<readonly string[]>(input, "ids", [])
  const isSearching = isSearchable === true && words.trim() !== ""
  const isHidden = isSearchable && areInitialSearchButtonsVisible === false && !isSearching
  const found = isHidden ? [] : offers.filter((offer) => matches(words, offer.words))
  // Ticked offers stay in view during every search.
  const shown = offers.filter((offer) => found.includes(offer) || ids.includes(offer.id))
  const choose = ({ id, text, shown }: Offer) => {
    const message = { type: "text", text, metadata: { replyId: id } } as const
    answer({ message, shown, staysAsGiven: true })
  }
  const takeOnly = () => {
    const [only, other] = found
    if (!isSearching || !only || other) return
    if (!isMultipleChoice) return choose(only)
    if (!ids.includes(only.id)) setIds([...ids, only.id])
    setWords("")
  }
  return (
    <div class={isSearchable ? "choices searchable" : "choices"}>
      {isSearchable && (
        <SearchField
          placeholder={searchInputPlaceholder}
          words={words}
          onSearch={setWords}
          onEnter={takeOnly}
        />
      )}
      {isSearchable && (
        <p class="no-match" role="status">
          {isSearching && found.length === 0 ? texts.noMatch : ""}
        </p>
      )}
      {isMultipleChoice ? (
        <MultipleChoice {...props} shown={shown} ids={ids} setIds={setIds} />
      ) : (
        <fieldset class={props.list} aria-label={texts.chooseOne}>
          {shown.map((offer) => (
            <button key={offer.id} type="button" class={props.item} onClick={() => choose(offer)}>
              {offer.face}
            </button>
          ))}
        </fieldset>
      )}
    </div>
  )
}

type MultipleProps = Props & {
  shown: readonly Offer[]
  ids: readonly string[]
  setIds(ids: readonly string[]): void
}

function MultipleChoice(props: MultipleProps): VNode {
  const { input, offers, shown, list, item, ids, setIds } = props
  const { answer, texts, locale } = useChat()
  // In the order of the offers.
  const chosen = offers.filter(({ id }) => ids.includes(id))
  const toggle = (id: string) =>
    setIds(ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id])
  const send = () => {
    const text = chosen.map((offer) => (isShared(offer, offers) ? offer.id : offer.text)).join(", ")
    const shown = new Intl.ListFormat(locale).format(chosen.map(({ shown }) => shown))
    answer({ message: { type: "text", text }, shown, staysAsGiven: true })
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
      {chosen.length > 0 && <SendButton label={input.options?.buttonLabel} />}
    </AskForm>
  )
}

/** Whether other offers are sent as the same text, by which the service would find only the first. */
function isShared({ text }: Offer, offers: readonly Offer[]): boolean {
  return offers.filter((offer) => offer.text === text).length > 1
}

type SearchProps = {
  placeholder: string | undefined
  words: string
  onSearch(words: string): void
  onEnter(): void
}

function SearchField({ placeholder, words, onSearch, onEnter }: SearchProps): VNode {
  const label = placeholder || useChat().texts.search
  return (
    <div class="search field">
      <SearchIcon />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        autoComplete="off"
        value={words}
        onInput={({ currentTarget }) => onSearch(currentTarget.value)}
        onKeyDown={({ key, isComposing }) => {
          if (key === "Enter" && !isComposing) onEnter()
        }}
      />
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
