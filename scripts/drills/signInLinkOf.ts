/** Makes the link by which the user of a service under test signs in. */
import { openDatabase } from "../../src/db/connection/openDatabase.ts"
import { findUserByEmail } from "../../src/db/people/users.ts"
import { newSignInLink } from "../../src/people/signIn.ts"
import type { Service } from "./stack.ts"

export async function signInLinkOf({ databaseUrl, address }: Service): Promise<string> {
  const db = await openDatabase({ url: databaseUrl, poolSize: 1 })
  const user = await findUserByEmail(db, "drill@example.com")
  const link = await newSignInLink(db, { userId: user?.id ?? "", serviceUrl: address })
  await db.close()
  return link
}
