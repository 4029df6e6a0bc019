/** Looks up credentials of a workspace. */
import type { Db } from "./open.ts"

/** Those of the given ids that name a credential of the workspace, in one statement. */
export async function listKnownCredentials(
  db: Db,
  { workspaceId, ids }: { workspaceId: string; ids: readonly string[] },
): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await db.kysely
    .selectFrom("credentials")
    .select("id")
    .where("workspaceId", "=", workspaceId)
    .where("id", "in", ids)
    .execute()
  return rows.map(({ id }) => id)
}
