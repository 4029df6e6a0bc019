/** Talks with people of the team, who take over a chat and hand it back. */
import type { ChatInput, ChatStep } from "../payload.ts"
import { newKey, Refusal } from "./connection.ts"
import { deleteDraft, keep, sessionPath, type Talk } from "./talk.ts"
import type { AnswerEntry, Entry, OfTeam } from "./view.ts"

/** The field in which the person writes to the team; no question of a bot has this id. */
export const teamInput: ChatInput = { id: "parley-team", type: "text input" } as ChatInput

const typingMs = 6_000

/** Shows what the team does. */
export function hearTeam(talk: Talk, heard: OfTeam): void {
  const { store } = talk
  clearTimeout(talk.teamTyping)
  const isTeamTyping = "isTyping" in heard
  store.change({ isTeamTyping })
  if (isTeamTyping) {
    talk.teamTyping = setTimeout(() => store.change({ isTeamTyping: false }), typingMs)
  } else if ("reply" in heard) {
    const { id, text, richText, attachedFileUrls: urls, author } = heard.reply
    const content = richText
      ? ({ type: "richText", richText } as const)
      : ({ type: "markdown", markdown: text } as const)
    const message = { id, type: "text", content } as const
    placeEntry(talk, { kind: "message", key: ++talk.lastKey, id, message, of: { author, urls } })
    talk.emit({ type: "message", message })
  } else {
    store.change({ isPaused: heard.isPaused })
    keep(talk, { isPaused: heard.isPaused })
  }
}

/** Puts an entry where it is in the order of the service, in what is shown and in what is remembered. */
function placeEntry(talk: Talk, entry: Entry): void {
  const { store, kept } = talk
  store.change({ entries: placed(store.read().entries, entry) })
  // While messages of the bot are being shown, all of them are remembered.
  keep(talk, { entries: placed(kept?.entries ?? [], entry) })
}

/** Behind all others but later messages, and those that the service does not have yet. */
function placed(entries: readonly Entry[], entry: Entry): readonly Entry[] {
  const others = entries.filter(({ key }) => key !== entry.key)
  const { id } = entry
  if (id === undefined) return [...others, entry]
  const isEarlier = (each: Entry) =>
    each.id === undefined ? each.kind === "message" || each.isSent : each.id < id
  const place = others.findLastIndex(isEarlier) + 1
  return [...others.slice(0, place), entry, ...others.slice(place)]
}

/** Shows a message to the team, before it is sent. */
export function addToTeam(talk: Talk, text: string): AnswerEntry {
  const sent = { kind: "answer", key: ++talk.lastKey, text, urls: [], isSent: false } as const
  const entry = { ...sent, teamKey: newKey() }
  deleteDraft(talk)
  talk.store.change({ notice: undefined })
  placeEntry(talk, entry)
  return entry
}

/** The messages to the team that the service may not have. */
export function unsentToTeam({ entries }: { entries: readonly Entry[] }): AnswerEntry[] {
  return entries.filter(
    (entry): entry is AnswerEntry => entry.kind === "answer" && !entry.isSent && !!entry.teamKey,
  )
}

/** Sends a message to the team. Returns the step with the question of the bot if it has the chat again. */
export async function sendToTeam(talk: Talk, entry: AnswerEntry): Promise<ChatStep | undefined> {
  const { connection, store } = talk
  // It names a question that was never asked, so that the bot does not take it for an answer once it goes on.
  const metadata = { inputId: teamInput.id }
  const message = { type: "text", text: entry.text, metadata } as const
  try {
    const body = { message, acceptsPaused: true }
    const step = await connection.post<ChatStep>(
      sessionPath(talk, "continueChat"),
      body,
      entry.teamKey,
    )
    if (step.state === "paused") {
      placeEntry(talk, { ...entry, isSent: true, id: step.messageId })
      return undefined
    }
    hearTeam(talk, { isPaused: false })
    giveBack(talk, entry)
    return step
  } catch (error) {
    if (!(error instanceof Refusal) || error.status === 404) throw error
    giveBack(talk, entry)
    store.change({ notice: error.status === 413 ? "tooLong" : "failed" })
    return undefined
  }
}

/** Takes back a message that the service did not take. */
function giveBack(talk: Talk, { key }: AnswerEntry): void {
  const without = (entries: readonly Entry[]) => entries.filter((each) => each.key !== key)
  talk.store.change({ entries: without(talk.store.read().entries) })
  keep(talk, { entries: without(talk.kept?.entries ?? []) })
}

const everyMs = 3_000

/** Tells the team that the person types, now and then. */
export function signTyping(talk: Talk): void {
  const now = Date.now()
  if (!talk.store.read().isPaused || now - (talk.typedAt ?? 0) < everyMs) return
  talk.typedAt = now
  talk.connection.notify(sessionPath(talk, "typing"), {})
}
