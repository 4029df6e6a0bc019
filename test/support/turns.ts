/** Turns to save, and what is stored of them. */

import { findSession, type TurnToSave } from "../../src/db/chats/sessions.ts"
import type { Db } from "../../src/db/connection/openDatabase.ts"
import { newSessionId, newUuid } from "../../src/lib/ids.ts"

/** A turn that opens a session of its own, with no rows beside it. */
export function openingTurn(): TurnToSave {
  const resultId = newUuid()
  return {
    resultId,
    sessionId: newSessionId(resultId),
    revision: null,
    state: '{"v":1}',
    rows: { botId: "bot1", versionId: newUuid() },
  }
}

/** State and revision of a turn's session; undefined: there is none. */
export async function stateOf(db: Db, turn: TurnToSave): Promise<[string, number] | undefined> {
  const { session } = await findSession(db, turn)
  return session && [session.state, session.revision]
}

/** The row of a result; undefined: there is none. */
export async function resultOf(db: Db, resultId: string): Promise<unknown> {
  const query = db.kysely.selectFrom("results").selectAll().where("resultId", "=", resultId)
  return query.executeTakeFirst()
}

/** Number and content of a result's answers, in their order. */
export async function answersOf(db: Db, resultId: string): Promise<[number, string][]> {
  const rows = await db.kysely
    .selectFrom("answers")
    .select(["idx", "content"])
    .where("resultId", "=", resultId)
    .orderBy("idx")
    .execute()
  return rows.map(({ idx, content }) => [idx, content])
}
