/** Google's clients only use their options, never the environment. */
import { afterAll, expect, test, vi } from "vitest"
import { createGoogleAuth } from "../../src/effects/google/googleAuth.ts"
import { createSheets } from "../../src/effects/google/sheets.ts"
import { openOutbound } from "../../src/effects/network/outbound.ts"
import type { Call } from "../../src/engine/calls.ts"
import { serviceAccount, userAccount } from "./googleAccounts.ts"
import { callContext, json, startPeer } from "./peer.ts"
import { wallet } from "./wallet.ts"

const google = await startPeer()
const elsewhere = await startPeer()

// Set first, because the clients read some of these when they are loaded.
for (const [name, value] of Object.entries({
  GOOGLE_APPLICATION_CREDENTIALS: "/nowhere/account.json",
  GOOGLE_CLOUD_PROJECT: "theirs",
  GOOGLE_CLOUD_QUOTA_PROJECT: "theirs",
  GOOGLE_CLOUD_UNIVERSE_DOMAIN: "example.com",
  GOOGLE_SDK_NODE_LOGGING: "all",
  GCE_METADATA_HOST: new URL(elsewhere.url).host,
  METADATA_SERVER_DETECTION: "assume-present",
  HTTPS_PROXY: "no address",
})) {
  vi.stubEnv(name, value)
}

const outbound = openOutbound({ allowHosts: ["127.0.0.1"] })
afterAll(() => outbound.close())
const token = "ya29.token-of-the-account"
const credentials = wallet({ a: { type: "google sheets", data: { access_token: token } } })
const client = { id: "client", secret: "client-secret" }
const ask: Call<"sheet"> = {
  kind: "sheet",
  credential: { id: "a", type: "google sheets" },
  spreadsheetId: "doc",
  reads: { sheetId: 7 },
}

test("takes nothing from the environment, and prints nothing", async () => {
  const output = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, "write").mockReturnValue(true),
  )
  const renew = createGoogleAuth({
    fetch: outbound.fetch,
    client,
    tokenUrl: `${google.url}/token`,
  })
  const sheets = createSheets({
    outbound,
    credentials,
    allowsRestricted: false,
    rootUrl: google.url,
  })
  google.answers(
    json({ access_token: token, expires_in: 3600 }),
    json({ access_token: token, expires_in: 3600 }),
    json({}),
  )
  const seen = [await renew(userAccount), await renew(serviceAccount)]
  const read = await sheets(ask, callContext())
  const printed = output.flatMap((stream) => stream.mock.calls.map(([text]) => String(text)))
  vi.restoreAllMocks()
  expect(seen).toMatchObject([{ data: { access_token: token } }, { data: { access_token: token } }])
  expect(read).toEqual({ status: 200, text: "{}" })
  expect(google.received.map(({ path }) => path)).toEqual([
    "/token",
    "/token",
    "/v4/spreadsheets/doc/values:batchGetByDataFilter",
  ])
  for (const { headers } of google.received) {
    expect(Object.keys(headers)).not.toContain("x-goog-user-project")
    expect(JSON.stringify(headers)).not.toContain(process.versions.node)
  }
  expect(elsewhere.received).toEqual([])
  expect(printed).toEqual([])
})

test("asks Google itself unless it is given another address", async () => {
  const asked: string[] = []
  const fetch = async (url: string) => {
    asked.push(url)
    throw new Error("No network")
  }
  const sheets = createSheets({ outbound: { fetch }, credentials, allowsRestricted: false })
  await sheets(ask, callContext())
  const renew = createGoogleAuth({ fetch, client })
  await renew(userAccount)
  await renew(serviceAccount)
  expect(asked).toEqual([
    "https://sheets.googleapis.com/v4/spreadsheets/doc/values:batchGetByDataFilter",
    "https://oauth2.googleapis.com/token",
    "https://oauth2.googleapis.com/token",
  ])
})
