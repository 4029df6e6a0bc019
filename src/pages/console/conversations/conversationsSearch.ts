/** Which conversations the view shows, and which one is open, as its address has it. */

export const states = ["active", "waiting", "paused", "ended", "expired"] as const

export type ConversationState = (typeof states)[number]

export type ConversationsSearch = {
  state?: ConversationState
  /** Only those of the user. */
  mine?: boolean
  /** Id of the session that is open. */
  session?: string
}

export function readConversationsSearch(sent: Record<string, unknown>): ConversationsSearch {
  const state = states.find((each) => each === sent.state)
  return {
    ...(state && { state }),
    ...(sent.mine === true && { mine: true }),
    ...(typeof sent.session === "string" && { session: sent.session }),
  }
}
