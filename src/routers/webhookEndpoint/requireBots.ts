/** Checks that a workspace has the named bots. */
import { listKnownBots } from "../../db/bots/bots.ts"
import type { Source } from "../../db/connection/open.ts"
import { badRequest } from "../../errors.ts"

/** Throws a 400 when an id belongs to no bot of the workspace; null stands for all bots. */
export async function requireBots(
  db: Source,
  workspaceId: string,
  botIds: readonly string[] | null,
): Promise<void> {
  if (botIds === null) return
  const known = new Set(await listKnownBots(db, { workspaceId, ids: botIds }))
  const unknown = botIds.find((id) => !known.has(id))
  if (unknown !== undefined) throw badRequest(`The workspace has no bot ${unknown}`)
}
