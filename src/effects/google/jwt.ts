/** Performs calls of the kind `jwt`: signs claims with a credential (RFC 7519, HS256). */
import { SignJWT } from "jose"
import { isFailure } from "../../engine/calls.ts"
import type { Credentials } from "../credentials/credentials.ts"
import { failed } from "../failures.ts"
import type { Performer } from "../perform.ts"

export function createJwt(credentials: Credentials): Performer<"jwt"> {
  return async (call, context) => {
    const credential = await credentials.find(call.credential, context)
    if (isFailure(credential)) return credential
    const key = credential.data[call.key]
    const keyId = credential.data[call.keyId]
    if (typeof key !== "string" || key === "" || typeof keyId !== "string") {
      return failed("The account has no key to sign with", { reason: "credentials" })
    }
    const token = await new SignJWT(call.claims)
      .setProtectedHeader({ alg: "HS256", typ: "JWT", kid: keyId })
      .sign(new TextEncoder().encode(key))
    return { token }
  }
}
