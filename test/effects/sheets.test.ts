/** Tests that a Google Sheets block reads and writes with its account, whose token is renewed when needed. */
import { afterAll, beforeEach, describe, expect, test } from "vitest"
import { insertCredential } from "../../src/db/people/credentials.ts"
import { createCipher } from "../../src/effects/credentials/cipher.ts"
import { createCredentials } from "../../src/effects/credentials/credentials.ts"
import { createGoogleAuth } from "../../src/effects/google/googleAuth.ts"
import { createSheets } from "../../src/effects/google/sheets.ts"
import { openOutbound } from "../../src/effects/network/outbound.ts"
import type { Step } from "../../src/engine/blocks/block.ts"
import { googleSheetsBlock } from "../../src/engine/blocks/integrations/googleSheets/block.ts"
import type { SheetsOptions } from "../../src/engine/blocks/integrations/googleSheets/schema.ts"
import { newId } from "../../src/lib/ids.ts"
import { testScene } from "../support/context.ts"
import { testDatabase } from "../support/database.ts"
import { type Answer, callContext, json, startPeer } from "./peer.ts"

const db = await testDatabase()
const google = await startPeer()
const elsewhere = await startPeer()
const cipher = createCipher(["a secret that only tests know of"])
const outbound = openOutbound({ allowHosts: ["127.0.0.1"] })
afterAll(() => outbound.close())
const client = { id: "client", secret: "client-secret" }
const tokenUrl = `${google.url}/token`
const refreshTokens = createGoogleAuth({ fetch: outbound.fetch, client, tokenUrl })
const credentials = createCredentials({ db, cipher, refreshTokens })
const parts = { outbound, credentials, allowsRestricted: false, rootUrl: google.url }
const sheets = createSheets(parts)

beforeEach(() => {
  google.answers()
  elsewhere.answers()
})

const workspaceId = newId()
await db.kysely.insertInto("workspaces").values({ id: workspaceId, name: "W" }).execute()

async function account(data: Record<string, unknown>): Promise<string> {
  const id = newId()
  const sealed = cipher.seal(id, data)
  await insertCredential(db, { id, workspaceId, type: "google sheets", name: "S", ...sealed })
  return id
}

const token = "ya29.token-of-the-account"
const freshAccount = () =>
  account({ refresh_token: "rt", access_token: token, expiry_date: Date.now() + 3_600_000 })

const get: SheetsOptions = {
  action: "Get data from sheet",
  cellsToExtract: [{ column: "Mail", variableId: "vMail" }],
}

const rows = json({
  valueRanges: [
    {
      valueRange: {
        range: "'My tab'!A1:B3",
        values: [
          ["Name", "Mail"],
          ["Ann", "a@b.co"],
          ["Bob", "b@b.co"],
        ],
      },
    },
  ],
})

/** Runs a block to its end; the peer answers all its calls. */
async function run(
  options: SheetsOptions,
  { context = callContext({ workspaceId }), door = sheets } = {},
) {
  const place = { spreadsheetId: "doc", sheetId: "7" }
  const block = { id: "b", type: "Google Sheets", options: { ...place, ...options } } as const
  let step: Step<"sheet"> = googleSheetsBlock.run(block, testScene())
  for (;;) {
    const { next } = step
    if (typeof next !== "object" || !("call" in next)) return step
    const outcome = await door(next.call, context)
    const carry = next.call.carry
    step = googleSheetsBlock.resume.sheet(block, outcome, { ...testScene(), carry })
  }
}

const read = async (answer: Answer, context = callContext({ workspaceId })) => {
  const credentialsId = await freshAccount()
  google.answers(answer)
  return run({ ...get, filter: bob, credentialsId }, { context })
}

const bob: SheetsOptions["filter"] = {
  comparisons: [{ column: "Name", comparisonOperator: "Equal to", value: "Bob" }],
}

const error = (description: string, details?: string) => ({
  log: [
    {
      status: "error",
      description,
      ...(details === undefined ? {} : { details }),
      context: "While reading the sheet",
    },
  ],
})

test("reads rows with a token that was renewed for it", async () => {
  const credentialsId = await account({ refresh_token: "rt", access_token: "old", expiry_date: 5 })
  google.answers(json({ access_token: "fresh", expires_in: 3600 }), rows)
  expect(await run({ ...get, filter: bob, credentialsId })).toEqual({
    log: [],
    set: [{ variableId: "vMail", value: "b@b.co" }],
  })
  expect(google.received).toMatchObject([
    { method: "POST", path: "/token" },
    {
      method: "POST",
      path: "/v4/spreadsheets/doc/values:batchGetByDataFilter",
      headers: { authorization: "Bearer fresh" },
      json: { dataFilters: [{ gridRange: { sheetId: 7 } }], majorDimension: "ROWS" },
    },
  ])
})

test("adds a row below the table of the tab that was read", async () => {
  const credentialsId = await freshAccount()
  google.answers(rows, json({}))
  const cellsToInsert = [{ column: "Mail", value: "c@b.co" }]
  const step = await run({ action: "Insert a row", credentialsId, cellsToInsert })
  expect(step.log).toMatchObject([{ status: "success" }])
  expect(google.received[0]?.json).toEqual({
    dataFilters: [{ gridRange: { sheetId: 7, startRowIndex: 0, endRowIndex: 1 } }],
    majorDimension: "ROWS",
  })
  const { path = "", json: body } = google.received[1] ?? {}
  expect(decodeURIComponent(path)).toBe(
    "/v4/spreadsheets/doc/values/'My tab'!A1:append?valueInputOption=USER_ENTERED",
  )
  expect(body).toEqual({ values: [[null, "c@b.co"]] })
})

test("overwrites the cells of the rows that match", async () => {
  const credentialsId = await freshAccount()
  google.answers(rows, json({}))
  const cellsToUpsert = [{ column: "Mail", value: "new" }]
  const step = await run({ action: "Update a row", credentialsId, cellsToUpsert, filter: bob })
  expect(step.log).toMatchObject([{ status: "success" }])
  const gridRange = {
    sheetId: 7,
    startRowIndex: 2,
    endRowIndex: 3,
    startColumnIndex: 1,
    endColumnIndex: 2,
  }
  expect(google.received[1]).toMatchObject({
    path: "/v4/spreadsheets/doc/values:batchUpdateByDataFilter",
    json: {
      valueInputOption: "USER_ENTERED",
      data: [{ dataFilter: { gridRange }, values: [["new"]] }],
    },
  })
})

test("ends the path when the account was taken away, is another workspace's, or is refused", async () => {
  const ends = { log: [expect.objectContaining({ status: "error" })], next: "end" }
  google.answers(json({ error: "invalid_grant" }, 400))
  const credentialsId = await account({ refresh_token: "rt" })
  expect(await run({ ...get, credentialsId })).toEqual(ends)
  expect(await run({ ...get, credentialsId: "none" })).toEqual(ends)
  const context = callContext({ workspaceId: "other" })
  expect(await run({ ...get, credentialsId }, { context })).toEqual(ends)
  expect(await read(json({}, 401))).toEqual(ends)
})

test("only requests values, for any id of the document", async () => {
  const credentialsId = await freshAccount()
  google.answers(rows)
  await run({ ...get, credentialsId, spreadsheetId: "../../drive?x=1#{y}" })
  expect(google.received[0]?.path).toBe(
    "/v4/spreadsheets/..%2F..%2Fdrive%3Fx%3D1%23%7By%7D/values:batchGetByDataFilter",
  )
  expect(await run({ ...get, credentialsId, spreadsheetId: "\ud800" })).toMatchObject({
    log: [{ status: "error" }],
  })
})

test("makes no calls in an anonymous preview", async () => {
  const context = callContext({ workspaceId, isRestricted: true })
  expect(await read(rows, context)).toEqual(
    error("Requests cannot be made in an anonymous preview"),
  )
  expect(google.received).toEqual([])
})

describe("an upstream that means ill", () => {
  test.each([408, 429, 500, 503])("is asked once when it answers %s", async (status) => {
    expect(await read(json({ error: { message: "Later" } }, status))).toEqual(
      error(`The service refused with status ${status}`, '{"error":{"message":"Later"}}'),
    )
    expect(google.received).toHaveLength(1)
  })

  test("is asked once when it hangs up", async () => {
    const step = await read((response) => response.destroy())
    expect(step.log?.[0]?.description).toBe("The server could not be reached")
    expect(google.received).toHaveLength(1)
  })

  test.each([
    "http://169.254.169.254/latest/",
    `${elsewhere.url}/`,
  ])("never follows to %s", async (location) => {
    const step = await read((response) => response.writeHead(307, { location }).end())
    expect(step).toEqual(error("The service refused with status 307"))
    expect(google.received).toHaveLength(1)
    expect(elsewhere.received).toEqual([])
  })

  test("is left when its answer does not end", async () => {
    const step = await read((response) => {
      const more = () => {
        while (response.write(Buffer.alloc(65_536, 0x20)));
      }
      response.writeHead(200, { "content-type": "application/json" }).on("drain", more)
      more()
    })
    expect(step).toEqual(error("The response is too large"))
  })

  test("is left when its answer is longer than any sheet", async () => {
    const step = await read(json({ valueRanges: [], more: "x".repeat(5_000_000) }))
    expect(step).toEqual(error("The response is too large"))
  })

  test("is left when the turn is over, before its answer or within it", async () => {
    const over = (turn: AbortController) => turn.abort(new DOMException("", "TimeoutError"))
    const answers: ((turn: AbortController) => Answer)[] = [
      (turn) => () => over(turn),
      (turn) => (response) => void response.write("{", () => over(turn)),
    ]
    for (const answerDuring of answers) {
      const turn = new AbortController()
      const answer = answerDuring(turn)
      const context = callContext({ workspaceId, signal: turn.signal })
      expect(await read(answer, context)).toEqual(error("The server did not answer in time"))
      expect(google.received).toHaveLength(1)
    }
  })

  test("gets nothing when it is at an address that must not be called", async () => {
    const guarded = openOutbound({ allowHosts: [] })
    const door = createSheets({ ...parts, outbound: guarded })
    const credentialsId = await freshAccount()
    expect(await run({ ...get, credentialsId }, { door })).toMatchObject({
      log: [{ description: "The server is at an address that must not be called" }],
    })
    expect(google.received).toEqual([])
    await guarded.close()
  })

  test("cannot put the token into a log", async () => {
    const echo: Answer = (response, { headers }) =>
      response.writeHead(403).end(JSON.stringify({ error: { message: headers.authorization } }))
    expect(await read(echo)).toEqual(
      error("The service refused with status 403", '{"error":{"message":"Bearer ***"}}'),
    )
  })

  test.each(["<html>", "null", "5", '{"valueRanges":5}'])("may answer %s", async (text) => {
    const step = await read((response) => response.writeHead(200).end(text))
    expect(step.log?.map(({ description }) => description)).toEqual([
      'The sheet has no column "Mail", "Name"',
      "No row of the sheet matches",
    ])
  })
})
