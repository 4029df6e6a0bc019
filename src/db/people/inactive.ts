/** Finds workspaces without activity, and keeps which letters about it were sent. */
import { type SqlBool, sql } from "kysely"
import type { Source } from "../connection/openDatabase.ts"
import { anyText } from "../schema/anyOf.ts"

/** The next step towards the suspension of a workspace. */
export type InactivityStep = "first" | "second" | "suspension"

/** Up to when the last activity, and the last letter, must have been. */
export type InactivityBounds = { activeUntil: Date; mailedUntil: Date }

/** Which of the workspaces: the first after an id, or the one with it. */
type Which = { after: string } | { id: string }

/** Finds an inactive workspace for which it is time for a step. Suspended ones are left alone. */
export async function findInactive(
  { kysely }: Source,
  step: InactivityStep,
  { activeUntil, mailedUntil, ...which }: InactivityBounds & Which,
) {
  const since = sql<Date>`coalesce(w.inactive_first_email_sent_at, ${activeUntil}::timestamptz)`
  const isDue = {
    first: sql<SqlBool>`w.inactive_first_email_sent_at is null`,
    second: sql<SqlBool>`(w.inactive_second_email_sent_at is null
      and w.inactive_first_email_sent_at <= ${mailedUntil})`,
    suspension: sql<SqlBool>`w.inactive_second_email_sent_at <= ${mailedUntil}`,
  }
  return await kysely
    .selectFrom("workspaces as w")
    .where((eb) => ("id" in which ? eb("w.id", "=", which.id) : eb("w.id", ">", which.after)))
    .where("w.isSuspended", "=", false)
    .where(isDue[step])
    .where(sql<SqlBool>`not ${hasActivity(since)}`)
    .select(["w.id", "w.name"])
    .orderBy("w.id")
    .limit(1)
    .executeTakeFirst()
}

/** Whether a workspace was created, changed by a person, or had chats since then; chats are known by the month. */
function hasActivity(since: ReturnType<typeof sql<Date>>) {
  return sql<SqlBool>`(greatest(w.created_at, w.last_activity_at) > ${since}
    or exists (select from audit_log a where a.workspace_id = w.id and not a.is_by_operator
      and a.created_at > ${since})
    or exists (select from workspace_usage u where u.workspace_id = w.id and u.chats > 0
      and u.period_start >= date_trunc('month', ${since} at time zone 'UTC')::date))`
}

/** Forgets the letters of workspaces that have been active since the first; returns their number. */
export async function forgetLetters({ kysely }: Source): Promise<number> {
  const rows = await kysely
    .selectFrom("workspaces as w")
    .where("w.inactiveFirstEmailSentAt", "is not", null)
    .where("w.isSuspended", "=", false)
    .where(hasActivity(sql<Date>`w.inactive_first_email_sent_at`))
    .select("w.id")
    .execute()
  if (rows.length === 0) return 0
  await kysely
    .updateTable("workspaces")
    .set({ inactiveFirstEmailSentAt: null, inactiveSecondEmailSentAt: null })
    .where("id", "=", anyText(rows.map(({ id }) => id)))
    .execute()
  return rows.length
}

const letterColumns = {
  first: "inactiveFirstEmailSentAt",
  second: "inactiveSecondEmailSentAt",
} as const

type Letter = { workspaceId: string; letter: keyof typeof letterColumns; at: Date }

/** Notes that a letter goes out. Returns false when another process has noted it. */
export async function noteLetter({ kysely }: Source, { workspaceId, letter, at }: Letter) {
  const column = letterColumns[letter]
  const { numUpdatedRows } = await kysely
    .updateTable("workspaces")
    .set({ [column]: at })
    .where("id", "=", workspaceId)
    .where(column, "is", null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Takes the note of a letter back, because it could not be sent. */
export async function withdrawLetter({ kysely }: Source, { workspaceId, letter, at }: Letter) {
  const column = letterColumns[letter]
  await kysely
    .updateTable("workspaces")
    .set({ [column]: null })
    .where("id", "=", workspaceId)
    .where(column, "=", at)
    .execute()
}

const maxRecipients = 50

/** Lists the ADMINs of a workspace whose accounts are open: the first to join, with their languages. */
export async function listRecipients({ kysely }: Source, workspaceId: string) {
  return await kysely
    .selectFrom("workspaceMembers as m")
    .innerJoin("users as u", "u.id", "m.userId")
    .where("m.workspaceId", "=", workspaceId)
    .where("m.role", "=", "ADMIN")
    .where("u.disabledAt", "is", null)
    .select(["u.email", sql<string | null>`u.preferences ->> 'preferredLanguage'`.as("language")])
    .orderBy("m.createdAt")
    .orderBy("u.email")
    .limit(maxRecipients)
    .execute()
}
