/** Tests that tokens are requested once, only from Google, and that no answer does any harm. */
import { generateKeyPairSync } from "node:crypto"
import { afterAll, beforeEach, describe, expect, test } from "vitest"
import { createGoogleAuth } from "../../src/effects/google/googleAuth.ts"
import { openOutbound } from "../../src/effects/network/outbound.ts"
import { serviceAccount, userAccount } from "./googleAccounts.ts"
import { type Answer, json, startPeer } from "./peer.ts"

const google = await startPeer()
const elsewhere = await startPeer()
const outbound = openOutbound({ allowHosts: ["127.0.0.1"] })
afterAll(() => outbound.close())
const parts = {
  fetch: outbound.fetch,
  client: { id: "client", secret: "client-secret" },
  tokenUrl: `${google.url}/token`,
}

beforeEach(() => {
  google.answers()
  elsewhere.answers()
})

const unreachable = {
  failed: true,
  description: "Google could not be reached to renew the access",
}
const refused = (code: string | number, status: number) => ({
  failed: true,
  description: `Google did not renew the access: ${code}`,
  status,
})
const text =
  (body: string, status = 200): Answer =>
  (response) =>
    response.writeHead(status).end(body)

const endless: Answer = (response) => {
  const more = () => {
    while (response.write(Buffer.alloc(65_536, 0x20)));
  }
  response.writeHead(200, { "content-type": "application/json" }).on("drain", more)
  more()
}

describe.each([
  ["a user", userAccount],
  ["a service account", serviceAccount],
])("for %s", (_, account) => {
  test.each([
    ["a refusal", json({ error: "invalid_grant" }, 400), refused("invalid_grant", 400)],
    [
      "a refusal with status 401",
      json({ error: "invalid_client" }, 401),
      refused("invalid_client", 401),
    ],
    ["words instead of a code", json({ error: "The token 1//refresh" }, 403), refused(403, 403)],
    ["429", json({}, 429), refused(429, 429)],
    ["500", text("<html>", 500), refused(500, 500)],
    ["503", json({ error: { code: 503, message: {} } }, 503), refused(503, 503)],
    ["success without a token", json({ expires_in: 5 }), refused(200, 200)],
    ["an empty token", json({ access_token: "" }), refused(200, 200)],
    ["a token that is none", json({ access_token: { a: 1 } }), refused(200, 200)],
    ["null", json(null), unreachable],
    ["no end", endless, unreachable],
    ["by hanging up", (response) => response.destroy(), unreachable],
  ] as [
    string,
    Answer,
    object,
  ][])("asks once when the answer is %s", async (_name, answer, outcome) => {
    google.answers(answer)
    expect(await createGoogleAuth(parts)(account)).toEqual(outcome)
    expect(google.received).toHaveLength(1)
  })

  test.each([
    "http://169.254.169.254/",
    `${elsewhere.url}/`,
  ])("carries no secret to %s", async (location) => {
    google.answers((response) => response.writeHead(307, { location }).end())
    expect(await createGoogleAuth(parts)(account)).toEqual(refused(307, 307))
    expect(google.received).toHaveLength(1)
    expect(elsewhere.received).toEqual([])
  })

  test("sends nothing to an address that must not be called", async () => {
    const guarded = openOutbound({ allowHosts: [] })
    const renew = createGoogleAuth({ ...parts, fetch: guarded.fetch })
    expect(await renew(account)).toEqual(unreachable)
    expect(google.received).toEqual([])
    await guarded.close()
  })

  test("repeats no secret in a failure", async () => {
    google.answers((response, request) =>
      json({ error: request.text, error_description: request.text }, 400)(response, request),
    )
    const outcome = JSON.stringify(await createGoogleAuth(parts)(account))
    expect(outcome).toContain("Google did not renew the access: 400")
    expect(outcome).not.toMatch(/refresh-secret|client-secret|assertion|PRIVATE/)
  })

  test("takes an hour when Google does not say how long", async () => {
    google.answers(json({ access_token: "at" }))
    const renew = createGoogleAuth(parts)
    const renewed = await renew(account)
    expect(renewed).toMatchObject({ data: { access_token: "at" } })
    await renew(
      "stored" in renewed && renewed.stored ? { ...account, data: renewed.stored } : account,
    )
    expect(google.received).toHaveLength(1)
  })
})

test("refuses keys that cannot sign, without asking", async () => {
  const ec = generateKeyPairSync("ec", {
    namedCurve: "P-256",
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  })
  for (const private_key of ["", "no key", ec.privateKey]) {
    const account = { ...serviceAccount, data: { ...serviceAccount.data, private_key } }
    expect(await createGoogleAuth(parts)(account)).toEqual({
      failed: true,
      description: "The private key of the service account cannot be used",
    })
  }
  expect(google.received).toEqual([])
})

test("needs a client and a token to renew with", async () => {
  const { client: _, ...withoutClient } = parts
  expect(await createGoogleAuth(withoutClient)(userAccount)).toMatchObject({
    description: "The account names no client, and this service has none",
  })
  expect(await createGoogleAuth(parts)({ ...userAccount, data: {} })).toMatchObject({
    description: "The account has no token to renew the access with",
  })
  expect(google.received).toEqual([])
})
