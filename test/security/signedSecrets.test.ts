/** Secrets of signed requests and of the workspace, after a bot was chatted with, shared, copied, compared, replayed and backed up. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { Writable } from "node:stream"
import { gunzipSync } from "node:zlib"
import { expect, test, vi } from "vitest"
import { backupCommand } from "../../src/cli/backup/commands.ts"
import { exportCommand } from "../../src/cli/export.ts"
import { openDatabase } from "../../src/db/connection/openDatabase.ts"
import { blockTypes } from "../../src/engine/blocks/registry.ts"
import { tools } from "../../src/mcp/tools.ts"
import { createLog } from "../../src/telemetry/log.ts"
import { startPeer } from "../effects/peer.ts"
import { assistantAt } from "../support/assistants.ts"
import { ask, block, bot, group, idOf, say, set } from "../support/bots.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { addressName, withText } from "../support/fullBlocks.ts"
import { plantedBlocks } from "../support/plantedBlocks.ts"
import { chatOver, publishBot } from "../support/publish.ts"
import { run } from "../support/runCommand.ts"
import { testServer } from "../support/server.ts"
import { testFolder } from "../support/testFolder.ts"
import { operations } from "./operations.ts"

const seen: string[] = []
const stream = new Writable({
  write(chunk, _encoding, done) {
    seen.push(String(chunk))
    done()
  },
})
const folder = await testFolder()
const peer = await startPeer()
const environment = {
  DATABASE_URL: await testDatabaseUrl(),
  PARLEY_DATA: folder,
  PARLEY_SECRET: "the secret of an installation for tests",
}
const server = await testServer(
  { ...environment, PARLEY_ALLOW_HOSTS: "127.0.0.1", PARLEY_RATE_LIMITS: "off" },
  createLog("trace", stream),
)
const { workspaceId } = server

const marked = (name: string) => `MARKER-${name}-0123456789`
const login = Buffer.from(`ann:${marked("password")}`).toString("base64")
const auths = [
  { type: "bearer", token: marked("bearer") },
  { type: "basic", username: "ann", password: marked("password") },
  { type: "header", name: "X-Key", value: marked("header") },
  { type: "query", name: "key", value: marked("query") },
  {
    ...{ type: "oauth2ClientCredentials", tokenUrl: `${peer.url}/oauth`, clientId: "me" },
    clientSecret: marked("client"),
  },
]

/** Blocks that use a secret of the workspace wherever one may stand, and where none may. */
async function blocksWithSecret() {
  const variable = { name: "key", value: marked("workspace"), isSecret: true }
  const variables = `/workspaces/${workspaceId}/variables`
  await send("POST", variables, { ...variable, value: marked("former") })
  await send("POST", variables, variable)
  await send("PATCH", `${variables}/key`, { value: variable.value })
  await send("PATCH", `${variables}/key`, { isSecret: false })
  await send("GET", variables)
  const responseVariableMapping = [{ bodyPath: "data", variableId: idOf("Reply") }]
  const webhook = {
    url: `${peer.url}/{{$key}}`,
    queryParams: [{ key: "k", value: "{{$key}}" }],
    headers: [{ key: "Authorization", value: "Basic ann:{{$key}}" }],
    body: '{"key":"{{$key}}"}',
  }
  const content = `setVariable("Reply", await fetch("${peer.url}/script?k=" + {{$key}}))`
  const expression = `return {{$key}} + await fetch("${peer.url}/set", { method: "POST", body: {{$key}} })`
  return [
    block("Webhook", { webhook, isCustomBody: true, responseVariableMapping }),
    say("{{Reply}} {{$key}} {{={{$key}}=}}"),
    block("Webhook", { webhook, isCustomBody: true, isExecutedOnClient: false, timeout: 1 }),
    block("Code", { content, isExecutedOnClient: false }),
    say("{{Reply}}"),
    set("Reply", expression, { isCode: true }),
    set("Copy", "{{$key}}"),
    say("{{Reply}} {{Copy}}"),
    block("Code", { content: "console.log({{$key}})" }),
    ask.text({ labels: { placeholder: "{{$key}}" } }),
  ]
}

/** Each text of each type of block names the secret. */
const everywhere = Object.entries(blockTypes).flatMap(([type, { schema }]) =>
  plantedBlocks(type, schema, (planted, path) => {
    const isAddress = addressName.test(String(path.at(-1)))
    return withText(planted, path, isAddress ? `${peer.url}/{{$key}}` : "{{$key}}")
  }),
)

/** Sends a request that may be refused, and remembers what it says. */
async function send(method: string, path: string, body?: object, token?: string) {
  const reply = await server.send(method, `/api/v1${path}`, {
    ...(body && { body }),
    ...(token && { token }),
  })
  seen.push(JSON.stringify(reply.body))
  return reply.body as Record<string, never>
}

test("no secret is in anything that the service sent, logged, stored in clear or backed up", async () => {
  peer.answers((response, { headers, path, text }) => {
    const isToken = path === "/oauth"
    const answer = isToken
      ? { access_token: marked("token") }
      : { message: { headers, path, text } }
    response.end(JSON.stringify(answer))
  })
  const blocks = []
  for (const auth of auths) {
    const data = {
      type: "http",
      name: "Key",
      data: { auth },
      allowedHosts: [new URL(peer.url).host],
    }
    const { credentialsId } = await send("POST", "/credentials", { workspaceId, credentials: data })
    const responseVariableMapping = [{ bodyPath: "data.message", variableId: idOf("Reply") }]
    const webhook = { url: `${peer.url}/signed`, method: "POST" }
    blocks.push(block("Webhook", { webhook, credentialsId, responseVariableMapping }))
    blocks.push(say("{{Reply}}"))
    await send("GET", `/credentials/${credentialsId}`)
  }
  blocks.push(...(await blocksWithSecret()))
  const first = bot(group("A", ask.text(), ...blocks, ask.text()), group("B"))
  const [main, other] = first.groups
  const groups = everywhere.map((each, index) => {
    return { ...other, id: `g${index}`, blocks: [{ ...each, id: `b${index}` }] }
  })
  const flow = { ...first, groups: [main, ...groups] }
  const { publicId, botId } = await publishBot(server, flow)
  await send("PATCH", `/bots/${botId}`, { bot: { settings: { publicShare: { isEnabled: true } } } })
  const chat = await chatOver(server, publicId)
  seen.push(JSON.stringify([chat.step, (await chat.say("Hello")).body]))
  const { resultId = "" } = chat.step
  const preview = await send("POST", `/bots/${botId}/preview/startChat`, { trace: true })
  await send("POST", `/sessions/${preview.sessionId}/continueChat`, { message: "Hi", trace: true })
  for (const { id: groupId } of groups) {
    const startFrom = { type: "group", groupId }
    await send("POST", `/bots/${botId}/preview/startChat`, { startFrom, trace: true })
  }
  const { workspace } = await send("POST", "/workspaces", { name: "Other" })
  const { id: elsewhere } = workspace as unknown as { id: string }
  for (const body of [{}, { workspaceId: elsewhere }])
    await send("POST", `/bots/${botId}/duplicate`, body)
  await send("POST", `/bots/${botId}/replay`, { against: "draft" })
  await send("POST", "/bots/lint", { botId })
  await send("POST", `/bots/${botId}/credentials/extract`, { dryRun: true })
  const file = "conversation:\n  - user: Hi\n"
  await send("POST", `/bots/${botId}/test`, { file })

  const known: Record<string, string> = { botId, workspaceId, resultId, version: "1" }
  const read = operations.filter(({ method, path, query }) => {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name)
    return method === "GET" && [...names, ...query].every((name) => name in known)
  })
  expect(read.length).toBeGreaterThan(25)
  for (const { path, query } of read) {
    const place = path.replace(/\{(\w+)\}/g, (_, name: string) => known[name] ?? "")
    const asked = new URLSearchParams(
      query.map((name): [string, string] => [name, known[name] ?? ""]),
    )
    const headers = { authorization: `Bearer ${server.token}` }
    const leaving = new AbortController()
    const answer = await fetch(`${server.address}${place}?${asked}`, {
      headers,
      signal: leaving.signal,
    })
    const isStream = answer.headers.get("content-type")?.startsWith("text/event-stream") === true
    if (!isStream) seen.push(await answer.text())
    leaving.abort()
  }
  const assistant = await assistantAt(server.address, server.token)
  for (const { name, effect } of tools) {
    if (effect !== "reads") continue
    const used = await assistant.use(name, { botId, workspaceId, resultId }).catch(String)
    seen.push(JSON.stringify(used))
  }
  seen.push(JSON.stringify(await assistant.client.readResource({ uri: `parley://bots/${botId}` })))
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value)
  vi.stubEnv("PARLEY_PUBLIC_URL", server.address)
  vi.stubEnv("PARLEY_TOKEN", server.token)
  seen.push(JSON.stringify(await run(exportCommand, botId)))
  const path = join(folder, "backup")
  const backedUp = await run(backupCommand, path)
  expect([backedUp.code, backedUp.err]).toEqual([0, expect.any(String)])
  seen.push(JSON.stringify(backedUp), gunzipSync(await readFile(path)).toString())
  seen.push(await database())

  const sent = JSON.stringify(peer.received)
  for (const name of ["bearer", "header", "query", "token", "workspace"])
    expect(sent).toContain(marked(name))
  for (const path of ["/script?k=", "/set"]) expect(sent).toContain(path)
  const workspaceLogin = Buffer.from(`ann:${marked("workspace")}`).toString("base64")
  for (const each of [login, workspaceLogin]) expect(sent).toContain(each)
  const all = seen.join("\n")
  expect(everywhere.length).toBeGreaterThan(50)
  // What the server repeated was read and kept, but for the secrets.
  for (const mask of ["***", "•••"]) expect(all).toContain(mask)
  const forms = [
    "MARKER-",
    login,
    workspaceLogin,
    Buffer.from("MARKER-").toString("base64").slice(0, 8),
  ]
  expect(forms.filter((form) => all.includes(form))).toEqual([])
  // Nor a mark, which the service replaces when it sends a call.
  expect(/.{60}[0-9a-f]{32}\.key\b/.exec(all)).toBeNull()
})

/** Every row of the database as text. */
async function database(): Promise<string> {
  const db = await openDatabase({ url: environment.DATABASE_URL, poolSize: 1 })
  const tables = await db.pool.query(
    "select table_name as name from information_schema.tables where table_schema = 'public'",
  )
  const rows: string[] = []
  for (const { name } of tables.rows) {
    const found = await db.pool.query(`select t::text as row from "${name}" t`)
    rows.push(...found.rows.map(({ row }) => String(row)))
  }
  await db.close()
  return rows.join("\n")
}
