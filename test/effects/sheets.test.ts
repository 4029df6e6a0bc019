/** A Google Sheets block reads and writes through its account, whose token is renewed on the way. */
import { expect, test } from "vitest"
import { insertCredential } from "../../src/db/credentials.ts"
import { openCipher } from "../../src/effects/cipher.ts"
import { openCredentials } from "../../src/effects/credentials.ts"
import { openGoogleAuth } from "../../src/effects/googleAuth.ts"
import { openHttp } from "../../src/effects/http.ts"
import { openOutbound } from "../../src/effects/outbound.ts"
import { googleSheetsBlock } from "../../src/engine/blocks/integrations/googleSheets/block.ts"
import type { GoogleSheetsBlock } from "../../src/engine/blocks/integrations/googleSheets/schema.ts"
import type { Call } from "../../src/engine/calls.ts"
import { newId } from "../../src/ids.ts"
import { testDatabase } from "../support/database.ts"
import { testScene } from "../support/scene.ts"
import { callContext, json, startPeer } from "./peer.ts"

const db = await testDatabase()
const google = await startPeer()
const cipher = openCipher(["a secret that only tests know of"])
const outbound = openOutbound({ allowHosts: ["127.0.0.1"] })
const client = { id: "client", secret: "client-secret" }
const tokenUrl = `${google.url}/token`
const fetch = outbound.guardedFetch
const credentials = openCredentials({
  db,
  cipher,
  refreshTokens: openGoogleAuth({ fetch, client, tokenUrl }),
})
const http = openHttp({
  outbound,
  credentials,
  readFile: async () => ({ failed: true, description: "No file" }),
  files: { save: async () => "" },
  allowsRestricted: false,
})

const workspaceId = newId()
await db.kysely.insertInto("workspaces").values({ id: workspaceId, name: "W" }).execute()

async function account(data: Record<string, unknown>): Promise<string> {
  const id = newId()
  const sealed = cipher.seal(id, data)
  await insertCredential(db, { id, workspaceId, type: "google sheets", name: "S", ...sealed })
  return id
}

/** The same request, sent to the peer instead of Google. */
function toPeer(call: Call<"http">): Call<"http"> {
  const url = String(call.request.url).replace("https://sheets.googleapis.com", google.url)
  return { ...call, request: { ...call.request, url } }
}

const blockWith = (credentialsId: string): GoogleSheetsBlock => ({
  id: "b",
  type: "Google Sheets",
  options: {
    credentialsId,
    spreadsheetId: "doc",
    sheetId: "0",
    action: "Get data from sheet",
    cellsToExtract: [{ column: "Mail", variableId: "vMail" }],
  },
})

const rows = json({
  valueRanges: [
    {
      valueRange: {
        range: "Tab!A1:B2",
        values: [
          ["Name", "Mail"],
          ["Ann", "a@b.co"],
        ],
      },
    },
  ],
})

async function read(credentialsId: string, context = callContext({ workspaceId })) {
  const block = blockWith(credentialsId)
  const { next } = googleSheetsBlock.run(block, testScene())
  if (typeof next !== "object" || !("call" in next)) throw new Error("no call")
  const outcome = await http.perform(toPeer(next.call), context)
  return googleSheetsBlock.resume.http(block, outcome, { ...testScene(), carry: "read" })
}

test("reads rows with a token that was renewed for it", async () => {
  const id = await account({ refresh_token: "rt", access_token: "old", expiry_date: 5 })
  google.answers(json({ access_token: "fresh", expires_in: 3600 }), rows)
  expect(await read(id)).toEqual({ set: [{ variableId: "vMail", value: "a@b.co" }] })
  expect(google.received.map(({ path }) => path)).toEqual([
    "/token",
    "/v4/spreadsheets/doc/values:batchGetByDataFilter",
  ])
  expect(google.received[1]?.headers.authorization).toBe("Bearer fresh")
})

test("ends the path when the account was taken away, is another workspace's, or is refused", async () => {
  const ends = { log: [expect.objectContaining({ status: "error" })], next: "end" }
  google.answers(json({ error: "invalid_grant" }, 400))
  const id = await account({ refresh_token: "rt" })
  expect(await read(id)).toEqual(ends)
  expect(await read("none")).toEqual(ends)
  expect(await read(id, callContext({ workspaceId: "other" }))).toEqual(ends)
})
