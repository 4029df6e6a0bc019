/** What the operator's secret protects, and the key that the database itself holds. */
import { sql } from "kysely"
import type { Db, Source } from "../connection/open.ts"

/** What a new secret would make useless. */
export type SecretUse = {
  /** Stored credentials, which only the secret decrypts. */
  credentials: number
  /**
   * Whether there are bots: files may have been uploaded to their chats, and the links are signed.
   */
  hasBots: boolean
}

/** Finds what depends on the secret. */
export async function findSecretUse({ kysely }: Db): Promise<SecretUse> {
  const { rows } = await sql<SecretUse>`
    select (select count(*) from credentials) + (select count(*) from user_credentials)
        as credentials,
      exists (select from bots) as "hasBots"`.execute(kysely)
  return rows[0] ?? { credentials: 0, hasBots: false }
}

/** Reads the key, made by the migrations, for names that must not reveal ids. */
export async function readNamingKey(db: Source): Promise<Buffer> {
  const { key } = await db.kysely.selectFrom("namingKey").select("key").executeTakeFirstOrThrow()
  return key
}
