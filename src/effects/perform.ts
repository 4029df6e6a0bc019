/** Performs the engine's calls: each kind has a performer, and failures are answers too. */
import { type Call, type CallKind, type Failure, isFailure, type Outcome } from "../engine/calls.ts"
import type { Metrics } from "../telemetry/metrics.ts"
import { inSpan } from "../telemetry/tracing.ts"

/** Where a call comes from; the bot cannot influence any of it. */
export type CallContext = {
  /** The workspace whose bots and credentials may be used; absent: no workspace's. */
  workspaceId?: string | undefined
  /** The user who runs a preview, and whose rights it has; absent in live chats. */
  previewerId?: string | undefined
  botId: string
  /** Absent in previews. */
  resultId?: string | undefined
  sessionId: string
  isPreview: boolean
  /** True for anonymous previews, which must not have outside effects. */
  isRestricted: boolean
  /** The same for every repetition of this call in this turn, and different for every other. */
  idempotencyKey: string
  /** The same for all calls of a turn, and different for every other turn. */
  turnKey: string
  /** Aborts when the turn times out. */
  signal: AbortSignal
}

/** Answers a call; never throws for what the outside world does. */
type Perform = (call: Call, context: CallContext) => Promise<Outcome>

/** One kind of call: whether it has outside effects, and how it is answered. */
export type Performer<K extends CallKind> = {
  /** Whether repeating the call could have an effect elsewhere. */
  isOutside: (call: Call<K>) => boolean
  perform: (call: Call<K>, context: CallContext) => Promise<Outcome<K> | Failure>
}

/** A performer for every kind of call. */
export type Performers = { [K in CallKind]: Performer<K> }

/** What the turn needs of the performers. */
export type Effects = {
  perform: Perform
  /** Whether a turn must own its session before it makes this call. */
  isOutside(call: Call): boolean
}

/** Combines the performers. */
export function combinePerformers(performers: Performers): Effects {
  // Each performer only gets calls of its own kind, which the lookup cannot express.
  const byKind = performers as unknown as Record<CallKind, Performer<CallKind>>
  return {
    isOutside: (call) => byKind[call.kind].isOutside(call),
    perform: (call, context) => byKind[call.kind].perform(call, context) as Promise<Outcome>,
  }
}

/** The same effects, counted and traced. */
export function observeEffects(effects: Effects, metrics: Pick<Metrics, "countCall">): Effects {
  return {
    isOutside: effects.isOutside,
    async perform(call, context) {
      const { kind } = call
      const startedAt = performance.now()
      let outcome: "ok" | "failed" = "failed"
      return await inSpan({ name: `call ${kind}` }, async (annotate) => {
        try {
          const answer = await effects.perform(call, context)
          if (!isFailure(answer)) outcome = "ok"
          annotate({ "parley.outcome": outcome })
          return answer
        } finally {
          metrics.countCall({ kind, outcome, seconds: (performance.now() - startedAt) / 1_000 })
        }
      })
    },
  }
}
