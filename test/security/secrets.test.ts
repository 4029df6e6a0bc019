/** After chats that use every kind of secret, none of them lies anywhere but sealed in its place. */

import { Writable } from "node:stream"
import { expect, it } from "vitest"
import { openDatabase } from "../../src/db/connection/openDatabase.ts"
import { createLog } from "../../src/telemetry/log.ts"
import { type Answer, startPeer } from "../effects/peer.ts"
import { ask, block, bot, type Draft, group, idOf, say } from "../support/bots.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { chatOver, publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"
import { testFolder } from "../support/testFolder.ts"

const lines: string[] = []
const stream = new Writable({
  write(chunk, _encoding, done) {
    lines.push(String(chunk))
    done()
  },
})
const folder = await testFolder()
const DATABASE_URL = await testDatabaseUrl()
const peer = await startPeer()
const variables = {
  DATABASE_URL,
  PARLEY_DATA: folder,
  PARLEY_ALLOW_HOSTS: "127.0.0.1",
  PARLEY_STRIPE_URL: peer.url,
  PARLEY_GOOGLE_URL: peer.url,
  PARLEY_DEFAULT_PLAN: "PRO",
  PARLEY_SECRET: "planted-service-secret-of-the-installation",
}
const server = await testServer(variables, createLog("trace", stream))

const planted = {
  apiKey: "planted-api-key-0123456789",
  password: "planted-mail-password-0123",
  secretKey: "planted-stripe-key-0123456789",
  accessToken: "planted-google-token-012345678",
  refreshToken: "planted-google-refresh-0123456",
  clientSecret: "planted-google-client-01234567",
  ownKey: "planted-key-of-a-user-0123456",
  bearerToken: "planted-bearer-token-0123456",
  basicPassword: "planted-basic-password-012345",
  headerValue: "planted-header-value-01234567",
  queryValue: "planted-query-value-012345678",
  oauthSecret: "planted-oauth-secret-01234567",
  oauthToken: "planted-oauth-token-012345678",
  toolToken: "planted-tool-token-0123456789",
  toolHeader: "planted-tool-header-012345678",
  toolPath: "planted-tool-path-0123456789",
}

/** The other side repeats all that it got, as a refusal, in the words of its answer. */
const echo: Answer = (response, request) => {
  if (request.path === "/oauth") {
    response.end(JSON.stringify({ access_token: planted.oauthToken }))
    return
  }
  const words = JSON.stringify([request.headers, request.text, request.path])
  response.writeHead(400, { "content-type": "application/json" })
  response.end(JSON.stringify({ error: { message: words }, message: words }))
}

async function newCredential(
  type: string,
  data: object,
  allowedHosts: string[] = [],
): Promise<string> {
  const { body } = await server.send("GET", "/api/v1/workspaces")
  const [workspace] = body.workspaces as { id: string }[]
  const credentials = { type, name: "Planted", data, allowedHosts }
  const sent = { body: { workspaceId: workspace?.id, credentials } }
  const made = await server.send("POST", "/api/v1/credentials", sent)
  expect(made.status, JSON.stringify(made.body)).toBe(200)
  return String(made.body.credentialsId)
}

/** Everything that was seen of the service: answers, log, and the whole database as text. */
async function traces(): Promise<string> {
  const db = await openDatabase({ url: DATABASE_URL, poolSize: 1 })
  const tables = await db.pool.query(
    "select table_name as name from information_schema.tables where table_schema = 'public'",
  )
  const dump: string[] = []
  for (const { name } of tables.rows) {
    const { rows } = await db.pool.query(`select t::text as row from "${name}" t`)
    dump.push(...rows.map(({ row }) => String(row)))
  }
  await db.close()
  expect(dump.length).toBeGreaterThan(10)
  return [...dump, ...lines].join("\n")
}

async function chatWith(seen: string[], ...blocks: Draft[]): Promise<void> {
  const flow = bot(group("A", ask.text(), ...blocks, say("{{Reply}}"), ask.text()))
  const { publicId, botId } = await publishBot(server, flow)
  const chat = await chatOver(server, publicId)
  const { body } = await chat.say("Hello")
  const path = `/api/v1/bots/${botId}/results/${chat.step.resultId}`
  for (const each of [path, `${path}/logs`]) {
    seen.push(JSON.stringify((await server.send("GET", each)).body))
  }
  seen.push(JSON.stringify([chat.step, body]))
}

it("finds no secret in answers, results, logs and the database", async () => {
  const seen: string[] = []
  peer.answers(echo)
  const baseUrl = `${peer.url}/v1`
  const model = {
    credentialsId: await newCredential("openai", { apiKey: planted.apiKey, baseUrl }),
    action: "Create chat completion",
    model: "gpt-4o",
    messages: [{ role: "user", content: "Hi" }],
    responseMapping: [{ item: "Message content", variableId: idOf("Reply") }],
  }
  await chatWith(seen, block("openai", model))
  const smtp = {
    host: "127.0.0.1",
    port: 1,
    username: "ann",
    password: planted.password,
    from: { email: "ann@example.com", name: "Ann" },
  }
  const mail = { credentialsId: await newCredential("smtp", smtp), recipients: ["b@example.com"] }
  await chatWith(seen, block("Email", { ...mail, isCustomBody: true, body: "Hi" }))
  for (const expiry_date of [Date.now() + 3_600_000, 5]) {
    const data = {
      access_token: planted.accessToken,
      refresh_token: planted.refreshToken,
      client_id: "client",
      client_secret: planted.clientSecret,
      expiry_date,
    }
    const credentialsId = await newCredential("google sheets", data)
    const place = { credentialsId, spreadsheetId: "doc", sheetId: "1" }
    const cellsToInsert = [{ column: "A", value: "1" }]
    await chatWith(
      seen,
      block("Google Sheets", { ...place, action: "Insert a row", cellsToInsert }),
    )
  }
  const auths = [
    { type: "bearer", token: planted.bearerToken },
    { type: "basic", username: "ann", password: planted.basicPassword },
    { type: "header", name: "X-Key", value: planted.headerValue },
    { type: "query", name: "key", value: planted.queryValue },
    {
      ...{ type: "oauth2ClientCredentials", tokenUrl: `${peer.url}/oauth`, clientId: "me" },
      clientSecret: planted.oauthSecret,
    },
  ]
  for (const auth of auths) {
    const credentialsId = await newCredential("http", { auth }, [new URL(peer.url).host])
    const responseVariableMapping = [{ bodyPath: "data.message", variableId: idOf("Reply") }]
    const webhook = { url: `${peer.url}/signed`, method: "POST" }
    await chatWith(seen, block("Webhook", { webhook, credentialsId, responseVariableMapping }))
    const read = await server.send("GET", `/api/v1/credentials/${credentialsId}`)
    seen.push(JSON.stringify(read.body))
  }
  const tools = await newCredential("mcp", {
    url: `${peer.url}/${planted.toolPath}/mcp`,
    token: planted.toolToken,
    headers: { "X-Tools": planted.toolHeader },
  })
  const call = { credentialsId: tools, action: "Call Tool", tool: "x" }
  await chatWith(seen, block("mcp", { ...call, responseMapping: [{ variableId: idOf("Reply") }] }))
  for (const path of ["", "/tools"]) {
    const read = await server.send("GET", `/api/v1/credentials/${tools}${path}`)
    expect(read.status).toBe(200)
    seen.push(JSON.stringify(read.body))
  }
  const keys = { live: { publicKey: "pk", secretKey: planted.secretKey } }
  const till = await newCredential("stripe", keys)
  const paying = bot(group("P", ask.payment({ credentialsId: till, currency: "EUR", amount: "5" })))
  const { publicId } = await publishBot(server, paying)
  const unpaid = await server.send("POST", `/api/v1/bots/${publicId}/startChat`, { body: {} })
  expect(unpaid.status).toBe(200)
  expect(unpaid.body.input).toMatchObject({ type: "choice input" })
  seen.push(JSON.stringify(unpaid.body))
  const own = { type: "openai", name: "Own", data: { apiKey: planted.ownKey } }
  const kept = await server.send("POST", "/api/v1/credentials", {
    body: { scope: "user", credentials: own },
  })
  const place = `/api/v1/credentials/${kept.body.credentialsId}`
  for (const path of [place, "/api/v1/credentials?scope=user"]) {
    const read = await server.send("GET", path)
    expect(read.status).toBe(200)
    seen.push(JSON.stringify(read.body))
  }
  const broken = { body: { credentials: { data: { apiKey: `${planted.ownKey} é` } } } }
  const unfit = await server.send("PATCH", place, broken)
  expect(unfit.status).toBe(400)
  seen.push(JSON.stringify(unfit.body))
  const wrong = await server.send("GET", "/api/v1/users/me", { token: `${server.token}x` })
  seen.push(JSON.stringify(wrong.body))
  const all = `${seen.join("\n")}\n${await traces()}`
  expect(lines.length).toBeGreaterThan(0)
  const logins = peer.received.map(({ headers }) => headers.authorization?.replace("Basic ", ""))
  const decoded = logins.map((login) => Buffer.from(login ?? "", "base64").toString())
  const whole = peer.received.map(({ headers, text, path }) => [headers, text, path])
  const sent = JSON.stringify([whole, decoded])
  const { password: _, ownKey: __, ...used } = planted
  for (const secret of Object.values(used)) expect(sent).toContain(secret)
  const secrets = { ...planted, token: server.token, service: variables.PARLEY_SECRET }
  const found = Object.entries(secrets).filter(([, secret]) => all.includes(secret))
  expect(found.map(([name]) => name)).toEqual([])
})
