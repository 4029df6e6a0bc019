/** Describes a traced turn of a preview, and the chat's variables after it. */

import { cut } from "../../lib/cut.ts"
import { groupBy } from "../../lib/groupBy.ts"
import type { Bot } from "../bot.ts"
import type { Variable, VariableValue } from "../schema/variable.ts"
import type { Session } from "../session.ts"
import type { Turn } from "../turn/run.ts"
import { describeCall } from "./describeTrace.ts"
import type { StoredCall } from "./trace.ts"

/** A call, and the index of its block on the trail. */
export type TrailCall = { place: number; call: StoredCall }

type Seen = {
  bots: { get(version: string): Bot | undefined }
  /** Whether to include values of session variables. */
  showsSession: boolean
}

/** Max blocks listed per turn; a loop may pass thousands. */
const maxBlocks = 1_000

/** The turn as `PreviewTrace` of the API; `endedAt` is a time of the same stopwatch. */
export function describeTrail(
  { session, trail = [] }: Pick<Turn, "session" | "trail">,
  { calls, endedAt, ...seen }: Seen & { calls: readonly TrailCall[]; endedAt: number },
) {
  const root = rootOf(session, seen)
  const callsAt = groupBy(calls, ({ place }) => place)
  const blocks = trail.slice(0, maxBlocks).map(({ blockId, version, at, edgeId }, place) => {
    const bot = seen.bots.get(version)
    const made = callsAt.get(place)?.map(({ call }) => describeCall(call))
    return {
      blockId,
      groupId: bot?.positions.get(blockId)?.group.id ?? "",
      ...ofLinked(bot, root),
      ms: inTenths((trail[place + 1]?.at ?? endedAt) - at),
      ...(edgeId !== undefined && { edgeId }),
      ...(made && { calls: made }),
    }
  })
  return {
    turn: session.step,
    blocks,
    variables: describeVariables(session, seen),
    answers: trail.flatMap(({ answer }) => answer ?? []),
    isCut: trail.length > maxBlocks,
  }
}

/** The variables with a value, first those of the running bot. */
export function describeVariables(session: Session, seen: Seen) {
  const root = rootOf(session, seen)
  const known = new Set<string>()
  return session.queue.flatMap(({ version, values, adopted = [], hidden = [] }) => {
    const bot = seen.bots.get(version)
    const held = new Map<string, VariableValue | undefined>(
      values.map(([id, value]) => [id, value]),
    )
    const own: readonly Variable[] = [...(bot?.flow.variables ?? []), ...adopted]
    return own.flatMap(({ id, name, isSessionVariable }) => {
      const value = held.get(id) ?? null
      if (value === null || known.has(id)) return []
      known.add(id)
      const isOfSession = isSessionVariable === true || hidden.includes(id)
      const isVisible = seen.showsSession || !isOfSession
      return {
        id,
        name: cut(name),
        ...ofLinked(bot, root),
        ...(isVisible && { value }),
        isSessionVariable: isOfSession,
      }
    })
  })
}

function rootOf(session: Session, { bots }: Seen): Bot | undefined {
  return bots.get(session.queue.at(-1)?.version ?? "")
}

/** The bot's id, for elements of linked bots. */
function ofLinked(bot: Bot | undefined, root: Bot | undefined) {
  return bot === undefined || bot.id === root?.id ? {} : { botId: bot.id }
}

/** More digits would be noise. */
function inTenths(ms: number): number {
  return Math.round(ms * 10) / 10
}
