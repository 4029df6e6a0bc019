/** The state of a conversation, in a word and a colour. */
import { defineTexts, useTexts } from "../shell/texts.ts"
import classes from "./ConversationsPage.module.css"
import type { ConversationState } from "./conversationsSearch.ts"

const texts = defineTexts({
  en: {
    active: "With the bot",
    waiting: "Waits for a system",
    paused: "With a person",
    ended: "Ended",
    expired: "Expired",
  } satisfies Record<ConversationState, string>,
  de: {
    active: "Beim Bot",
    waiting: "Wartet auf ein System",
    paused: "Bei einer Person",
    ended: "Beendet",
    expired: "Abgelaufen",
  },
})

export function useStateNames(): Readonly<Record<ConversationState, string>> {
  return useTexts(texts)
}

/** A newer service may have another state, which has no word here. */
export function StateMark({ state }: { state: string }) {
  const names: Readonly<Record<string, string>> = useStateNames()
  return (
    <span className={classes.state} data-state={state}>
      {names[state] ?? state}
    </span>
  )
}
