/** Who may do what: every operation with every kind of caller, and nothing of others ever. */
import { expect, test, vi } from "vitest"
import { ask, bot, group, link } from "../support/bots.ts"
import { publishBot } from "../support/publish.ts"
import type { Sent, TestServer } from "../support/server.ts"
import { type Operation, operations } from "./operations.ts"
import {
  database,
  everybody,
  flow,
  foreignWorkspaceId,
  holdings,
  marker,
  newTarget,
  newWorkspace,
  server,
  type Target,
  tokens,
  type Who,
  workspaceId,
} from "./twoTenants.ts"

vi.setConfig({ testTimeout: 60_000 })

/** Statuses for nobody, a revoked token, a stranger, a guest, a member, the admin. */
type Statuses = readonly [number, number, number, number, number, number]
const anybody: Statuses = [200, 200, 200, 200, 200, 200]
const anyUser: Statuses = [401, 401, 200, 200, 200, 200]
const inside: Statuses = [401, 401, 404, 200, 200, 200]
const editors: Statuses = [401, 401, 404, 404, 200, 200]
const owner: Statuses = [401, 401, 404, 404, 404, 200]
const nobodyHere: Statuses = [401, 401, 404, 404, 404, 404]
const admins: Statuses = [401, 401, 404, 403, 403, 200]

/** What to send, beside the ids of the path, which are the target's. */
type Case = {
  statuses: Statuses
  query?: (to: Target) => object
  body?: (to: Target) => object
  /** Makes what the call would take away from the cases after it. */
  prepare?: () => Promise<Partial<Target>>
}

const credentials = { type: "http proxy", name: "Mine", data: { url: "http://mine.example" } }
const hook = { url: "http://mine.example/hook", types: ["conversation.paused"] }
const inWorkspace = (to: Target) => ({ workspaceId: to.workspaceId })
let made = 0

/** Every operation by its operationId. */
const cases: Record<string, Case> = {
  createWorkspace: { statuses: anyUser, body: () => ({ name: `Mine ${++made}` }) },
  listWorkspaces: { statuses: anyUser },
  getWorkspace: { statuses: inside },
  updateWorkspace: { statuses: admins, body: () => ({ icon: "M" }) },
  deleteWorkspace: { statuses: admins, prepare: newWorkspace },
  listMembers: { statuses: inside },
  updateMember: { statuses: admins, body: () => ({ role: "ADMIN" }) },
  deleteMember: { statuses: admins },
  listInvitations: { statuses: inside },
  createInvitation: {
    statuses: admins,
    body: () => ({ email: `mine.${++made}@example.com`, type: "ADMIN" }),
  },
  updateInvitation: { statuses: admins, body: () => ({ type: "ADMIN" }) },
  deleteInvitation: { statuses: admins },
  leaveWorkspace: { statuses: [401, 401, 404, 200, 200, 400], prepare: newWorkspace },
  listAuditLog: { statuses: admins },
  eraseData: { statuses: admins, body: () => ({ value: "Mine", dryRun: false }) },
  // It is for somebody else.
  listMyInvitations: { statuses: anyUser },
  acceptInvitation: { statuses: nobodyHere },
  declineInvitation: { statuses: nobodyHere },
  // It is shared with none of them.
  leaveBot: { statuses: nobodyHere },
  getUsage: { statuses: editors, query: inWorkspace },
  importBot: { statuses: editors, body: (to) => ({ ...inWorkspace(to), bot: flow }) },
  getBot: { statuses: editors },
  updateBot: { statuses: editors, body: () => ({ bot: { name: "Mine" } }) },
  deleteBot: { statuses: editors },
  createBot: { statuses: editors, body: (to) => ({ ...inWorkspace(to), bot: { name: "Mine" } }) },
  listBots: { statuses: inside, query: inWorkspace },
  lintBot: { statuses: editors, body: (to) => ({ botId: to.botId }) },
  publishBot: { statuses: editors },
  listVersions: { statuses: editors },
  getVersion: { statuses: editors },
  keepVersion: { statuses: editors, body: () => ({ note: "Mine" }) },
  rollbackBot: { statuses: editors, body: () => ({ version: 1 }) },
  restoreDraft: { statuses: editors, body: () => ({ version: 1 }) },
  diffVersions: { statuses: editors },
  listPublications: { statuses: editors },
  unpublishBot: { statuses: editors },
  checkPublicId: { statuses: anyUser, query: () => ({ publicId: "free-as-a-bird" }) },
  listConversations: { statuses: editors },
  getConversation: { statuses: editors },
  updateConversation: { statuses: editors, body: () => ({ variables: { [marker]: "Mine" } }) },
  sendConversationMessage: { statuses: editors, body: () => ({ message: "hi" }) },
  getSession: { statuses: editors },
  updateSession: { statuses: editors, body: () => ({ state: "paused" }) },
  getPublishedBot: { statuses: editors },
  getResult: { statuses: editors },
  listResults: { statuses: editors },
  deleteResults: { statuses: editors, query: (to) => ({ resultIds: to.resultId }) },
  listResultLogs: { statuses: editors },
  getResultTranscript: { statuses: editors },
  getResultTrace: { statuses: editors },
  getAnalytics: { statuses: editors },
  startChat: { statuses: anybody, body: () => ({}) },
  continueChat: { statuses: anybody, body: () => ({ message: "hi" }) },
  // Whoever nobody knows gets a locked one.
  startPreviewChat: { statuses: [200, 200, 404, 404, 200, 200], body: () => ({ bot: flow }) },
  executeWebhook: { statuses: editors, body: () => ({ name: "Mine" }) },
  // Nobody has a preview that waits.
  executeTestWebhook: { statuses: nobodyHere, body: () => ({}) },
  addClientLogs: { statuses: anybody, body: () => ({ clientLogs: [{ description: "Mine" }] }) },
  generateUploadUrl: {
    statuses: anybody,
    body: (to) => ({ sessionId: to.fileSessionId, blockId: "file", fileName: "a.txt" }),
  },
  createCredential: { statuses: editors, body: (to) => ({ ...inWorkspace(to), credentials }) },
  listCredentials: { statuses: editors, query: inWorkspace },
  getCredential: { statuses: editors },
  updateCredential: { statuses: editors, body: () => ({ credentials: { name: "Mine" } }) },
  deleteCredential: { statuses: editors },
  createWebhookEndpoint: { statuses: admins, body: () => hook },
  listWebhookEndpoints: { statuses: admins },
  getWebhookEndpoint: { statuses: admins },
  updateWebhookEndpoint: { statuses: admins, body: () => hook },
  deleteWebhookEndpoint: { statuses: admins },
  rotateWebhookSecret: { statuses: admins },
  testWebhookEndpoint: { statuses: admins },
  listWebhookDeliveries: { statuses: admins },
  redeliverWebhook: { statuses: admins },
  redeliverWebhooks: {
    statuses: admins,
    body: () => ({ since: "2026-01-01T00:00:00Z", until: "2026-01-02T00:00:00Z" }),
  },
  fetchWebhookEvents: { statuses: admins, body: () => ({}) },
  getMe: { statuses: anyUser },
  updateMe: { statuses: anyUser, body: () => ({ updates: { company: "Mine" } }) },
  listApiTokens: { statuses: anyUser },
  createApiToken: { statuses: anyUser, body: () => ({ name: "Mine" }) },
  revokeApiToken: { statuses: owner },
}

/** Of the whole service, so whoever may not see the workspace gets them too. */
const outsiders: readonly Who[] = ["nobody", "revoked", "stranger"]

async function sendAs(who: Who, operation: Operation, to: Target) {
  const { query, body } = cases[operation.id] ?? {}
  const ids: Record<string, string> = { ...to, blockId: "hook", number: "1" }
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? "missing")
  const search = query ? `?${new URLSearchParams(Object.entries(query(to)))}` : ""
  const sent: Sent = { token: tokens[who], ...(body ? { body: body(to) } : {}) }
  return server.send(operation.method, path + search, sent)
}

/** Mutations by which nobody changes a workspace: talk, rehearsals, and looks at what waits. */
const unaudited = new Set([
  "lintBot",
  "sendConversationMessage",
  "executeWebhook",
  "testWebhookEndpoint",
  "fetchWebhookEvents",
])

function isAudited({ id, method, path, isPublic }: Operation): boolean {
  const isOwn = path.startsWith("/api/v1/users")
  return method !== "GET" && !isPublic && !isOwn && !unaudited.has(id)
}

async function auditLog(): Promise<string[]> {
  const { rows } = await database.pool.query("select operation from audit_log")
  return rows.map(({ operation }) => operation)
}

test("every operation has a row in the table, and no row is left over", () => {
  expect(Object.keys(cases).toSorted()).toEqual(operations.map(({ id }) => id).toSorted())
})

test.each(
  operations.map((each) => [each.id, each] as const),
)("%s answers every kind of caller as the table says", async (_, operation) => {
  const statuses = cases[operation.id]?.statuses ?? []
  const target = async () => ({
    ...(await newTarget()),
    ...(await cases[operation.id]?.prepare?.()),
  })
  let to = await target()
  const before = await holdings()
  const got: Partial<Record<Who, number>> = {}
  for (const [index, who] of everybody.entries()) {
    const isAllowed = statuses[index] === 200
    if (isAllowed && !operation.path.startsWith("/api/v1/users")) to = await target()
    await database.pool.query("delete from audit_log")
    const reply = await sendAs(who, operation, to)
    const audited = reply.status === 200 && isAudited(operation) ? [operation.id] : []
    expect(await auditLog(), who).toEqual(audited)
    got[who] = reply.status
    if (operation.isPublic) continue
    if (outsiders.includes(who) || reply.status !== 200) {
      expect(JSON.stringify(reply.body), who).not.toContain(marker)
    }
    if (!isAllowed && index < 3) expect(await holdings(), who).toEqual(before)
  }
  expect(got).toEqual(Object.fromEntries(everybody.map((who, index) => [who, statuses[index]])))
})

test("a credential of the scope user answers its user alone", async () => {
  const body = { scope: "user", credentials: { ...credentials, name: marker } }
  const made = await server.send("POST", "/api/v1/credentials", { body })
  const path = `/api/v1/credentials/${made.body.credentialsId}`
  const changes = { body: { credentials: { name: "Mine" } } }
  for (const [index, who] of everybody.entries()) {
    const sendOwn = (method: string, sent: Sent = {}) =>
      server.send(method, path, { ...sent, token: tokens[who] })
    const status = owner[index]
    expect((await sendOwn("GET")).status, who).toBe(status)
    expect((await sendOwn("PATCH", changes)).status, who).toBe(status)
    const listPath = "/api/v1/credentials?scope=user"
    const list = await server.send("GET", listPath, { token: tokens[who] })
    expect(list.status, who).toBe(anyUser[index])
    if (status !== 200) expect(JSON.stringify(list.body), who).not.toContain(marker)
    expect((await sendOwn("DELETE")).status, who).toBe(status)
  }
})

/** The service as the stranger sees it. */
const stranger: TestServer = {
  ...server,
  send: (method, path, sent) => server.send(method, path, { token: tokens.stranger, ...sent }),
}

test("ids of another workspace open nothing under paths and in bodies of one's own", async () => {
  const of = await newTarget()
  const mine = await publishBot(stranger, bot(group("A", ask.text({ id: "hook", saves: "Said" }))))
  const before = await holdings()
  const v1 = "/api/v1"
  const own = `${v1}/bots/${mine.botId}`
  const ownWorkspace = `${v1}/workspaces/${foreignWorkspaceId}`
  const inOwn = (bot: object) => ({ body: { workspaceId: foreignWorkspaceId, bot } })
  const proxied = {
    type: "Webhook",
    options: { webhook: { url: "https://example.com" }, proxyCredentialsId: of.credentialsId },
  }
  const tries: [string, string, Sent?][] = [
    ["PATCH", `${ownWorkspace}/invitations/${of.invitationId}`, { body: { type: "ADMIN" } }],
    ["DELETE", `${ownWorkspace}/invitations/${of.invitationId}`],
    ["PATCH", `${ownWorkspace}/members/${of.userId}`, { body: { role: "ADMIN" } }],
    ["DELETE", `${ownWorkspace}/members/${of.userId}`],
    ["GET", `${ownWorkspace}/webhookEndpoints/${of.endpointId}`],
    ["PATCH", `${ownWorkspace}/webhookEndpoints/${of.endpointId}`, { body: { isEnabled: false } }],
    ["DELETE", `${ownWorkspace}/webhookEndpoints/${of.endpointId}`],
    ["POST", `${ownWorkspace}/webhookEndpoints/${of.endpointId}/rotateSecret`],
    ["GET", `${ownWorkspace}/webhookEndpoints/${of.endpointId}/deliveries`],
    [
      "POST",
      `${ownWorkspace}/webhookEndpoints/${of.endpointId}/deliveries/${of.deliveryId}/redeliver`,
    ],
    ["POST", `${ownWorkspace}/webhookEndpoints`, { body: { ...hook, botIds: [of.botId] } }],
    ["POST", `${ownWorkspace}/webhookEvents`, { body: { listenerId: of.endpointId } }],
    ["GET", `${own}/results/${of.resultId}`],
    ["GET", `${own}/results/${of.resultId}/logs`],
    ["GET", `${own}/results/${of.resultId}/transcript`],
    ["GET", `${own}/results/${of.resultId}/trace`],
    ["DELETE", `${own}/results?resultIds=${of.resultId}`],
    ["POST", `${own}/blocks/hook/results/${of.resultId}/executeWebhook`, { body: {} }],
    ["GET", `${own}/results?cursor=${of.resultId}`],
    ["GET", `${v1}/bots?workspaceId=${foreignWorkspaceId}&cursor=${of.botId}`],
    ["PATCH", own, { body: { bot: { publicId: of.publicId } } }],
    ["PATCH", own, { body: { bot: { workspaceId, id: of.botId } } }],
    ["PATCH", own, { body: { bot: { whatsAppCredentialsId: of.credentialsId } } }],
    ["POST", `${v1}/bots/import`, inOwn({ ...flow, id: of.botId, workspaceId, name: "Mine" })],
    ["POST", `${v1}/bots`, inOwn({ name: "Mine", id: of.botId, workspaceId })],
    ["POST", `${v1}/bots/import`, inOwn(bot(group("A", link(of.botId))))],
    ["POST", `${v1}/bots/import`, inOwn(bot(group("A", proxied)))],
    ["POST", `${v1}/bots/lint`, { body: { bot: flow, workspaceId } }],
    ["POST", `${v1}/bots/${mine.publicId}/startChat`, { body: { resultId: of.resultId } }],
    ["POST", `${v1}/bots/${of.botId}/preview/startChat`, { body: {} }],
    [
      "POST",
      `${v1}/bots/${mine.botId}/preview/startChat`,
      { body: { bot: bot(group("A", link(of.botId))), sessionId: of.sessionId } },
    ],
    [
      "POST",
      `${v1}/generate-upload-url`,
      { body: { sessionId: of.sessionId, blockId: "file", fileName: "a.txt" } },
    ],
  ]
  for (const [method, path, sent] of tries) {
    const reply = await stranger.send(method, path, sent)
    const told = `${method} ${path} ${reply.status} ${JSON.stringify(reply.body)}`
    expect(reply.status, told).toBeLessThan(500)
    // What was sent may come back; what lies in the other workspace may not.
    if (!JSON.stringify(sent ?? {}).includes(marker)) expect(told).not.toContain(marker)
    expect(await holdings(), told).toEqual(before)
  }
})
