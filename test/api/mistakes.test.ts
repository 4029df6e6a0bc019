/** Mistakes that integrators make, and the sentence that each of them gets: it says what to do next. */
import { expect, test } from "vitest"
import { ask, bot, group, say } from "../support/bots.ts"
import { chatOver, publishBot } from "../support/publish.ts"
import { type Sent, testServer } from "../support/server.ts"

const server = await testServer({ PARLEY_RATE_LIMITS: "off" })
const { botId, publicId } = await publishBot(server, bot(group("Ask", say("Name?"), ask.text())))
const { step } = await chatOver(server, publicId)
const { workspaces } = (await server.send("GET", "/api/v1/workspaces")).body
const [{ id: workspaceId = "" } = {}] = workspaces as { id?: string }[]

const open = { token: null }
const plainText = { "content-type": "text/plain" }
const stale = "2020-01-01T00:00:00.000Z"
const subject = { id: "m", type: "Email", options: { subject: 5 } }

/** What is sent (`{bot}` and so on stand for what there is), the status, and the sentence. */
const mistakes: [string, Sent, number, string][] = [
  // Where to
  ["GET /api/v1/bot/{bot}", {}, 404, "Unknown path: did you mean GET /api/v1/bots/{botId}?"],
  [
    "POST /api/v1/bots/{public}/start-chat",
    open,
    404,
    "Unknown path: did you mean POST /api/v1/bots/{publicId}/startChat?",
  ],
  ["GET /bots/{bot}", {}, 404, "Unknown path: did you mean GET /api/v1/bots/{botId}?"],
  ["GET /api/v1/flows/{bot}/nodes", {}, 404, "Unknown path: /docs lists all paths"],
  ["GET /api/v1/bots/{public}/startChat", open, 405, "This path does not take GET, but POST"],
  [
    "PUT /api/v1/bots/{bot}",
    { body: {} },
    405,
    "This path does not take PUT, but GET, PATCH, DELETE",
  ],
  ["GET /api/v1/sessions/{session}/streamMessage", open, 405, "This path takes POST alone"],
  // How
  [
    "PATCH /api/v1/bots/{bot}?dryRun=maybe",
    { body: { bot: {} } },
    400,
    '`dryRun` must be true or false, "true" or "false" (query)',
  ],
  [
    "PATCH /api/v1/bots/{bot}?dryRun=true",
    { body: { bot: {}, dryRun: "maybe" } },
    400,
    '`dryRun` must be true or false, "true" or "false" (body)',
  ],
  // As whom
  [
    "GET /api/v1/workspaces",
    open,
    401,
    "An API token is missing: send the header `Authorization: Bearer parley_pat_…`",
  ],
  [
    "GET /api/v1/workspaces",
    { token: null, headers: { authorization: "{token}" } },
    401,
    "The word `Bearer` is missing before the API token: send the header `Authorization: Bearer parley_pat_…`",
  ],
  [
    "GET /api/v1/workspaces",
    { token: null, headers: { authorization: "Token x" } },
    401,
    "This takes no other scheme than Bearer: send the header `Authorization: Bearer parley_pat_…`",
  ],
  [
    "GET /api/v1/workspaces",
    { token: null, headers: { authorization: "Bearer" } },
    401,
    "One API token must follow the word `Bearer`: send the header `Authorization: Bearer parley_pat_…`",
  ],
  [
    "GET /api/v1/workspaces",
    { token: "parley_pat_mistyped" },
    401,
    "The API token is not valid: it is misspelt, expired or revoked",
  ],
  [
    "POST /api/v1/bots/{bot}/preview/startChat",
    open,
    401,
    "A preview of the stored draft needs an API token: send the header `Authorization: Bearer parley_pat_…`, or a flow in the member `bot`",
  ],
  // In which form
  ["POST /api/v1/workspaces", { body: "{name: 'Shop'}" }, 400, "The body is not valid JSON"],
  ["POST /api/v1/workspaces", { body: "[]" }, 400, "The body must be a JSON object"],
  [
    "POST /api/v1/workspaces",
    { body: "name=Shop", headers: plainText },
    415,
    "The body must be JSON: send Content-Type: application/json",
  ],
  // With what
  ["GET /api/v1/bots", {}, 400, "`workspaceId` is missing (query)"],
  [
    "GET /api/v1/bots?workspaceId={workspace}&limit=0",
    {},
    400,
    "`limit` must be at least 1 (query)",
  ],
  [
    "GET /api/v1/bots?workspaceId={workspace}&limit=many",
    {},
    400,
    "`limit` must be a number, not a string (query)",
  ],
  [
    "GET /api/v1/bots/{bot}?migrateToLatestVersion=maybe",
    {},
    400,
    "`migrateToLatestVersion` must be true or false (query)",
  ],
  [
    "GET /api/v1/bots/{bot}/results?timeFilter=lastYear",
    {},
    400,
    '`timeFilter` must be one of "today", "last7Days", "last30Days", "monthToDate", "lastMonth", "yearToDate", "allTime" (query)',
  ],
  [
    "GET /api/v1/bots/{bot}/results?timeZone=Berlin",
    {},
    400,
    "timeZone must be an IANA time zone such as Europe/Berlin",
  ],
  [
    "GET /api/v1/bots/{bot}/results?cursor=50",
    {},
    400,
    "cursor is not one of this list: send the `nextCursor` of the page before, to the operation and with the ids that it came from, or none to begin again",
  ],
  [
    "DELETE /api/v1/bots/{bot}/results",
    {},
    400,
    "Name the results in resultIds, or set all=true to delete all",
  ],
  ["POST /api/v1/workspaces", { body: {} }, 400, "`name` is missing (body)"],
  [
    "POST /api/v1/workspaces",
    { body: { name: 5 } },
    400,
    "`name` must be a string, not a number (body)",
  ],
  ["PATCH /api/v1/bots/{bot}", { body: { name: "Mine" } }, 400, "`bot` is missing (body)"],
  [
    "PATCH /api/v1/bots/{bot}",
    { body: { bot: { isClosed: "yes" } } },
    400,
    "`bot.isClosed` must be true or false (body)",
  ],
  [
    "PATCH /api/v1/bots/{bot}",
    { body: { bot: { publicId: "My Bot" } } },
    400,
    "A public id has only a to z, 0 to 9 and single hyphens, none at its beginning, and at most 255 characters",
  ],
  [
    "PATCH /api/v1/bots/{bot}",
    { body: { bot: { name: "Mine", updatedAt: stale } } },
    409,
    "The bot has changed since you read it; read it again",
  ],
  [
    "POST /api/v1/bots",
    { body: { workspaceId: "{workspace}", bot: { publicId: "{public}" } } },
    409,
    "This public id is taken: choose another",
  ],
  ["POST /api/v1/bots/import", { body: { bot: {} } }, 400, "`workspaceId` is missing (body)"],
  [
    "POST /api/v1/bots/import",
    { body: { workspaceId: "{workspace}", bot: "{}" } },
    400,
    "`bot` must be an object, not a string (body)",
  ],
  [
    "POST /api/v1/bots/import",
    { body: { workspaceId: "{workspace}", bot: { groups: [{ id: "g", blocks: [subject] }] } } },
    400,
    '`bot.groups[0].blocks[0].options.subject` must be a string, not a number (body), in Group 1 › block 1 "Email"',
  ],
  [
    "POST /api/v1/workspaces/{workspace}/invitations",
    { body: { email: "bob@example.com", role: "MEMBER" } },
    400,
    "`type` is missing (body)",
  ],
  [
    "POST /api/v1/credentials",
    { body: { credentials: { type: "openai", name: "Key", data: { apiKey: "k" } } } },
    400,
    "`workspaceId` is missing: it is required unless `scope` is `user`",
  ],
  [
    "POST /api/v1/credentials",
    {
      body: {
        workspaceId: "{workspace}",
        credentials: { type: "openai", name: "Key", data: { key: "k" } },
      },
    },
    400,
    "`credentials.data.apiKey` is missing (body)",
  ],
  // In chats
  ["POST /api/v1/bots/{bot}/startChat", open, 404, "No published bot has this public id"],
  [
    "POST /api/v1/sessions/lost/continueChat",
    { ...open, body: { message: "Hi" } },
    404,
    "Session not found: start a new chat",
  ],
  [
    "POST /api/v1/sessions/{session}/continueChat",
    { ...open, body: { message: 5 } },
    400,
    "`message` must be an object or a string (body)",
  ],
  [
    "POST /api/v1/sessions/{session}/continueChat",
    { ...open, body: { message: { type: "command", text: "help" } } },
    400,
    "`message.command` is missing (body)",
  ],
  [
    "POST /api/v1/bots/{public}/startChat",
    { ...open, body: { textBubbleContentFormat: "html" } },
    400,
    '`textBubbleContentFormat` must be one of "richText", "markdown" (body)',
  ],
  [
    "POST /api/v1/bots/{public}/startChat",
    { ...open, body: { prefilledVariables: ["Ann"] } },
    400,
    "`prefilledVariables` must be an object, not a list (body)",
  ],
]

test.each(mistakes)("%s with %j gets %i: %s", async (request, sent, status, sentence) => {
  const [method = "", path = ""] = filled(request).split(" ")
  const reply = await server.send(method, path, JSON.parse(filled(JSON.stringify(sent))))
  expect([reply.status, reply.body.message]).toEqual([status, sentence])
})

test("405 lists the methods that the path takes", async () => {
  const reply = await server.send("PUT", `/api/v1/bots/${botId}`, { body: {} })
  expect(reply.headers.get("allow")).toBe("GET, PATCH, DELETE, HEAD, OPTIONS")
})

test("issues lead from the root of the request to the value", async () => {
  const credentials = { type: "openai", name: "Key", data: { key: "k" } }
  const body = { workspaceId, credentials }
  const reply = await server.send("POST", "/api/v1/credentials", { body })
  expect(reply.body.issues).toMatchObject([
    { path: ["credentials", "data", "apiKey"], pointer: "/credentials/data/apiKey" },
  ])
})

test("a body without any known member of a chat call is answered, and the log says so", async () => {
  const path = `/api/v1/sessions/${step.sessionId}/continueChat`
  const { status, body } = await server.send("POST", path, { token: null, body: { text: "Ann" } })
  expect(status).toBe(200)
  expect(body.logs).toContainEqual({
    status: "info",
    description:
      "Nothing in the request is known to this call: `text`. What the user says goes into `message`",
  })
  const known = { message: "Ann", visitorId: "v" }
  const next = await server.send("POST", path, { token: null, body: known })
  expect(JSON.stringify(next.body)).not.toContain("visitorId")
})

test("what other tools export as `typebot` is imported like `bot`", async () => {
  const body = { workspaceId, typebot: { name: "Moved", groups: [], events: [] } }
  const reply = await server.send("POST", "/api/v1/bots/import", { body })
  expect(reply.body.message).not.toMatch(/`bot` is missing/)
})

function filled(text: string): string {
  return text
    .replaceAll("{bot}", botId)
    .replaceAll("{public}", publicId)
    .replaceAll("{session}", step.sessionId)
    .replaceAll("{workspace}", workspaceId)
    .replaceAll("{token}", server.token)
}
