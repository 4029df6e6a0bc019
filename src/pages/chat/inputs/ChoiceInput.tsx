/** Asks to choose one or several of the given answers. */
import type { VNode } from "preact"
import { useState } from "preact/hooks"
import { useChat } from "../chatContext.ts"
import type { InputOf } from "../payload.ts"
import { texts } from "../texts.ts"
import type { InputProps } from "./inputProps.ts"
import { AskForm, matches, SearchField, SendButton, useFirstFocus } from "./parts.tsx"
import { useSelection } from "./useSelection.ts"

type Item = NonNullable<InputOf<"choice input">["items"]>[number]

export function ChoiceInput({ input }: InputProps<"choice input">): VNode {
  const { bot } = useChat()
  const { options = {}, items = [] } = input
  const [words, setWords] = useState("")
  const isHidden = options.areInitialSearchButtonsVisible === false && words.trim() === ""
  const shown = options.isSearchable
    ? items.filter(({ content }) => !isHidden && matches(words, content))
    : items
  const isColumn = bot.theme.chat?.buttonsInput?.layout === "vertical"
  const Choices = options.isMultipleChoice ? Several : One
  return (
    <div class={isColumn ? "choices column" : "choices"}>
      {options.isSearchable && (
        <SearchField
          placeholder={options.searchInputPlaceholder}
          onSearch={setWords}
          count={shown.length}
        />
      )}
      <Choices input={input} shown={shown} />
    </div>
  )
}

type ChoicesProps = { input: InputOf<"choice input">; shown: readonly Item[] }

function One({ input, shown }: ChoicesProps): VNode {
  const { answer } = useChat()
  const first = useFirstFocus<HTMLButtonElement>()
  const isSearchable = input.options?.isSearchable === true
  const choose = ({ id, value, content = "" }: Item) => {
    const message = { type: "text", text: value || content, metadata: { replyId: id } } as const
    answer({ message, shown: content || value || "" })
  }
  return (
    <fieldset class="options" aria-label={texts.chooseOne}>
      {shown.map((item, index) => (
        <button
          key={item.id}
          ref={index === 0 && !isSearchable ? first : null}
          type="button"
          class="button"
          onClick={() => choose(item)}
        >
          {item.content || item.value}
        </button>
      ))}
    </fieldset>
  )
}

function Several({ input, shown }: ChoicesProps): VNode {
  const { answer } = useChat()
  const { options = {}, items = [] } = input
  const selection = useSelection(items)
  const first = useFirstFocus<HTMLInputElement>()
  const send = () => {
    const { chosen } = selection
    if (chosen.length === 0) return first.current?.focus()
    const text = chosen.map(({ value, content }) => value || content).join(", ")
    answer({
      message: { type: "text", text },
      shown: chosen.map(({ content }) => content).join(", "),
    })
  }
  return (
    <AskForm onSubmit={send} class="several" label={texts.chooseSeveral}>
      <div class="options">
        {shown.map((item, index) => (
          <label key={item.id} class="button choice">
            <input
              ref={index === 0 && !options.isSearchable ? first : null}
              type="checkbox"
              checked={selection.has(item.id)}
              onChange={() => selection.toggle(item.id)}
            />
            <span>{item.content}</span>
          </label>
        ))}
      </div>
      {selection.chosen.length > 0 && <SendButton label={options.buttonLabel} />}
    </AskForm>
  )
}
