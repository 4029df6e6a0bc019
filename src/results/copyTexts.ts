/** Copies what results say ahead of searches. */
import type { Db } from "../db/connection/openDatabase.ts"
import { addTexts, fillTexts, listDueTexts, voidLeftTexts } from "../db/results/resultTexts.ts"
import { firstUuidAt } from "../lib/ids.ts"

/** Turns void copies of results that are half as old: at first the chat itself writes nearly all. */
const settleMs = 2 * 3_600_000

/**
 * Copies the texts of results that are two hours old or have changed since, oldest first, a batch at a
 * time: a run that is cut short loses one, and no bot waits for all results of another.
 */
export async function copyTexts(
  { db, now }: { db: Db; now(): number },
  signal: AbortSignal,
): Promise<{ texts: number }> {
  let texts = 0
  for (let afterId: string | undefined = firstUuidAt(0); afterId !== undefined; ) {
    signal.throwIfAborted()
    const due = await listDueTexts(db, afterId)
    if (due.length > 0) await fillTexts(db, due)
    afterId = due.at(-1)?.resultId ?? (await addTexts(db, firstUuidAt(now() - settleMs)))
    texts += due.length
  }
  return { texts }
}

/** Voids the copies of results that are gone: they go when these are made the next time. */
export async function removeLeftTexts(
  { db }: { db: Db },
  signal: AbortSignal,
): Promise<{ texts: number }> {
  let texts = 0
  for (let afterId: string | undefined = firstUuidAt(0); afterId !== undefined; ) {
    signal.throwIfAborted()
    const { count, last } = await voidLeftTexts(db, afterId)
    texts += count
    afterId = last
  }
  return { texts }
}
