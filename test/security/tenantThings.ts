/** One of everything that a tenant can have, with ids that are unlike those of any other tenant. */
import { newId, newUuid } from "../../src/lib/ids.ts"
import { ask, block, bot, group, groupIdOf, onCommand, say } from "../support/bots.ts"
import { publishBot, type Step } from "../support/publish.ts"
import type { Reply, Sent, TestServer } from "../support/server.ts"
import { answerTo } from "./answerTo.ts"
import type { Asked, Route, Tried } from "./places.ts"
import { database, server, tokens } from "./twoTenants.ts"

/** Settings that name a model for titles of groups. */
export const titles = { isEnabled: true, provider: "openai", model: "m", credentialsId: "none" }

/**
 * A tenant: the ADMIN of a workspace, a word that stands in everything of theirs, and how many versions
 * their bots have, whose numbers name nothing of another tenant otherwise.
 */
export type Tenant = { workspaceId: string; token: string; word: string; versions: number }

/** The ids of a tenant's things, by what they name, and more that calls need. */
export type Things = Record<Tried, string> & {
  tenant: Tenant
  /** Whose invitation and bot are shared with the tenant. */
  sharedWorkspaceId: string
  /** Waits for a file at the block `fileBlockId`. */
  fileSessionId: string
  fileBlockId: string
  /** Waits for an answer. */
  openSessionId: string
  openKey: string
  /** That of the draft of `botId`. */
  revision: number
}

/** The service as a tenant sees it. */
export function serverFor({ token }: Tenant): TestServer {
  return {
    ...server,
    send: (method, path, sent) => server.send(method, path, { token, ...sent }),
  }
}

/** Sends a call with a tenant's token, or with that of an operator where no tenant is admitted. */
export function callAs(tenant: Tenant, { method, isHidden }: Route, { path, ...asked }: Asked) {
  const token = isHidden ? tokens.operator : tenant.token
  return answerTo(server.address + path, { method, token, ...asked })
}

let made = 0

/** Makes one of everything; lists have two entries at least. */
export async function makeThings(tenant: Tenant): Promise<Things> {
  const { workspaceId, word, versions } = tenant
  const prefix = `x${++made}`
  const as = serverFor(tenant)
  const post = async (path: string, body: object, sent: Sent = {}): Promise<Reply["body"]> => {
    const reply = await as.send("POST", `/api/v1${path}`, { body, ...sent })
    if (reply.status >= 300) throw new Error(`${path}: ${JSON.stringify(reply.body)}`)
    return reply.body
  }
  const { blockId, groupId, flow } = flowOf(prefix, word)
  const { botId, publicId } = await publishBot(as, flow)
  await database.pool.query("update bots set custom_domain = $2 where id = $1", [
    botId,
    `${prefix}.example`,
  ])
  await database.pool.query("update workspaces set settings = $2 where id = $1", [
    workspaceId,
    { groupTitlesAutoGeneration: titles },
  ])
  for (let version = 2; version <= versions; version++) {
    const note = `${word} ${version}`
    const groups = flow.groups.map((each) => ({ ...each, title: note }))
    await as.send("PATCH", `/api/v1/bots/${botId}`, { body: { bot: { groups } } })
    await post(`/bots/${botId}/publish`, { note })
  }
  const idempotencyKey = `${prefix}-once`
  const start = async (sent: Sent = {}) =>
    (await post(`/bots/${publicId}/startChat`, {}, sent)) as Step
  const answer = (id: string) => post(`/sessions/${id}/continueChat`, { message: word })
  const waiting = await start()
  await answer(waiting.sessionId)
  const open = await start({ headers: { "idempotency-key": idempotencyKey } })
  const [key, openKey] = [`${prefix}-key`, `${prefix}-open`]
  for (const each of [key, openKey]) {
    // The first message starts the chat, the second one answers it.
    for (const message of ["", word]) {
      await post(`/bots/${botId}/conversations/${each}/messages`, { message })
    }
  }
  const preview = (await post(`/bots/${botId}/preview/startChat`, {})) as Step
  await answer(preview.sessionId)
  return {
    tenant,
    workspaceId,
    botId,
    botIds: botId,
    publicId,
    number: String(versions),
    key,
    openKey,
    idempotencyKey,
    resultId: waiting.resultId,
    resultIds: waiting.resultId,
    sessionId: waiting.sessionId,
    previewSessionId: preview.sessionId,
    openSessionId: open.sessionId,
    blockId,
    groupId,
    eventId: `${prefix}event`,
    replyId: `${prefix}item`,
    ...(await makeFiles(as, prefix)),
    ...(await makeEndpoint(tenant, post)),
    ...(await makeFolder(tenant, post)),
    ...(await makeVariable(tenant, { post, variableName: `${prefix}name` })),
    ...(await makeBinned(tenant, post)),
    ...(await makeTemplate(tenant, post)),
    ...(await makeAuthorFiles(workspaceId, botId, post)),
    ...(await makePeople(tenant, { post, botId })),
    ...(await makeShared(tenant)),
    ...(await makeEdits(tenant, { botId, prefix })),
  }
}

/** The revision of the draft of a tenant's bot. */
export async function revisionOf({ botId }: Pick<Things, "botId">): Promise<number> {
  const text = "select revision from bots where id = $1"
  const { rows } = await database.pool.query<{ revision: number }>(text, [botId])
  return rows[0]?.revision ?? 0
}

/** Edits by the tenant, of which some can be undone, and some undos can be taken back. */
async function makeEdits(tenant: Tenant, { botId, prefix }: { botId: string; prefix: string }) {
  const { body } = await serverFor(tenant).send("GET", "/api/v1/users/me")
  const changeId = `${prefix}-change`
  const revision = (await revisionOf({ botId })) + 1
  const kinds = ["edit", "edit", "edit", "edit", "undo", "undo"] as const
  await database.kysely
    .insertInto("botEdits")
    .values(
      kinds.map((kind, index) => ({
        ...{ botId, kind, revision: revision + index, authorId: String(body.id) },
        changeId: index === 0 ? changeId : null,
        // The last but one takes back the fourth, the last the third.
        target: kind === "undo" ? revision + 7 - index : null,
        edits: "[]",
        inverses: JSON.stringify([{ type: "bot.set", name: `${tenant.word} ${index}` }]),
        elements: JSON.stringify([`variable:${tenant.word}`]),
        bytes: 100,
      })),
    )
    .execute()
  const last = revision + kinds.length - 1
  await database.pool.query("update bots set revision = $2 where id = $1", [botId, last])
  return { changeId, revision: last }
}

/** Asks, and waits for a call once it was answered. */
function flowOf(prefix: string, word: string) {
  const blockId = `${prefix}hook`
  const title = `${prefix}A`
  const settings = { general: { rememberUser: { isEnabled: true } } }
  const flow = bot(
    { settings, events: [{ ...onCommand("again", title), id: `${prefix}event` }] },
    group(
      title,
      say(word),
      ask.choice([{ id: `${prefix}item`, content: word }, "Else"], { saves: `Said ${word}` }),
      block("webhook", {}, { id: blockId }),
      ask.text({ id: `${prefix}last` }),
    ),
  )
  return { blockId, groupId: groupIdOf(title), flow: { ...flow, name: `${word} bot` } }
}

type Post = (path: string, body: object, sent?: Sent) => Promise<Reply["body"]>

/** A chat that waits for a private file, and a file that another one got. */
async function makeFiles(as: TestServer, prefix: string) {
  const fileBlockId = `${prefix}file`
  const asks = ask.file({ id: fileBlockId, visibility: "Private" })
  const { publicId } = await publishBot(as, bot(group("F", asks)))
  const start = async () => {
    const reply = await as.send("POST", `/api/v1/bots/${publicId}/startChat`, { body: {} })
    return (reply.body as Step).sessionId
  }
  const body = { sessionId: await start(), blockId: fileBlockId, fileName: "a.txt" }
  const leave = await as.send("POST", "/api/v1/generate-upload-url", { body })
  const { pathname } = new URL(String(leave.body.fileUrl))
  const [, fileBotId = "", fileFolder = "", fileName = ""] =
    /bots\/([^/]+)\/files\/([^/]+)\/([^/]+)$/.exec(pathname) ?? []
  return { fileSessionId: await start(), fileBlockId, fileBotId, fileFolder, fileName }
}

/** An endpoint with two deliveries, and somebody who listens. */
async function makeEndpoint({ workspaceId, word }: Tenant, post: Post) {
  // Only so many may listen; those of earlier things are not needed any more.
  const listeners = "delete from webhook_endpoints where workspace_id = $1 and url is null"
  await database.pool.query(listeners, [workspaceId])
  const hook = { url: "http://127.0.0.1:9/hook", types: ["conversation.paused"] }
  const { endpoint } = await post(`/workspaces/${workspaceId}/webhookEndpoints`, {
    ...hook,
    description: word,
  })
  const { listenerId } = await post(`/workspaces/${workspaceId}/webhookEvents`, {})
  // A job forgets those who have not called for a minute.
  const stay = "update webhook_endpoints set expires_at = 'infinity' where id = $1"
  await database.pool.query(stay, [listenerId])
  const endpointId = (endpoint as { id: string }).id
  const ids = [newUuid(), newUuid()]
  await database.kysely
    .insertInto("deliveries")
    .values(
      ids.map((id) => ({
        ...{ endpointId, id, eventId: newUuid(), resultId: newUuid(), body: JSON.stringify(word) },
        ...{ type: "conversation.paused", state: "failed", answer: word },
      })),
    )
    .execute()
  const deliveryId = ids[0] ?? ""
  return { endpointId, listenerId: String(listenerId), deliveryId, deliveryIds: deliveryId }
}

async function makeFolder({ workspaceId, word }: Tenant, post: Post) {
  const { folder } = await post(`/workspaces/${workspaceId}/folders`, { name: word })
  return { folderId: (folder as { id: string }).id }
}

async function makeVariable(
  { workspaceId, word: value }: Tenant,
  { post, variableName }: { post: Post; variableName: string },
) {
  await post(`/workspaces/${workspaceId}/variables`, { name: variableName, value })
  return { variableName }
}

/** A bot in the bin. */
async function makeBinned(tenant: Tenant, post: Post) {
  const { workspaceId, word } = tenant
  const { bot: made } = await post("/bots", { workspaceId, bot: { name: word } })
  const { id: binnedBotId } = made as { id: string }
  await serverFor(tenant).send("DELETE", `/api/v1/bots/${binnedBotId}`)
  return { binnedBotId }
}

async function makeTemplate({ workspaceId, word }: Tenant, post: Post) {
  const template = { name: word, theme: {} }
  const { themeTemplate } = await post(`/workspaces/${workspaceId}/themeTemplates`, template)
  return { templateId: (themeTemplate as { id: string }).id }
}

async function makeAuthorFiles(workspaceId: string, botId: string, post: Post) {
  const announced = { fileName: "a.png", fileSize: 1 }
  const owners = [`/bots/${botId}`, `/workspaces/${workspaceId}`]
  const announce = () => Promise.all(owners.map((of) => post(`${of}/files`, announced)))
  await announce()
  const [own, shared] = await announce()
  const idOf = (made: Reply["body"] | undefined) => (made?.file as { id: string }).id
  return { fileId: idOf(own), workspaceFileId: idOf(shared) }
}

async function makePeople(
  { workspaceId, word }: Tenant,
  { post, botId }: { post: Post; botId: string },
) {
  const tools = { type: "mcp", name: word, data: { url: "http://127.0.0.1:2" } }
  const { credentialsId } = await post("/credentials", { workspaceId, credentials: tools })
  const { apiToken } = await post("/users/me/api-tokens", { name: word })
  const userId = newId()
  const email = `${userId}@example.com`
  await database.kysely.insertInto("users").values({ id: userId, email, name: word }).execute()
  await join(workspaceId, userId)
  const invited = { email: `${newId()}@example.com`, type: "MEMBER" }
  const { invitation } = await post(`/workspaces/${workspaceId}/invitations`, invited)
  const shared = { email: `${newId()}@example.com`, type: "READ" }
  const { collaborator } = await post(`/bots/${botId}/collaborators`, shared)
  return {
    collaboratorId: (collaborator as { id: string }).id,
    credentialsId: String(credentialsId),
    tokenId: (apiToken as { id: string }).id,
    userId,
    invitationId: (invitation as { id: string }).id,
  }
}

async function join(
  workspaceId: string,
  userId: string,
  role: "ADMIN" | "MEMBER" = "MEMBER",
): Promise<void> {
  const member = { workspaceId, userId, role }
  await database.kysely.insertInto("workspaceMembers").values(member).execute()
}

/** What somebody else shares with the tenant: an invitation, and a bot. */
async function makeShared(tenant: Tenant) {
  const { body } = await serverFor(tenant).send("GET", "/api/v1/users/me")
  const { id: userId, email } = body as { id: string; email: string }
  const workspaceId = newId()
  const [joinedWorkspaceId, spareWorkspaceId] = [newId(), newId()]
  for (const id of [workspaceId, joinedWorkspaceId, spareWorkspaceId]) {
    const other = { id, name: "Elsewhere", plan: "UNLIMITED" as const }
    await database.kysely.insertInto("workspaces").values(other).execute()
  }
  await join(joinedWorkspaceId, userId)
  await join(spareWorkspaceId, userId, "ADMIN")
  const userSessionId = newId()
  await database.pool.query(
    `insert into user_sessions (id, user_id, secret_hash, method, expires_at)
    values ($1, $2, sha256(gen_random_uuid()::text::bytea), 'mail', now() + interval '1 day')`,
    [userSessionId, userId],
  )
  const ownInvitationId = newId()
  await database.kysely
    .insertInto("workspaceInvitations")
    .values({ id: ownInvitationId, workspaceId, email, role: "MEMBER" })
    .execute()
  const [sharedBotId, otherSharedId, offeredBotId] = [newId(), newId(), newId()]
  await database.pool.query(
    `insert into bots (id, workspace_id, name, version, groups, edges, variables, theme, settings)
    select id, $2, 'Shared', '6.1', '[]', '[]', '[]', '{}', '{}' from unnest($1::text[]) id`,
    [[sharedBotId, otherSharedId, offeredBotId], workspaceId],
  )
  const ownBotInvitationId = newId()
  await database.kysely
    .insertInto("botInvitations")
    .values({ id: ownBotInvitationId, botId: offeredBotId, email, type: "READ" })
    .execute()
  await database.kysely
    .insertInto("botCollaborators")
    .values(
      [sharedBotId, otherSharedId].map((id) => ({ botId: id, userId, type: "READ" as const })),
    )
    .execute()
  return {
    userSessionId,
    ownInvitationId,
    ownBotInvitationId,
    sharedBotId,
    sharedWorkspaceId: workspaceId,
    joinedWorkspaceId,
    spareWorkspaceId,
  }
}
