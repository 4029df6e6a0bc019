/** Tests that claims are signed with the key of the credential. */
import { jwtVerify } from "jose"
import { expect, test } from "vitest"
import { createJwt } from "../../src/effects/google/jwt.ts"
import { isFailure } from "../../src/engine/calls.ts"
import { callContext } from "./peer.ts"
import { wallet } from "./wallet.ts"

const data = { conversationsKeyId: "app_1", conversationsSecretKey: "short key" }
const jwt = createJwt(
  wallet({
    z: { type: "zendesk", data },
    half: { type: "zendesk", data: { conversationsKeyId: "a" } },
  }),
)
const ask = (id: string) => ({
  kind: "jwt" as const,
  credential: { id, type: "zendesk" },
  key: "conversationsSecretKey",
  keyId: "conversationsKeyId",
  claims: { scope: "user", external_id: "u1", email_verified: true },
})

test("signs the claims and nothing else, and names the key", async () => {
  const outcome = await jwt(ask("z"), callContext())
  if (isFailure(outcome)) throw new Error(outcome.description)
  const key = new TextEncoder().encode("short key")
  const { payload, protectedHeader } = await jwtVerify(outcome.token, key)
  expect(protectedHeader).toEqual({ alg: "HS256", typ: "JWT", kid: "app_1" })
  expect(payload).toEqual({ scope: "user", external_id: "u1", email_verified: true })
})

test("fails without the account or its key", async () => {
  for (const id of ["other", "half"]) {
    expect(await jwt(ask(id), callContext())).toMatchObject({ reason: "credentials" })
  }
})
