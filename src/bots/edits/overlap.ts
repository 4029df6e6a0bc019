/** Finds conflicts of an edit with changes by others since its author read the draft. */
import { findObstacle, type LaterEdit, listLaterEdits, maxEdits } from "../../db/bots/edits.ts"
import type { LockedBot } from "../../db/bots/withLockedBot.ts"
import type { Db } from "../../db/connection/openDatabase.ts"
import { AppError, badRequest } from "../../lib/errors.ts"

/** The edits that may conflict, and the current revision. */
export type Since = { botId: string; present: number; revisions: readonly number[] }

/** The author of an edit, the revision they have seen, and the one it takes back; null: none. */
type Seen = { authorId: string; revision: number; target: number | null }

/**
 * The edits that the author has not seen; of an edit to take back, also those that others made after it.
 * A revision without an edit changed everything, or is no longer kept.
 */
export async function changesSince(
  db: Db,
  { id: botId, revision: present, updatedAt }: LockedBot,
  { revision, target, authorId }: Seen,
): Promise<Since> {
  if (revision > present) throw badRequest(`The draft is only at revision ${present}`)
  const after = Math.min(revision, target ?? revision)
  const edits = await listLaterEdits(db, { botId, after, limit: maxEdits })
  const isUnseen = edits.filter((edit) => edit.revision > revision).length !== present - revision
  if (isUnseen) {
    const words = "The whole draft was changed, or too much of it; read it again"
    const data = { elements: [], by: null, at: updatedAt.toISOString(), revision: present }
    throw new AppError("STALE_DRAFT", words, { data })
  }
  if (edits.length !== present - after) {
    const words = "The whole draft was changed since, so that this can no longer be taken back"
    throw new AppError("NOTHING_TO_UNDO", words)
  }
  const counts = (edit: LaterEdit) => edit.revision > revision || edit.authorId !== authorId
  const revisions = lasting(edits)
    .filter(counts)
    .map((edit) => edit.revision)
  return { botId, present, revisions }
}

/** Of edits, the newest first, those that still have an effect: neither undone, nor the undo of one of them. */
function lasting(edits: readonly LaterEdit[]): LaterEdit[] {
  const listed = new Set(edits.map(({ revision }) => revision))
  const over = new Set<number>()
  for (const { revision, target } of edits) {
    if (target === null || over.has(revision) || !listed.has(target)) continue
    over.add(target).add(revision)
  }
  return edits.filter(({ revision }) => !over.has(revision))
}

/** Refuses edits of elements that others have changed or removed meanwhile. */
export async function refuseOverlap(
  db: Db,
  since: Since,
  elements: readonly string[],
): Promise<void> {
  const obstacle = await findObstacle(db, since, elements)
  if (!obstacle) return
  const { elements: touched, author: by } = obstacle
  const at = obstacle.createdAt.toISOString()
  const who = by === null ? "Another author" : by.name || by.email
  const data = { elements: touched, by, at, revision: since.present }
  throw new AppError("STALE_DRAFT", `${who} changed \`${touched[0]}\` at ${at}`, { data })
}
