/** Deletes old drafts that restores replaced; what was live or kept on request stays. */
import { drain } from "../batches.ts"
import { purgeReplacedDrafts } from "../db/bots/versions.ts"
import type { Db } from "../db/connection/open.ts"

const replacedMs = 400 * 86_400_000

/** Deletes drafts that were replaced 400 days ago, and neither published nor kept on request since. */
export async function removeVersions(
  { db, now }: { db: Db; now(): number },
  signal: AbortSignal,
): Promise<{ versions: number }> {
  const before = new Date(now() - replacedMs)
  return { versions: await drain(signal, () => purgeReplacedDrafts(db, before)) }
}
