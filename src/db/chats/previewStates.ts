/** The states before the last answers of previews, to which their authors go back. */
import type { Db } from "../connection/openDatabase.ts"
import { isClaimedColumn } from "./claims.ts"
import { maxResponses } from "./previewResponses.ts"
import type { PreviewSessionRow } from "./previews.ts"
import type { KeyedResponse } from "./sessions.ts"

/** How many states a preview keeps, and how many bytes they take together. */
const maxStates = 50
const maxBytes = 2 * 1024 * 1024

/** Stores the state after an answer, and keeps the one before. Returns false when another turn won. */
export async function saveAnsweredPreview(
  db: Db,
  turn: { id: string; revision: number; state: string; keyed?: KeyedResponse | undefined },
): Promise<boolean> {
  const text = "select save_answered_preview($1, $2, $3, $4, $5, $6, $7, $8, $9) as saved"
  const { id, revision, state, keyed } = turn
  const response = [keyed?.key ?? null, keyed?.bodyHash ?? null, keyed?.body ?? null, maxResponses]
  const values = [id, revision, state, maxStates, maxBytes, ...response]
  const rows = await db.run<{ saved: boolean }>({ name: "save_answered_preview", text }, values)
  return rows[0]?.saved === true
}

/** A preview, and the last state that it has left; null: it has kept none. */
export type PreviewStateRow = Pick<
  PreviewSessionRow,
  "state" | "revision" | "isClaimed" | "claimedBy"
> & { keptState: string | null; keptRevision: number | null }

/** Finds a preview to go back in. Returns undefined when the user has none of that id with the bot. */
export async function findPreviewState(
  db: Db,
  { id, botId, ownerUserId }: { id: string; botId: string; ownerUserId: string },
): Promise<PreviewStateRow | undefined> {
  const text = `select s.state, s.revision, ${isClaimedColumn}, s.claimed_by as "claimedBy",
  k.state as "keptState", k.revision as "keptRevision"
from preview_sessions s left join preview_states k on k.session_id = s.id
where s.id = $1 and s.bot_id = $2 and s.owner_user_id = $3
order by k.revision desc nulls last limit 1`
  const values = [id, botId, ownerUserId]
  const rows = await db.run<PreviewStateRow>({ name: "find_preview_state", text }, values)
  return rows[0]
}

/** Goes back to a kept state, and deletes it. Returns false when a turn won. */
export async function restorePreviewState(
  db: Db,
  back: { id: string; revision: number; state: string; keptRevision: number },
): Promise<boolean> {
  const text = "select restore_preview_state($1, $2, $3, $4) as saved"
  const values = [back.id, back.revision, back.state, back.keptRevision]
  const rows = await db.run<{ saved: boolean }>({ name: "restore_preview_state", text }, values)
  return rows[0]?.saved === true
}
