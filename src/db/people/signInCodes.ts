/** Stores and redeems one-time links and codes, as hashes. */
import { sql } from "kysely"
import type { Db } from "../connection/openDatabase.ts"

/** Codes expire by the clock of the database, because that of the machine may be wrong. */
const after = (seconds: number) => sql<Date>`now() + make_interval(secs => ${seconds})`

/** A link, and how long it works. */
type NewLink = { codeHash: Buffer; userId: string; seconds: number }

/** Stores a link. */
export async function insertSignInLink({ kysely }: Db, { seconds, ...link }: NewLink) {
  await kysely
    .insertInto("signInLinks")
    .values({ ...link, expiresAt: after(seconds) })
    .execute()
}

/** Finds whom a link signs in, and leaves it as it is; undefined as for `takeSignInLink`. */
export async function findSignInLink({ kysely }: Db, codeHash: Buffer) {
  return await kysely
    .selectFrom("signInLinks")
    .innerJoin("users", "users.id", "signInLinks.userId")
    .where("signInLinks.codeHash", "=", codeHash)
    .where("signInLinks.expiresAt", ">", sql<Date>`now()`)
    .where("users.disabledAt", "is", null)
    .select(["users.id", "users.email"])
    .executeTakeFirst()
}

/** Takes a link away, and returns its user; undefined when there is none, it has expired, or its user is disabled. */
export async function takeSignInLink(db: Db, codeHash: Buffer) {
  // Asked before: in a change of a table that stays at the coordinator, a cluster joins no others.
  if ((await findSignInLink(db, codeHash)) === undefined) return undefined
  const taken = await db.kysely
    .deleteFrom("signInLinks")
    .where("codeHash", "=", codeHash)
    .where("expiresAt", ">", sql<Date>`now()`)
    .returning("userId")
    .executeTakeFirst()
  return taken?.userId
}

/** A code for an address, how long it works, and how many may be sent in an hour. */
type NewCode = { email: string; codeHash: Buffer; seconds: number; most: number }

/** Stores a code in place of an earlier one. Returns false when the address has had too many. */
export async function saveSignInCode({ kysely }: Db, code: NewCode): Promise<boolean> {
  const { email, codeHash, seconds, most } = code
  // A cluster refuses now() after ON CONFLICT.
  const isOld = sql<boolean>`excluded.since - sign_in_codes.since > interval '1 hour'`
  const saved = await kysely
    .insertInto("signInCodes")
    .values({ email, codeHash, expiresAt: after(seconds), since: sql<Date>`now()` })
    .onConflict((conflict) =>
      conflict
        .column("email")
        .doUpdateSet((eb) => ({
          codeHash: eb.ref("excluded.codeHash"),
          expiresAt: eb.ref("excluded.expiresAt"),
          attempts: 0,
          sent: sql<number>`case when ${isOld} then 1
            else sign_in_codes.sent + 1 end`,
          since: sql<Date>`case when ${isOld} then excluded.since
            else sign_in_codes.since end`,
        }))
        .where((eb) => eb.or([isOld, eb("signInCodes.sent", "<", most)])),
    )
    .returning("email")
    .executeTakeFirst()
  return saved !== undefined
}

/** Counts an attempt at the code of an address, and returns its hash; undefined when there is none. */
export async function attemptSignInCode(
  { kysely }: Db,
  { email, most }: { email: string; most: number },
): Promise<Buffer | undefined> {
  const found = await kysely
    .updateTable("signInCodes")
    .set((eb) => ({ attempts: eb("attempts", "+", 1) }))
    .where("email", "=", email)
    .where("attempts", "<", most)
    .where("expiresAt", ">", sql<Date>`now()`)
    .returning("codeHash")
    .executeTakeFirst()
  return found?.codeHash
}

/** Deletes a code. Returns false if another call has used it. */
export async function takeSignInCode(
  { kysely }: Db,
  { email, codeHash }: { email: string; codeHash: Buffer },
): Promise<boolean> {
  const taken = await kysely
    .deleteFrom("signInCodes")
    .where("email", "=", email)
    .where("codeHash", "=", codeHash)
    .executeTakeFirst()
  return taken.numDeletedRows > 0n
}
