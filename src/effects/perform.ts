/** Answers the engine's calls: each kind has one performer, and a failure is an answer too. */
import type { Call, CallKind, Failure, Outcome } from "../engine/calls.ts"

/** Where a call comes from; nothing of it can be chosen by the bot. */
export type CallContext = {
  /** The only workspace whose bots and credentials may be used; absent: none. */
  workspaceId?: string | undefined
  /** Who runs a preview, whose rights decide what it opens; absent in live chats. */
  previewerId?: string | undefined
  botId: string
  /** Absent in previews. */
  resultId?: string | undefined
  sessionId: string
  isPreview: boolean
  /** True for previews by callers we do not know: nothing leaves the house. */
  isRestricted: boolean
  /** The same for every repetition of this call in this turn, and different for every other. */
  idempotencyKey: string
  /** The same for all calls of a turn, and different for every other turn. */
  turnKey: string
  /** Aborts when the turn runs out of time. */
  signal: AbortSignal
}

/** Answers a call; never throws for what the outside world does. */
export type Perform = (call: Call, context: CallContext) => Promise<Outcome>

/** One kind of call: whether it touches the outside world, and how it is answered. */
export type Performer<K extends CallKind> = {
  /** Whether repeating the call could be noticed by somebody else. */
  isOutside: (call: Call<K>) => boolean
  perform: (call: Call<K>, context: CallContext) => Promise<Outcome<K> | Failure>
}

/** A performer for every kind: one that is missing does not compile. */
export type Performers = { [K in CallKind]: Performer<K> }

/** What the turn needs of the performers. */
export type Effects = {
  perform: Perform
  /** Whether a turn must own its session before it makes this call. */
  isOutside(call: Call): boolean
}

/** Puts the performers behind one door. */
export function openEffects(performers: Performers): Effects {
  // Each performer is only given calls of its own kind; the look-up by kind loses that.
  const byKind = performers as unknown as Record<CallKind, Performer<CallKind>>
  return {
    isOutside: (call) => byKind[call.kind].isOutside(call),
    perform: (call, context) => byKind[call.kind].perform(call, context) as Promise<Outcome>,
  }
}
