/** Tells whether anything stored depends on the secret of this installation. */
import { sql } from "kysely"
import type { Db } from "../connection/open.ts"

/** What there is that a new secret would make useless. */
export type SecretUse = {
  /** Stored credentials, which only the secret decrypts. */
  credentials: number
  /** Whether there are bots, to whose chats files may have been sent: their links are signed. */
  hasBots: boolean
}

/** Looks for it. */
export async function findSecretUse({ kysely }: Db): Promise<SecretUse> {
  const { rows } = await sql<SecretUse>`
    select (select count(*) from credentials) + (select count(*) from user_credentials)
        as credentials,
      exists (select from bots) as "hasBots"`.execute(kysely)
  return rows[0] ?? { credentials: 0, hasBots: false }
}
