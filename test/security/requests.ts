/** Requests for every operation, made from the document with the ids of a target, and what it cannot tell. */
import type { Admission } from "../../src/people/admissions.ts"
import { type Json, type Operation, resolved } from "./operations.ts"
import {
  database,
  flow,
  foreignWorkspaceId,
  joinAs,
  marker,
  newTarget,
  newWorkspace,
  server,
  shareWith,
  type Target,
  tokens,
  type Who,
} from "./twoTenants.ts"

/** A request of a caller. */
export type Request = { method: string; path: string; body?: unknown }

/** What is sent to an operation beside what the document says. */
type Supplement = {
  /** What a query has besides its required members. */
  query?: (to: Target) => Record<string, string>
  /** Replaces the body that is made from the document. */
  body?: (to: Target) => object
  /** Makes what the call of this caller needs, and takes away. */
  prepare?: (to: Target, who: Who) => Promise<Partial<Target>>
  /** True: a call takes away what is in the target, as every DELETE does. */
  takesAway?: true
  /** Status of success; absent: 200. */
  success?: number
}

const credentials = { type: "mcp", name: "Mine", data: { url: "http://127.0.0.1:2" } }
const hook = { url: "http://mine.example/hook", types: ["conversation.paused"] }
const inWorkspace = ({ workspaceId }: Target) => ({ workspaceId })
const now = ({ revision }: Target) => ({ revision: Number(revision) })
const named = { type: "bot.set", name: "Mine" }
let made = 0

/** By operationId, or by that and the admission where a request decides which of them counts. */
const supplements: Record<string, Supplement> = {
  createWorkspace: { body: () => ({ name: `Mine ${++made}` }) },
  deleteWorkspace: { prepare: newWorkspace },
  leaveWorkspace: {
    async prepare() {
      const { workspaceId } = await newWorkspace()
      // The last ADMIN cannot leave.
      await joinAs("zoe@example.com", "ADMIN", workspaceId)
      return { workspaceId }
    },
  },
  createInvitation: { body: () => ({ email: `mine.${++made}@example.com`, type: "ADMIN" }) },
  updateInvitation: { body: () => ({ type: "ADMIN" }) },
  eraseData: { body: () => ({ value: "Mine", dryRun: false }) },
  acceptInvitation: { prepare: inviteAdmin },
  declineInvitation: { prepare: inviteAdmin },
  shareBot: { body: () => ({ email: `mine.${++made}@example.com`, type: "WRITE" }) },
  updateCollaborator: { body: () => ({ type: "WRITE" }) },
  acceptBotInvitation: { prepare: offerBot },
  declineBotInvitation: { prepare: offerBot },
  leaveBot: { takesAway: true },
  unpublishBot: { takesAway: true },
  importBot: { body: (to) => ({ ...inWorkspace(to), bot: flow }) },
  createBot: { body: (to) => ({ ...inWorkspace(to), bot: { name: "Mine" } }) },
  restoreBot: {
    takesAway: true,
    async prepare() {
      const target = await newTarget()
      await server.send("DELETE", `/api/v1/bots/${target.botId}`)
      return target
    },
  },
  duplicateBot: { body: () => ({ name: "Mine" }) },
  createFolder: { body: () => ({ name: "Mine" }) },
  updateFolder: { body: () => ({ name: "Mine" }) },
  moveBots: { body: (to) => ({ ...inWorkspace(to), botIds: [to.botId], folderId: to.folderId }) },
  updateBot: { body: () => ({ bot: { name: "Mine" } }) },
  editBot: { body: (to) => ({ ...now(to), edits: [named] }), prepare: readRevision },
  undoEdit: { body: now, prepare: edit },
  redoEdit: { body: now, prepare: editAndUndo },
  "lintBot botViewers": { body: ({ botId }) => ({ botId }) },
  "lintBot workspaceListers": { body: (to) => ({ ...inWorkspace(to), bot: flow }) },
  "lintBot accounts": { body: () => ({ bot: flow }) },
  keepVersion: { body: () => ({ note: "Mine" }) },
  checkPublicId: { query: () => ({ publicId: "free-as-a-bird" }) },
  deleteResults: { query: ({ resultId }) => ({ resultIds: resultId }) },
  replayResults: { body: () => ({}) },
  getPrivateFile: { success: 302 },
  continueChat: { body: () => ({ message: "hi" }) },
  "startPreviewChat flowPreviewers": { body: () => ({ bot: flow }) },
  "startPreviewChat botReaders": { body: () => ({}) },
  goBackInPreview: { body: () => ({}), prepare: answerPreview },
  executeWebhook: { body: () => ({ name: "Mine" }) },
  executeTestWebhook: { body: () => ({ name: "Mine" }), prepare: startPreview },
  addClientLogs: { body: () => ({ clientLogs: [{ description: "Mine" }] }) },
  deleteWorkspaceFile: { prepare: announceFile },
  generateUploadUrl: {
    // A chat takes ten.
    takesAway: true,
    body: ({ fileSessionId }) => ({
      sessionId: fileSessionId,
      blockId: "file",
      fileName: "a.txt",
    }),
  },
  sendConversationMessage: { body: () => ({ message: "hi" }) },
  replyToConversation: { body: () => ({ text: "hi", pause: true }) },
  replyInSession: { body: () => ({ text: "hi", pause: true }) },
  updateConversation: { body: () => ({ variables: { [marker]: "Mine" } }) },
  updateSession: { body: () => ({ variables: { [marker]: "Mine" } }) },
  "createCredential workspaceEditors": { body: (to) => ({ ...inWorkspace(to), credentials }) },
  "createCredential accounts": { body: () => ({ scope: "user", credentials }) },
  "listCredentials workspaceEditors": { query: inWorkspace },
  "listCredentials accounts": { query: () => ({ scope: "user" }) },
  "getCredential itsAccount": { prepare: keepCredential },
  "listCredentialTools itsAccount": { prepare: keepCredential },
  updateCredential: { body: () => ({ credentials: { name: "Mine" } }) },
  "updateCredential itsAccount": {
    body: () => ({ credentials: { name: "Mine" } }),
    prepare: keepCredential,
  },
  "deleteCredential itsAccount": { prepare: keepCredential },
  createVariable: { body: () => ({ name: `mine${++made}`, value: "Mine" }) },
  updateVariable: { body: () => ({ value: "Mine" }) },
  createWebhookEndpoint: { body: () => hook },
  updateWebhookEndpoint: { body: () => hook },
  redeliverWebhooks: {
    body: () => ({ since: "2026-01-01T00:00:00Z", until: "2026-01-02T00:00:00Z" }),
  },
  checkCustomDomain: { prepare: nameDomain },
  generateGroupTitle: { body: () => ({ overwrite: true }), prepare: nameGroups },
  decideBot: { body: () => ({ riskLevel: 1 }) },
  decideWorkspace: { body: () => ({ isVerified: true }) },
  createApiToken: { body: () => ({ name: "Mine" }) },
  updateMe: { body: () => ({ updates: { company: "Mine" } }) },
}

/** Values of places in paths that are no ids of the target. */
const usual: Record<string, string> = {
  groupId: "gA",
  blockId: "hook",
  number: "1",
  folder: "0".repeat(32),
  fileName: "a.txt",
}

/** What the table says about an operation and one of those whom it admits. */
export function supplementOf({ id }: Operation, admission: Admission): Supplement {
  return supplements[`${id} ${admission}`] ?? supplements[id] ?? {}
}

/** A target with the things that the request for an operation names. */
export async function newTargetFor(operation: Operation, admission: Admission): Promise<Target> {
  const named = new Set<string>()
  const get = (_: object, name: string) => named.add(name) && name
  requestFor(operation, admission, new Proxy<Target>({} as Target, { get }))
  return await newTarget((name) => named.has(name))
}

/** The request for an operation. Throws when the document does not say enough. */
export function requestFor(operation: Operation, admission: Admission, to: Target): Request {
  const { id, method, body } = operation
  const { query, body: ownBody } = supplementOf(operation, admission)
  const known = (name: string) => to[name as keyof Target] ?? usual[name]
  const value = (place: string, name: string) => {
    const found = known(name)
    if (found !== undefined) return found
    throw new Error(
      `Nothing is known for ${name} in the ${place} of ${id}: add it to the targets in twoTenants.ts, ` +
        "or to the table of requests.ts",
    )
  }
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => value("path", name))
  const own = query?.(to) ?? {}
  const required = operation.query.map((name) => [name, own[name] ?? value("query", name)])
  const search = new URLSearchParams({ ...Object.fromEntries(required), ...own }).toString()
  return {
    method,
    path: search === "" ? path : `${path}?${search}`,
    ...(body && { body: ownBody?.(to) ?? bodyFrom(id, body, known) }),
  }
}

/** The example of the document, else the required members of the schema; with the ids of the target. */
function bodyFrom(
  id: string,
  { schema, example }: NonNullable<Operation["body"]>,
  known: (name: string) => string | undefined,
): object {
  const { required = [], properties = {} } = resolved(schema) as {
    required?: string[]
    properties?: Record<string, Json>
  }
  const members = required.map(
    (name) => [name, sampleOf(resolved(properties[name] ?? {}))] as const,
  )
  const body: Json = { ...Object.fromEntries(members), ...(example as Json | undefined) }
  for (const name of Object.keys(body)) body[name] = known(name) ?? body[name]
  const unknown = Object.keys(body).find((name) => body[name] === undefined)
  if (unknown === undefined) return body
  throw new Error(
    `The document does not say what ${unknown} in the body of ${id} may be: give the operation an ` +
      "example, or add its body to the table of requests.ts",
  )
}

function sampleOf({ type, enum: choices, minimum }: Json): unknown {
  if (Array.isArray(choices)) return choices[0]
  if (type === "string") return "Mine"
  if (type === "boolean") return true
  return type === "integer" || type === "number" ? (minimum ?? 1) : undefined
}

/** An invitation of the admin into the workspace of the stranger, in place of an earlier one. */
async function inviteAdmin(): Promise<Partial<Target>> {
  const email = "ann@example.com"
  const own = "user_id in (select id from users where email = $2)"
  const leave = `delete from workspace_members where workspace_id = $1 and ${own}`
  await database.pool.query(leave, [foreignWorkspaceId, email])
  await database.pool.query("delete from workspace_invitations where email = $1", [email])
  const path = `/api/v1/workspaces/${foreignWorkspaceId}/invitations`
  const body = { email, type: "GUEST" }
  const { body: made } = await server.send("POST", path, { token: tokens.stranger, body })
  return { invitationId: (made.invitation as { id: string }).id }
}

/** A model that the workspace names for titles, without its credential: it is asked, and gives none. */
async function nameGroups({ workspaceId }: Target): Promise<Partial<Target>> {
  const titles = { isEnabled: true, provider: "openai", model: "gpt-4.1", credentialsId: "none" }
  const text = "update workspaces set settings = $2 where id = $1"
  await database.pool.query(text, [workspaceId, { groupTitlesAutoGeneration: titles }])
  return {}
}

/** A domain of the bot. */
async function nameDomain({ botId }: Target): Promise<Partial<Target>> {
  const text = "update bots set custom_domain = id || '.example' where id = $1"
  await database.pool.query(text, [botId])
  return {}
}

/** A file of the workspace. */
async function announceFile({ workspaceId }: Target): Promise<Partial<Target>> {
  const body = { fileName: `${marker}.png`, fileSize: 1 }
  const made = await server.send("POST", `/api/v1/workspaces/${workspaceId}/files`, { body })
  return { fileId: (made.body.file as { id: string }).id }
}

/** An invitation of the admin to a new bot of the stranger. */
async function offerBot(): Promise<Partial<Target>> {
  const token = tokens.stranger
  const bot = { workspaceId: foreignWorkspaceId, bot: { name: "Theirs" } }
  const { body: created } = await server.send("POST", "/api/v1/bots", { token, body: bot })
  const path = `/api/v1/bots/${(created.bot as { id: string }).id}/collaborators`
  const body = { email: "ann@example.com", type: "READ" }
  const { body: shared } = await server.send("POST", path, { token, body })
  return { invitationId: (shared.collaborator as { id: string }).id }
}

/** The revision of the draft as it is. */
async function readRevision({ botId }: Target): Promise<Partial<Target>> {
  const text = "select revision from bots where id = $1"
  const { rows } = await database.pool.query<{ revision: number }>(text, [botId])
  return { revision: String(rows[0]?.revision) }
}

/** An edit of the caller's, if they may. */
async function edit(to: Target, who: Who, action = ""): Promise<Partial<Target>> {
  const body = {
    ...now({ ...to, ...(await readRevision(to)) }),
    ...(action === "" && { edits: [named] }),
  }
  const path = `/api/v1/bots/${to.botId}/edits${action}`
  await server.send("POST", path, { token: tokens[who], body })
  return await readRevision(to)
}

async function editAndUndo(to: Target, who: Who): Promise<Partial<Target>> {
  await edit(to, who)
  return await edit(to, who, "/undo")
}

/** A credential of the admin's own. */
async function keepCredential(): Promise<Partial<Target>> {
  const body = { scope: "user", credentials: { ...credentials, name: marker } }
  const made = await server.send("POST", "/api/v1/credentials", { body })
  return { credentialsId: String(made.body.credentialsId) }
}

/** Those who have no role at the bot, but had one when they began a preview. */
const formerReaders: Partial<Record<Who, string>> = {
  stranger: "eve@example.com",
  onlooker: "eve@example.com",
  guest: "gus@example.com",
}

/** A preview of the caller's own that waits. */
async function startPreview(to: Target, who: Who): Promise<Partial<Target>> {
  await beginPreview(to, who)
  return {}
}

/** One whose first question was answered. */
async function answerPreview(to: Target, who: Who): Promise<Partial<Target>> {
  const sessionId = await beginPreview(to, who, { startFrom: { type: "block", blockId: "ask" } })
  const path = `/api/v1/sessions/${sessionId}/continueChat`
  await server.send("POST", path, { token: null, body: { message: "hi" } })
  return { sessionId }
}

async function beginPreview({ botId }: Target, who: Who, body: object = {}): Promise<string> {
  const token = tokens[who]
  if (token === null) return "none"
  const email = formerReaders[who]
  if (email !== undefined) await shareWith(email, { botId, type: "READ" })
  const path = `/api/v1/bots/${botId}/preview/startChat`
  const { body: started } = await server.send("POST", path, { token, body })
  if (email !== undefined) {
    const own = "user_id in (select id from users where email = $2)"
    const leave = `delete from bot_collaborators where bot_id = $1 and ${own}`
    await database.pool.query(leave, [botId, email])
  }
  return String(started.sessionId)
}
