/** Tests that credentials are found only in their workspace, with fresh tokens, and reveal no secrets. */
import { generateKeyPairSync } from "node:crypto"
import { beforeEach, expect, test } from "vitest"
import { insertCredential } from "../../src/db/people/credentials.ts"
import { createCipher } from "../../src/effects/credentials/cipher.ts"
import { createCredentials } from "../../src/effects/credentials/credentials.ts"
import type { CredentialData } from "../../src/effects/credentials/credentialTypes.ts"
import { createGoogleAuth } from "../../src/effects/google/googleAuth.ts"
import { isFailure } from "../../src/engine/calls.ts"
import { newId } from "../../src/lib/ids.ts"
import { testDatabase } from "../support/database.ts"
import { openLatch } from "../support/waiting.ts"
import { callContext, json, plainFetch, startPeer } from "./peer.ts"

const db = await testDatabase()
const google = await startPeer()
const oldSecret = "the secret of yesterday, long enough"
const cipher = createCipher(["a secret that only tests know of", oldSecret])
const client = { id: "service-client", secret: "service-client-secret" }
const tokenUrl = `${google.url}/token`
const refreshTokens = createGoogleAuth({ fetch: plainFetch, client, tokenUrl })
const credentials = createCredentials({ db, cipher, refreshTokens })

beforeEach(() => google.answers())

async function workspace(): Promise<string> {
  const id = newId()
  await db.kysely.insertInto("workspaces").values({ id, name: "W" }).execute()
  return id
}

async function credential(
  workspaceId: string,
  type: string,
  data: CredentialData,
  with_ = cipher,
): Promise<string> {
  const id = newId()
  await insertCredential(db, { id, workspaceId, type, name: "N", ...with_.seal(id, data) })
  return id
}

const stored = async (id: string) => {
  const rows = db.kysely.selectFrom("credentials").selectAll().where("id", "=", id)
  const row = await rows.executeTakeFirstOrThrow()
  return { row, data: cipher.open(id, row) as CredentialData }
}

test("22.1 finds the credential of the workspace, decrypted", async () => {
  const workspaceId = await workspace()
  const id = await credential(workspaceId, "openai", { apiKey: "sk-1", baseUrl: "https://a.b" })
  const found = await credentials.find({ id, type: "openai" }, callContext({ workspaceId }))
  expect(found).toMatchObject({ type: "openai", data: { apiKey: "sk-1" } })
})

test("22.1 does not find it for another workspace, type, caller or id", async () => {
  const [own, other] = [await workspace(), await workspace()]
  const id = await credential(own, "openai", { apiKey: "sk-1" })
  const asked = { id, type: "openai" }
  const missing = { failed: true, reason: "credentials" }
  const from = (workspaceId?: string) => callContext({ workspaceId })
  expect(await credentials.find(asked, from(other))).toMatchObject(missing)
  expect(await credentials.find(asked, from())).toMatchObject(missing)
  expect(await credentials.find({ ...asked, type: "anthropic" }, from(own))).toMatchObject(missing)
  expect(await credentials.find({ ...asked, id: "" }, from(own))).toMatchObject(missing)
  const restricted = { ...from(own), isRestricted: true }
  expect(await credentials.find(asked, restricted)).toMatchObject(missing)
})

test("fails for data that no secret opens", async () => {
  const workspaceId = await workspace()
  const foreign = createCipher(["a lost secret"])
  const id = await credential(workspaceId, "openai", { apiKey: "sk-1" }, foreign)
  const found = await credentials.find({ id, type: "openai" }, callContext({ workspaceId }))
  expect(found).toMatchObject({ failed: true, reason: "credentials" })
})

test("re-encrypts data of an older secret with the newest", async () => {
  const workspaceId = await workspace()
  const id = await credential(workspaceId, "openai", { apiKey: "sk-1" }, createCipher([oldSecret]))
  await credentials.find({ id, type: "openai" }, callContext({ workspaceId }))
  const { row, data } = await stored(id)
  expect(cipher.isOutdated(row)).toBe(false)
  expect(data).toEqual({ apiKey: "sk-1" })
})

test("renews an expired access token once for calls at the same time, and keeps it", async () => {
  const workspaceId = await workspace()
  const data = { refresh_token: "rt-1", access_token: "old", expiry_date: Date.now() - 1 }
  const id = await credential(workspaceId, "google sheets", data)
  const bothAsk = openLatch()
  const answer = json({ access_token: "at-2", expires_in: 3600 })
  google.answers(async (...exchange) => {
    await bothAsk.isOpen
    await answer(...exchange)
  })
  let asking = 0
  const counted = createCredentials({
    db,
    cipher,
    refreshTokens: (credential) => {
      if (++asking === 2) bothAsk.open()
      return refreshTokens(credential)
    },
  })
  const find = () => counted.find({ id, type: "google sheets" }, callContext({ workspaceId }))
  const [first, second] = await Promise.all([find(), find()])
  expect(first).toMatchObject({ data: { access_token: "at-2" } })
  expect(second).toMatchObject({ data: { access_token: "at-2" } })
  expect(await find()).toMatchObject({ data: { access_token: "at-2" } })
  expect(google.received).toHaveLength(1)
  expect(Object.fromEntries(new URLSearchParams(google.received[0]?.text))).toEqual({
    grant_type: "refresh_token",
    refresh_token: "rt-1",
    client_id: client.id,
    client_secret: client.secret,
  })
  expect((await stored(id)).data).toMatchObject({ access_token: "at-2", refresh_token: "rt-1" })
})

test("renews the token of a Gmail account with the client that it names", async () => {
  const workspaceId = await workspace()
  const data = { refreshToken: "rt-9", client: { id: "own", secret: "own-secret" } }
  const id = await credential(workspaceId, "gmail", data)
  google.answers(json({ access_token: "at-9", expires_in: 10 }))
  const found = await credentials.find({ id, type: "gmail" }, callContext({ workspaceId }))
  expect(found).toMatchObject({ data: { accessToken: "at-9" } })
  expect(google.received[0]?.text).toContain("client_id=own&client_secret=own-secret")
})

test("signs in a service account, and remembers its token without storing it", async () => {
  const workspaceId = await workspace()
  const { privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  })
  const account = { client_email: "bot@project.iam.gserviceaccount.com", private_key: privateKey }
  const id = await credential(workspaceId, "google sheets", account)
  google.answers(json({ access_token: "at-3", expires_in: 3600 }))
  const find = () => credentials.find({ id, type: "google sheets" }, callContext({ workspaceId }))
  expect(await find()).toMatchObject({ data: { access_token: "at-3" } })
  expect(await find()).toMatchObject({ data: { access_token: "at-3" } })
  expect(google.received).toHaveLength(1)
  const form = new URLSearchParams(google.received[0]?.text)
  const claims = form.get("assertion")?.split(".")[1] ?? ""
  expect(JSON.parse(Buffer.from(claims, "base64url").toString())).toMatchObject({
    iss: account.client_email,
    aud: "https://oauth2.googleapis.com/token",
    scope: "https://www.googleapis.com/auth/spreadsheets",
  })
  expect((await stored(id)).data).toEqual(account)
})

test("says by its code why Google refused, and repeats no token", async () => {
  const workspaceId = await workspace()
  const id = await credential(workspaceId, "google sheets", { refresh_token: "rt-secret-1" })
  google.answers(json({ error: "invalid_grant", error_description: "rt-secret-1 revoked" }, 400))
  const found = await credentials.find({ id, type: "google sheets" }, callContext({ workspaceId }))
  expect(found).toMatchObject({
    failed: true,
    description: "Google did not renew the access: invalid_grant",
    reason: "credentials",
    status: 400,
  })
  expect(JSON.stringify(found)).not.toContain("rt-secret-1")
})

test("blots out every secret of a credential, but not what everybody may read", async () => {
  const workspaceId = await workspace()
  const id = await credential(workspaceId, "stripe", {
    live: { secretKey: "sk_live_1", publicKey: "pk_live_1" },
    test: { secretKey: "sk_live_1_test" },
  })
  const found = await credentials.find({ id, type: "stripe" }, callContext({ workspaceId }))
  if (isFailure(found)) throw new Error(found.description)
  expect(found.redact("No such key: sk_live_1_test / sk_live_1 / pk_live_1")).toBe(
    "No such key: *** / *** / pk_live_1",
  )
})
