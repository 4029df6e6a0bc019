/** Writes who belongs to a workspace. */
import type { Db } from "./open.ts"
import type { MemberRole } from "./tables.ts"

/** Makes a user a member of a workspace. */
export async function insertMember(
  db: Pick<Db, "kysely">,
  member: { workspaceId: string; userId: string; role: MemberRole },
): Promise<void> {
  await db.kysely.insertInto("workspaceMembers").values(member).execute()
}
