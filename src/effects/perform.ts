/** Performs the engine's calls: each kind has a performer, and failures are outcomes too. */

import {
  type Call,
  type CallKind,
  type Failure,
  isFailure,
  type ModelUse,
  type Outcome,
  type ToolUse,
} from "../engine/calls.ts"
import type { Party } from "../lib/party.ts"
import type { Metrics } from "../telemetry/metrics.ts"
import { inSpan } from "../telemetry/tracing.ts"
import type { FileOwner } from "./files/fileKeys.ts"
import type { DescribeModelCall } from "./models/modelSpan.ts"
import { callsOut } from "./sandbox/sandbox.ts"
import type { Secrets } from "./variables/turnVariables.ts"

/** Where a call comes from; the bot cannot influence any of this. */
export type CallContext = {
  /** The party that the chat counts for in queues. */
  party: Party
  /** The workspace whose bots and credentials may be used; absent: none may be used. */
  workspaceId?: string | undefined
  /** The user whose rights a preview has; absent in live chats. */
  previewerId?: string | undefined
  botId: string
  /** Absent in previews. */
  resultId?: string | undefined
  sessionId: string
  /**
   * The results that the chat records now, with their bots. Those files are its own; new ones belong to the
   * first, that of the bot that runs.
   */
  fileOwners: readonly [FileOwner, ...FileOwner[]]
  isPreview: boolean
  /** True for anonymous previews, which must not have outside effects. */
  isRestricted: boolean
  /** The same whenever this call of this turn is repeated, and different for every other call. */
  idempotencyKey: string
  /** The same for all calls of a turn, and different for every other turn. */
  turnKey: string
  /** Aborts when the turn times out. */
  signal: AbortSignal
  /** Secrets of the workspace, whose marks may be in calls. Absent: none. */
  secrets?: Secrets | undefined
  /** Receives what a call of a model used when it ends, fails or is abandoned. Absent: it is not recorded. */
  noteUse?: ((use: ModelUse) => void) | undefined
  /** Receives each call of a tool that a model makes. Absent: they are not recorded. */
  noteTool?: ((use: ToolUse) => void) | undefined
}

/**
 * Performs one kind of call. Failures of the outside world are outcomes, never exceptions.
 *
 * ```ts
 * import { failed } from "./failures.ts"
 * import type { Performer } from "./perform.ts"
 *
 * export function openQrCodes(draw: (text: string) => Promise<string>): Performer<"qrCode"> {
 *   return async ({ text }, { isRestricted }) => {
 *     if (isRestricted) return failed("Files cannot be kept in an anonymous preview")
 *     return { url: await draw(text) }
 *   }
 * }
 * ```
 */
export type Performer<K extends CallKind> = (
  call: Call<K>,
  context: CallContext,
) => Promise<Outcome<K> | Failure>

export type Performers = { [K in CallKind]: Performer<K> }

export type Effects = {
  perform(call: Call, context: CallContext): Promise<Outcome>
  /** Whether a turn must claim its session before it makes this call. */
  isOutside(call: Call): boolean
}

/** Combines performers. Calls are counted and traced. */
export function combinePerformers(
  performers: Performers,
  metrics: Pick<Metrics, "countCall">,
  describeModelCall: DescribeModelCall,
): Effects {
  // Each performer only gets calls of its own kind, which TypeScript cannot follow through the table.
  const byKind = performers as unknown as Record<CallKind, Performer<CallKind>>
  return {
    isOutside,
    async perform(call, context) {
      const { kind } = call
      const startedAt = performance.now()
      let outcome: "ok" | "failed" = "failed"
      return await inSpan({ name: `call ${kind}` }, async (annotate) => {
        let use: ModelUse | undefined
        const noteUse = (used: ModelUse) => {
          use = used
          context.noteUse?.(used)
        }
        const noting = kind === "model" ? { ...context, noteUse } : context
        try {
          const answer = (await byKind[kind](call, noting)) as Outcome
          if (!isFailure(answer)) outcome = "ok"
          annotate({ "parley.outcome": outcome })
          if (use && call.kind === "model") annotate(describeModelCall(call, use, answer))
          return answer
        } finally {
          metrics.countCall({ kind, outcome, seconds: (performance.now() - startedAt) / 1_000 })
        }
      })
    },
  }
}

/** Calls of these kinds read or compute: they may be repeated. */
const inside: ReadonlySet<CallKind> = new Set(["bot", "history", "paymentCheck", "jwt"])

/**
 * Whether a call may have an effect elsewhere, which a repetition would have again. A webhook call can be
 * taken only once, so that counts, too.
 */
function isOutside(call: Call): boolean {
  return call.kind === "script" ? call.scripts.some(callsOut) : !inside.has(call.kind)
}
