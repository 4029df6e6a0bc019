/** Refuses secrets other than those that the database was used with before. */
import type { Db } from "../../db/connection/openDatabase.ts"
import {
  listCredentialKeyIds,
  readSecretCheck,
  replaceSecretCheck,
} from "../../db/people/secrets.ts"
import { keyIdOf } from "./cipher.ts"
import { deriveKey } from "./secret.ts"

/**
 * Counts the stored credentials that none of the secrets can decrypt: those not used during a rotation of
 * secrets, and those given up.
 */
export async function countLostCredentials(db: Db, secrets: readonly string[]): Promise<number> {
  const own = secrets.map(keyIdOf)
  const keyIds = await listCredentialKeyIds(db)
  return keyIds.filter((id) => !own.includes(id)).length
}

/**
 * Compares the secrets, newest first, with the check value in the database, and stores that of the newest.
 * Throws if none of them is the former secret: credentials would seem to be lost, and new ones would be
 * encrypted with another secret.
 */
export async function checkSecrets(db: Db, secrets: readonly string[]): Promise<void> {
  const values = secrets.map((secret) => deriveKey(secret, "check"))
  const [newest] = values
  if (!newest) return
  const known = await readSecretCheck(db)
  if (known === undefined) {
    // The database is older than check values, but its credentials name their keys.
    const keyIds = await listCredentialKeyIds(db)
    const own = secrets.map(keyIdOf)
    if (keyIds.length > 0 && !keyIds.some((id) => own.includes(id))) throw new Error(refusal)
  } else if (known.length > 0 && !values.some((value) => value.equals(known))) {
    throw new Error(refusal)
  }
  if (!known?.equals(newest)) await replaceSecretCheck(db, known, newest)
}

const refusal =
  "The secret is not the one with which this database was used, so its credentials could not be " +
  "decrypted. Set PARLEY_SECRET to the former one (without DATABASE_URL: restore the file `secret` " +
  "of the data folder). To replace it, name both, the new one first: PARLEY_SECRET=new,former. " +
  "If it is lost for good, `npx parley secret accept` gives up what was encrypted with it."
