/** Data that the operator's secret protects, and the key in the database. */
import { sql } from "kysely"
import type { Db, Source } from "../connection/openDatabase.ts"

/** Data that a new secret would make unreadable. */
export type SecretUse = {
  /** Stored credentials, secrets of webhook endpoints and of workspaces, which only the secret decrypts. */
  credentials: number
  /**
   * Whether there are bots: files may have been uploaded to their chats, and the links are signed.
   */
  hasBots: boolean
}

/** Counts data that depends on the secret. */
export async function findSecretUse({ kysely }: Db): Promise<SecretUse> {
  const { rows } = await sql<SecretUse>`
    select (select count(*) from credentials) + (select count(*) from user_credentials)
        + (select count(*) from webhook_endpoints where key_id is not null)
        + (select count(*) from workspace_variables where key_id is not null) as credentials,
      exists (select from bots) as "hasBots"`.execute(kysely)
  return rows[0] ?? { credentials: 0, hasBots: false }
}

/** Reads the key, made by the migrations, for names that must not reveal ids. */
export async function readNamingKey(db: Source): Promise<Buffer> {
  const { key } = await db.kysely.selectFrom("namingKey").select("key").executeTakeFirstOrThrow()
  return key
}

/** Reads the value that the secret is compared with. Returns undefined before the first start. */
export async function readSecretCheck(db: Db): Promise<Buffer | undefined> {
  const row = await db.kysely.selectFrom("secretCheck").select("value").executeTakeFirst()
  return row?.value
}

/** Writes the value that secrets are compared with, unless another process has changed it. */
export async function replaceSecretCheck(db: Db, former: Buffer | undefined, value: Buffer) {
  if (former === undefined) {
    const insert = db.kysely.insertInto("secretCheck").values({ value })
    await insert.onConflict((conflict) => conflict.doNothing()).execute()
  } else {
    await db.kysely.updateTable("secretCheck").set({ value }).where("value", "=", former).execute()
  }
}

/** Makes the next start accept any secret: an empty value equals none. */
export async function acceptAnySecret(db: Db): Promise<void> {
  const value = Buffer.alloc(0)
  await db.kysely
    .insertInto("secretCheck")
    .values({ value })
    .onConflict((conflict) => conflict.column("isOnly").doUpdateSet({ value }))
    .execute()
}

/** Lists for each stored credential and secret the key with which it is encrypted. */
export async function listCredentialKeyIds({ kysely }: Db): Promise<number[]> {
  const { rows } = await sql<{ keyId: number }>`
    select key_id as "keyId" from credentials union all select key_id from user_credentials
    union all select key_id from webhook_endpoints where key_id is not null
    union all select key_id from workspace_variables where key_id is not null`.execute(kysely)
  return rows.map(({ keyId }) => keyId)
}
