/** Shows the messages and runs the actions of a step, in order and at the pace of typing. */
import { type ActionHandler, actions } from "../actions/actions.ts"
import type { ActionType, ChatMessage, ChatStep, ClientAction } from "../payload.ts"
import { mediaAddress } from "../richText/address.ts"
import { prepareMedia } from "./media.ts"
import { pause } from "./pause.ts"
import { forget, keep, maxTextLength, sessionPath, type Talk } from "./talk.ts"
import { typingMs } from "./typing.ts"
import type { MessageEntry } from "./view.ts"

/** The outcome of an action, for a chat that waits for it. */
type Outcome = {
  text?: string | undefined
  /** The step with which the chat has already continued. */
  step?: ChatStep
  /** True: a command came before there was an outcome. */
  isInterrupted?: true
}

/** Plays a step. Returns the outcome of the action that the chat waits for, if there is one. */
export async function play(talk: Talk, step: ChatStep): Promise<Outcome | undefined> {
  const { store } = talk
  const { messages, input, progress, dynamicTheme } = step
  const rest = [...(step.clientSideActions ?? [])]
  const awaited = rest.find((action) => action.expectsDedicatedReply)
  const waiting = messages.find(waitsForPage)
  // The service has ended the chat, though its last messages are yet to be shown.
  if (!input && !awaited && !waiting) talk.hearing?.abort()
  const coming = messages.map(
    (message): MessageEntry => ({ kind: "message", key: ++talk.lastKey, message }),
  )
  const entries = [...store.read().entries, ...coming]
  // Remembered before it is shown, so that a reload in between loses nothing.
  const look = {
    ...(progress !== undefined && { progress }),
    ...(dynamicTheme && { dynamicTheme }),
  }
  keep(talk, { entries, input, awaited, pending: undefined, ...look })
  store.change(look)
  let outcome = await runActions(talk, takeActions(rest, undefined))
  for (const entry of coming) {
    await show(talk, entry)
    outcome = (await runActions(talk, takeActions(rest, entry.message.id))) ?? outcome
  }
  outcome = (await runActions(talk, rest)) ?? outcome
  store.change({ isTyping: false })
  if (outcome) return outcome.isInterrupted ? undefined : outcome
  if (input) store.change({ input })
  else {
    if (!waiting) end(talk)
    // A page without an address will never report anything.
    else if (waiting.type === "embed" && !mediaAddress(waiting.content.url)) return {}
  }
  return undefined
}

async function show(talk: Talk, entry: MessageEntry): Promise<void> {
  const { store, closing } = talk
  const { entries, bot } = store.read()
  const isFirst = entries.length === 0
  const delayMs = typingMs(entry.message, bot?.settings ?? {}, isFirst)
  if (delayMs > 0) store.change({ isTyping: true })
  await Promise.all([pause(delayMs, closing.signal), prepareMedia(entry.message)])
  store.change({ entries: [...store.read().entries, entry], isTyping: false })
  talk.emit({ type: "message", message: entry.message })
}

/** Takes the actions that follow a message; undefined: those before the first. */
function takeActions(rest: ClientAction[], messageId: string | undefined): ClientAction[] {
  const taken = rest.filter((action) => action.lastBubbleBlockId === messageId)
  for (const action of taken) rest.splice(rest.indexOf(action), 1)
  return taken
}

/** Runs actions one after the other. Returns the outcome of the one that the chat waits for. */
async function runActions(talk: Talk, list: readonly ClientAction[]): Promise<Outcome | undefined> {
  let outcome: Outcome | undefined
  for (const action of list) {
    talk.emit({ type: "action", action })
    const found = await runAction(talk, action)
    if (action.expectsDedicatedReply) outcome = found
  }
  return outcome
}

/** Runs an action. A failure is reported to the author, and the chat continues. */
async function runAction(talk: Talk, action: ClientAction): Promise<Outcome> {
  const run = actions[action.type] as ActionHandler<ActionType>
  try {
    const outcome = await run(talk, action)
    if (typeof outcome === "object") return { step: outcome }
    if (outcome && outcome.length > maxTextLength)
      throw new Error("The outcome is too long to be sent")
    return { text: outcome }
  } catch (error) {
    const { closing, interruption } = talk
    if (closing.signal.aborted) throw error
    if (interruption.signal.aborted && error === interruption.signal.reason) {
      return { isInterrupted: true }
    }
    const log = { description: `${action.type} failed at the client`, details: String(error) }
    talk.connection.notify(sessionPath(talk, "clientLogs"), { clientLogs: [log] })
    return {}
  }
}

/** Whether the chat waits for a page inside the message to report something. */
function waitsForPage({ type, content }: ChatMessage): boolean {
  if (type === "custom-embed") return true
  return type === "embed" && content.waitForEvent?.isEnabled === true
}

function end(talk: Talk): void {
  forget(talk)
  talk.store.change({ isOver: true })
  talk.emit({ type: "end" })
}
