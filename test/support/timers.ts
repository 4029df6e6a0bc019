/** Fires the timers of chats, and lets time pass for them. */
import { afterEach } from "vitest"
import { fireTimers } from "../../src/chat/conversations/fireTimers.ts"
import type { OpenDatabase } from "../../src/db/connection/openDatabase.ts"
import type { Effects } from "../../src/effects/perform.ts"
import { createSnapshots } from "../../src/effects/snapshots.ts"
import { silentLog } from "../../src/telemetry/log.ts"
import { noSubscriptions, openTestChat } from "./chats.ts"

/** What a look counts that finds nothing due. */
export const noneFired = { idle: 0, resumed: 0, expired: 0, postponed: 0, gone: 0, busy: 0 }

/** Timers of a database in which no job fires them. */
export function timersOn(db: OpenDatabase) {
  // A timer of one test is not due in the next, however long both take.
  afterEach(async () => {
    await db.pool.query("delete from timers")
  })
  const nothingIsOutside = async () => ({
    failed: true as const,
    description: "Nothing is outside",
  })

  /** A process. */
  function openProcess(
    perform: Effects["perform"] = nothingIsOutside,
    subscriptions = noSubscriptions,
  ) {
    const effects = { isOutside: () => true, perform }
    const snapshots = createSnapshots(db)
    return openTestChat({ db, log: silentLog(), snapshots, effects, subscriptions })
  }

  /** A process that looks once. */
  function look(chat = openProcess()) {
    return fireTimers(chat, { db, log: silentLog(), forMs: 0 }, new AbortController().signal)
  }

  /** As if so many seconds passed: all times of the chat are that much earlier. */
  async function pass(resultId: string, seconds: number): Promise<void> {
    const ms = seconds * 1_000
    const earlier = (at: Date | null) => at && new Date(at.getTime() - ms)
    const { rows } = await db.pool.query(
      `select s.state, s.updated_at, s.expires_at, t.due_at from chat_sessions s
      join timers t on t.result_id = s.result_id where s.result_id = $1`,
      [resultId],
    )
    const [row] = rows
    const state = String(row.state).replace(
      /"(since|resumesAt)":(\d+)/g,
      (_, name, at) => `"${name}":${Number(at) - ms}`,
    )
    await db.pool.query(
      "update chat_sessions set state = $2, updated_at = $3, expires_at = $4 where result_id = $1",
      [resultId, state, earlier(row.updated_at), earlier(row.expires_at)],
    )
    await db.pool.query("update timers set due_at = $2 where result_id = $1", [
      resultId,
      earlier(row.due_at),
    ])
  }

  async function toldTo(resultId: string): Promise<[string, Record<string, unknown>][]> {
    const { rows } = await db.pool.query(
      "select type, data from session_events where result_id = $1 order by id",
      [resultId],
    )
    return rows.map(({ type, data }) => [type, data])
  }
  return { nothingIsOutside, openProcess, look, pass, toldTo }
}
