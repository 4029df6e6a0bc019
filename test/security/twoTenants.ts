/** Two workspaces on one service: the people of both, and things of the first to be kept safe. */

import { newId, newUuid } from "../../src/lib/ids.ts"
import { createAccount } from "../../src/people/createAccount.ts"
import { ask, block, bot, group, say } from "../support/bots.ts"
import { testDatabase } from "../support/database.ts"
import { publishBot, type Step } from "../support/publish.ts"
import { type Sent, testServer } from "../support/server.ts"

/** A word that stands in everything of the first workspace and nowhere else. */
export const marker = "Zebra"

export const database = await testDatabase()
// What is delivered meanwhile would change what the workspace holds.
await database.pool.query(
  "insert into jobs (name, claimed_by, claimed_until) values ('deliver_events', 'test', 'infinity')",
)
export const server = await testServer({
  DATABASE_URL: database.url,
  PARLEY_DEFAULT_PLAN: "UNLIMITED",
  PARLEY_RATE_LIMITS: "off",
  PARLEY_ADMIN_EMAILS: "pia@example.com",
  // Answers at once that it is not there.
  PARLEY_DNS_SERVERS: "127.0.0.1:9",
  // Each kind of caller asks for some in the same chat.
  PARLEY_UPLOADS_PER_CHAT: "100/1000",
})

const { body: listed } = await server.send("GET", "/api/v1/workspaces")
const [own] = listed.workspaces as { id: string }[]

/** The workspace that is to be kept safe. */
export const workspaceId = own?.id ?? ""
await database.pool.query("update workspaces set name = $1", [`${marker} & Sons`])

let count = 0

/** Somebody of another workspace. */
const account = async (email: string) => createAccount(database, { email, plan: "UNLIMITED" })
const eve = await account("eve@example.com")
const gus = await account("gus@example.com")
const mia = await account("mia@example.com")
const pia = await account("pia@example.com")
const rae = await account("rae@example.com")
const wes = await account("wes@example.com")
const ops = await account("ops@example.com")
// Not the first user, who is the admin here.
await database.pool.query("update users set is_operator = email = 'ops@example.com'")
/** Nobody who calls. */
await account("zoe@example.com")
/** The workspace of the stranger. */
export const foreignWorkspaceId = eve.workspaceId ?? ""

await joinAs("gus@example.com", "GUEST", workspaceId)
await joinAs("mia@example.com", "MEMBER", workspaceId)

/** Makes somebody a member. */
export async function joinAs(email: string, role: string, id: string): Promise<void> {
  await database.pool.query(
    "insert into workspace_members (workspace_id, user_id, role) select $1, id, $2 from users where email = $3",
    [id, role, email],
  )
}

/** A further workspace with the same people in the same roles, to be lost. */
export async function newWorkspace(): Promise<{ workspaceId: string }> {
  const { workspace } = await post("/workspaces", { name: `${marker} ${++count}` })
  const { id } = workspace as { id: string }
  await joinAs("gus@example.com", "GUEST", id)
  await joinAs("mia@example.com", "MEMBER", id)
  return { workspaceId: id }
}

const { body: made } = await server.send("POST", "/api/v1/users/me/api-tokens", {
  body: { name: "Revoked" },
})
const revoked = made.apiToken as { id: string; token: string }
await server.send("DELETE", `/api/v1/users/me/api-tokens/${revoked.id}`)

/** The token of every kind of caller; null: none. */
export const tokens = {
  nobody: null,
  revoked: revoked.token,
  stranger: eve.token,
  /** A stranger while the bot is shared publicly. */
  onlooker: eve.token,
  guest: gus.token,
  /** A platform admin of another workspace. */
  platformAdmin: pia.token,
  /** Strangers with whom the bot is shared to be read, and to be changed. */
  reader: rae.token,
  writer: wes.token,
  member: mia.token,
  /** The admin while the workspace is suspended. */
  suspended: server.token,
  admin: server.token,
  /** Operates the service, and has no role anywhere here. */
  operator: ops.token,
} as const

/** A kind of caller. */
export type Who = keyof typeof tokens

/** Every kind of caller, those who may least first. */
export const everybody = Object.keys(tokens) as Who[]

/** Ids of things of the first workspace. */
export type Target = {
  workspaceId: string
  botId: string
  publicId: string
  /** A key of a conversation with it. */
  key: string
  resultId: string
  /** Waits at the block `hook`. */
  sessionId: string
  /** Waits at the file input `file`. */
  fileSessionId: string
  credentialsId: string
  endpointId: string
  deliveryId: string
  /** A token of the admin's. */
  tokenId: string
  /** A session of the admin's. */
  userSessionId: string
  /** A member of its own. */
  userId: string
  invitationId: string
  templateId: string
  /** Of the bot. */
  fileId: string
  /** Somebody who is invited to work on the bot. */
  collaboratorId: string
  /** That of the draft. */
  revision: string
  folderId: string
  /** Of the workspace. */
  variableName: string
}

/** A flow that names the marker, waits for a call, and asks. */
export const flow = bot(
  group(
    "A",
    say(marker),
    block("webhook", {}, { id: "hook" }),
    ask.text({ id: "ask", saves: marker }),
  ),
)
const filing = await publishBot(server, bot(group("A", say(marker), ask.file({ id: "file" }))))

type Place = { botId: string; publicId: string }
type Part = { gives: readonly (keyof Target)[]; make(of: Place): Promise<Partial<Target>> }

/** What makes the things around a bot, by the ids that it gives. */
const parts: readonly Part[] = [
  {
    gives: ["resultId", "sessionId"],
    async make({ publicId }) {
      const { resultId, sessionId } = await start(publicId)
      return { resultId, sessionId }
    },
  },
  {
    gives: ["fileSessionId"],
    make: async () => ({ fileSessionId: (await start(filing.publicId)).sessionId }),
  },
  {
    gives: ["key"],
    async make({ botId }) {
      const key = `key ${++count}`
      await post(`/bots/${botId}/conversations/${encodeURIComponent(key)}/messages`, {})
      return { key }
    },
  },
  {
    gives: ["credentialsId"],
    async make() {
      // Private, so that nothing is asked when its tools are listed.
      const data = { url: `http://127.0.0.1:2/${marker}` }
      const credentials = { type: "mcp", name: marker, data }
      const { credentialsId } = await post("/credentials", { workspaceId, credentials })
      return { credentialsId: String(credentialsId) }
    },
  },
  { gives: ["endpointId", "deliveryId"], make: newEndpoint },
  {
    gives: ["tokenId"],
    make: async () => ({ tokenId: idIn(await post("/users/me/api-tokens", { name: marker })) }),
  },
  {
    gives: ["userSessionId"],
    async make() {
      const userSessionId = newId()
      await database.pool.query(
        `insert into user_sessions (id, user_id, secret_hash, method, user_agent, expires_at)
        select $1, id, sha256(gen_random_uuid()::text::bytea), 'mail', $2, now() + interval '1 day' from users
        where email = 'ann@example.com'`,
        [userSessionId, marker],
      )
      return { userSessionId }
    },
  },
  {
    gives: ["userId"],
    async make() {
      const [userId, email] = [newId(), newEmail().toLowerCase()]
      await database.pool.query("insert into users (id, email) values ($1, $2)", [userId, email])
      await joinAs(email, "MEMBER", workspaceId)
      return { userId }
    },
  },
  {
    gives: ["collaboratorId"],
    async make({ botId }) {
      const invited = { email: `shared.${newEmail()}`, type: "READ" }
      return { collaboratorId: idIn(await post(`/bots/${botId}/collaborators`, invited)) }
    },
  },
  {
    gives: ["invitationId"],
    async make() {
      const invited = { email: `invited.${newEmail()}`, type: "MEMBER" }
      return { invitationId: idIn(await postHere("/invitations", invited)) }
    },
  },
  {
    gives: ["fileId"],
    async make({ botId }) {
      const announced = { fileName: `${marker}.png`, fileSize: 1 }
      return { fileId: idIn(await post(`/bots/${botId}/files`, announced)) }
    },
  },
  {
    gives: ["templateId"],
    make: async () => ({
      templateId: idIn(await postHere("/themeTemplates", { name: marker, theme: {} })),
    }),
  },
  {
    gives: ["folderId"],
    make: async () => ({ folderId: idIn(await postHere("/folders", { name: marker })) }),
  },
  {
    gives: ["variableName"],
    async make() {
      const variableName = `variable${++count}`
      await postHere("/variables", { name: variableName, value: marker })
      return { variableName }
    },
  },
]

/** The id of the only thing in an answer. */
const idIn = (body: object) =>
  Object.values(body).find((each) => each.id !== undefined).id as string

const newEmail = () => `${marker}.${++count}@example.com`
const postHere = (path: string, body: object) => post(`/workspaces/${workspaceId}${path}`, body)

/** Makes a published bot that two people work on, and the things around it whose ids are needed. */
export async function newTarget(isNeeded: (name: string) => boolean = () => true): Promise<Target> {
  const { botId, publicId } = await publishBot(server, { ...flow, name: marker })
  await shareWith("rae@example.com", { botId, type: "READ" })
  await shareWith("wes@example.com", { botId, type: "WRITE" })
  const needed = parts.filter(({ gives }) => gives.some(isNeeded))
  const made = await Promise.all(needed.map(({ make }) => make({ botId, publicId })))
  return Object.assign({ workspaceId, botId, publicId, revision: "1" }, ...made)
}

/** Lets somebody work on one bot. */
export async function shareWith(
  email: string,
  { botId, type }: { botId: string; type: "READ" | "WRITE" },
): Promise<void> {
  await database.pool.query(
    `insert into bot_collaborators (bot_id, user_id, type) select $1, id, $2 from users where email = $3`,
    [botId, type, email],
  )
}

/** An endpoint that is told nothing by itself, and a delivery to it. */
async function newEndpoint(): Promise<{ endpointId: string; deliveryId: string }> {
  const types = ["conversation.paused"]
  const url = `http://${marker}.example/hook`
  const made = await post(`/workspaces/${workspaceId}/webhookEndpoints`, { url, types })
  const endpointId = (made.endpoint as { id: string }).id
  const deliveryId = newUuid()
  await database.kysely
    .insertInto("deliveries")
    .values({
      endpointId,
      id: deliveryId,
      eventId: newUuid(),
      resultId: newUuid(),
      type: "conversation.paused",
      body: marker,
      state: "failed",
    })
    .execute()
  return { endpointId, deliveryId }
}

async function start(publicId: string): Promise<Step> {
  return (await post(`/bots/${publicId}/startChat`, {})) as Step
}

async function post(path: string, body: object, sent: Sent = {}) {
  const reply = await server.send("POST", `/api/v1${path}`, { body, ...sent })
  if (reply.status !== 200) throw new Error(JSON.stringify(reply.body))
  return reply.body
}

const tables = {
  workspaces: "id = $1",
  workspace_members: "workspace_id = $1",
  workspace_invitations: "workspace_id = $1",
  folders: "workspace_id = $1",
  theme_templates: "workspace_id = $1",
  author_files: "workspace_id = $1",
  credentials: "workspace_id = $1",
  workspace_variables: "workspace_id = $1",
  webhook_endpoints: "workspace_id = $1",
  deliveries: "endpoint_id in (select id from webhook_endpoints where workspace_id = $1)",
  bots: "workspace_id = $1",
  bot_invitations: "bot_id in (select id from bots where workspace_id = $1)",
  bot_collaborators: "bot_id in (select id from bots where workspace_id = $1)",
  bot_edits: "bot_id in (select id from bots where workspace_id = $1)",
  published_bots: "bot_id in (select id from bots where workspace_id = $1)",
  bot_versions: "bot_id in (select id from bots where workspace_id = $1)",
  publications: "bot_id in (select id from bots where workspace_id = $1)",
  chat_sessions: "bot_id in (select id from bots where workspace_id = $1)",
  results: "bot_id in (select id from bots where workspace_id = $1)",
  answers:
    "result_id in (select result_id from results where bot_id in (select id from bots where workspace_id = $1))",
  logs: "result_id in (select result_id from results where bot_id in (select id from bots where workspace_id = $1))",
  webhook_calls:
    "result_id in (select result_id from results where bot_id in (select id from bots where workspace_id = $1))",
  conversations: "bot_id in (select id from bots where workspace_id = $1)",
  keyed_results: "bot_id in (select id from bots where workspace_id = $1)",
  kept_messages:
    "result_id in (select result_id from results where bot_id in (select id from bots where workspace_id = $1))",
  preview_sessions: "workspace_id = $1",
}

const textOf = (table: string, where: string) =>
  `(select coalesce(string_agg(t::text, E'\\n' order by t::text), '') from ${table} t where ${where})`
const texts = Object.entries(tables).map(([table, where]) => `${textOf(table, where)} as ${table}`)
const held = `select ${texts.join(", ")},
  (select string_agg(id || coalesce(revoked_at::text, ''), ',' order by id) from api_tokens) as tokens`

/** Everything that a workspace holds, the first unless another is named, as text by table. */
export async function holdings(id = workspaceId): Promise<Record<string, string>> {
  const { rows } = await database.pool.query<Record<string, string>>(held, [id])
  return rows[0] ?? {}
}
