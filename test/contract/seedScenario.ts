/** Walks the ten endpoints on a running service, with every field of seed.json in the requests. */
import pg from "pg"
import { testDatabaseUrl } from "../support/database.ts"
import { type Reply, type Sent, type TestServer, testServer } from "../support/server.ts"
import { flow, resultsTablePreferences, settings, theme } from "./seedFlow.ts"

/** What was sent and what came back, by the name of the endpoint. */
export type Records = Record<string, { request: unknown; response: Reply["body"] }[]>

type Call = (name: string, path: string, sent?: Sent) => Promise<Reply["body"]>

const methods: Record<string, string> = { updateBot: "PATCH" }

/** Runs the scenario on a service of its own; call it at the top level of a test file. */
export async function seedScenario(): Promise<Records> {
  const url = await testDatabaseUrl()
  const server = await testServer({ DATABASE_URL: url })
  const records: Records = {}
  const call = callerOf(server, records)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await walk(call, server, client)
  } finally {
    await client.end()
  }
  return records
}

function callerOf(server: TestServer, records: Records): Call {
  return async (name, path, sent = {}) => {
    const method = methods[name] ?? (sent.body === undefined ? "GET" : "POST")
    const { status, body } = await server.send(method, `/api/v1${path}`, sent)
    if (status !== 200) throw new Error(`${name} answered ${status}: ${JSON.stringify(body)}`)
    records[name] = [...(records[name] ?? []), { request: sent.body, response: body }]
    return body
  }
}

async function walk(call: Call, server: TestServer, client: pg.Client): Promise<void> {
  const workspaceId = await makeWorkspace(call, client)
  const botId = await makeBot(call, client, workspaceId)
  await server.send("POST", `/api/v1/bots/${botId}/publish`)
  await call("getBot", `/bots/${botId}?migrateToLatestVersion=true`)
  await call("getPublishedBot", `/bots/${botId}/publishedBot?migrateToLatestVersion=false`)
  const resultId = await chat(call)
  await call("getResult", `/bots/${botId}/results/${resultId}`)
  await preview(call, { botId, workspaceId })
}

/** Some members are set by the operator alone: in the database. */
async function makeWorkspace(call: Call, client: pg.Client): Promise<string> {
  const body = { icon: "https://example.com/icon.png", name: "Seed" }
  const created = await call("createWorkspace", "/workspaces", { body })
  const { id } = created.workspace as { id: string }
  const titles = {
    isEnabled: true,
    provider: "openai",
    credentialsId: "credential",
    model: "gpt-4.1",
    prompt: "Name it",
  }
  await client.query(
    `update workspaces set plan = 'PRO', stripe_id = 'cus_1', settings = $2, is_verified = true,
       custom_chats_limit = 1000, custom_seats_limit = 10, chats_hard_limit = 2000,
       last_activity_at = now(), inactive_first_email_sent_at = now(),
       inactive_second_email_sent_at = now()
     where id = $1`,
    [id, { groupTitlesAutoGeneration: titles }],
  )
  await client.query(
    "insert into folders (id, workspace_id, name) values ('folder', $1, 'Folder')",
    [id],
  )
  await client.query(
    `insert into credentials (id, workspace_id, type, name, data, nonce, key_id)
     values ('channel', $1, 'whatsApp', 'Channel', '\\x00', '\\x000000000000000000000000', 1)`,
    [id],
  )
  await call("getWorkspace", `/workspaces/${id}`)
  return id
}

async function makeBot(call: Call, client: pg.Client, workspaceId: string): Promise<string> {
  const draft = {
    ...flow,
    name: "Seed",
    icon: "🌱",
    folderId: "folder",
    resultsTablePreferences,
    selectedThemeTemplateId: "template",
  }
  const body = {
    workspaceId,
    bot: { ...draft, workspaceId, id: "source" },
    fromTemplate: "template",
  }
  const imported = await call("importBot", "/bots/import", { body })
  const { id, updatedAt } = imported.bot as { id: string; updatedAt: string }
  await client.query("update bots set risk_level = 5 where id = $1", [id])
  const changes = {
    ...draft,
    name: "Changed",
    publicId: "seed",
    customDomain: "chat.example.com",
    isClosed: false,
    whatsAppCredentialsId: "channel",
    riskLevel: 1,
    updatedAt,
  }
  await call("updateBot", `/bots/${id}`, { body: { bot: changes } })
  return id
}

async function chat(call: Call): Promise<string> {
  const body = {
    isStreamEnabled: false,
    isOnlyRegistering: false,
    prefilledVariables: { Name: "Bea" },
    textBubbleContentFormat: "richText",
  }
  const message = { type: "text", text: "Hello", attachedFileUrls: ["https://example.com/a.png"] }
  const start = (more: object) =>
    call("startChat", "/bots/seed/startChat", { token: null, body: { ...body, ...more } })
  const { sessionId, resultId } = await start({})
  const say = (said: object) =>
    call("continueChat", `/sessions/${sessionId}/continueChat`, {
      token: null,
      body: { message: said, textBubbleContentFormat: "richText" },
    })
  await say(message)
  await say({ type: "text", text: "Ann@Example.com" })
  await say({ type: "text", text: "Cleo" })
  await say({ type: "text", text: "https://example.com/page" })
  await start({ message, resultId })
  return String(resultId)
}

async function preview(call: Call, ids: { botId: string; workspaceId: string }): Promise<void> {
  const { botId: id, workspaceId } = ids
  const body = {
    isStreamEnabled: false,
    message: { type: "text", text: "Hello", attachedFileUrls: ["https://example.com/a.png"] },
    isOnlyRegistering: false,
    bot: { ...flow, id, workspaceId, updatedAt: new Date().toISOString(), theme, settings },
    prefilledVariables: { Name: "Bea" },
    sessionId: "seedPreview",
    textBubbleContentFormat: "richText",
  }
  for (const groupId of ["first", "second", "asksClient"]) {
    const startFrom = { type: "group", groupId }
    await call("startPreviewChat", `/bots/${id}/preview/startChat`, {
      token: null,
      body: { ...body, startFrom },
    })
  }
}
