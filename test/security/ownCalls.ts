/** A valid call of every operation, with a tenant's own id at every place that names something. */
import { newId } from "../../src/lib/ids.ts"
import { ask, block, bot, group } from "../support/bots.ts"
import { type Asked, type Place, placesOf, type Route, document as whole } from "./places.ts"
import { type Things, titles } from "./tenantThings.ts"

/** What is sent beside the ids in the path, which are the tenant's own unless they are named here. */
export type Sending = {
  path?: Record<string, string>
  query?: Record<string, string>
  body?: object
}

/** Every place that names something. */
export const places = placesOf(whole)

const flowOf = (own: Things) => ({
  ...bot(
    group(
      "Own",
      ask.text(),
      block("Typebot link", { typebotId: own.botId }),
      block("Bot link", { botId: own.botId }),
      block("openai", {
        credentialsId: own.credentialsId,
        mcpServers: [{ credentialsId: own.credentialsId }],
      }),
      block("Webhook", {
        webhook: { url: "https://example.com" },
        proxyCredentialsId: own.credentialsId,
      }),
    ),
  ),
  name: "Own",
})

const ordered = ({ folderId, templateId }: Things) => ({
  folderId,
  selectedThemeTemplateId: templateId,
})

const exported = (own: Things) => ({
  ...{ ...flowOf(own), ...ordered(own), id: own.botId, workspaceId: own.workspaceId },
})

const draft = (own: Things) => {
  const { version: _, ...flow } = flowOf(own)
  return { ...flow, ...ordered(own) }
}

const change = ({ revision }: Things) => ({ revision, changeId: newId() })

/** Edits that touch nothing that is there. */
const editsOf = (own: Things) => {
  const groupId = newId()
  const group = { id: groupId, title: "Own", graphCoordinates: { x: 0, y: 0 } }
  const blocks = () =>
    flowOf(own).groups.flatMap((each) => each.blocks.map((inner) => ({ ...inner, id: newId() })))
  return [
    { type: "group.put", group: { ...group, blocks: blocks() } },
    ...blocks().map((each) => ({ type: "block.put", groupId, block: each })),
  ]
}

const chosen = ({ replyId, tenant }: Things) => ({
  message: { type: "text", text: tenant.word, metadata: { replyId } },
})

const ofPath = ({ path }: Route) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name)

const inWorkspace = ({ workspaceId }: Things) => ({ workspaceId })
const hook = { url: "http://127.0.0.1:9/hook", types: ["conversation.paused"] }
const proxy = { type: "http proxy", name: "Mine", data: { url: "http://mine.example" } }
const span = { since: "2026-01-01T00:00:00Z", until: "2026-01-02T00:00:00Z" }
const ofResults = ({ key, number }: Things) => ({
  query: { conversationKey: key, version: number, timeFilter: "allTime" },
})
const saying = () => ({ body: { text: "Mine", pause: true } })
const continuing = ({ groupId, blockId, userId: assigneeId }: Things) => ({
  body: { variables: {}, continueAt: { groupId, blockId }, assigneeId },
})

/** By operationId; several where no one call can name everything. Others need nothing but their path. */
const calls: Readonly<Record<string, (own: Things) => Sending | Sending[]>> = {
  updateWorkspace: ({ credentialsId }) => ({
    body: { settings: { groupTitlesAutoGeneration: { ...titles, credentialsId } } },
  }),
  generateGroupTitle: () => ({ body: { overwrite: true } }),
  updateMember: () => ({ body: { role: "ADMIN" } }),
  createInvitation: () => ({ body: { email: `${newId()}@example.com`, type: "GUEST" } }),
  updateInvitation: () => ({ body: { type: "ADMIN" } }),
  shareBot: () => ({ body: { email: `${newId()}@example.com`, type: "READ" } }),
  updateCollaborator: () => ({ body: { type: "WRITE" } }),
  eraseData: ({ botId, key: conversationKey }) => ({
    body: { value: "nobody", conversationKey, botIds: [botId], dryRun: false },
  }),
  importBot: (own) => ({ body: { ...inWorkspace(own), bot: exported(own) } }),
  createBot: (own) => ({
    body: { ...inWorkspace(own), bot: { ...draft(own), publicId: `own-${newId()}` } },
  }),
  updateBot: (own) => {
    const { publicId, credentialsId: whatsAppCredentialsId } = own
    return { body: { bot: { ...draft(own), publicId, whatsAppCredentialsId } } }
  },
  editBot: (own) => [
    { body: { ...change(own), edits: editsOf(own) } },
    ...[
      { publicId: own.publicId },
      { whatsAppCredentialsId: own.credentialsId },
      { selectedThemeTemplateId: own.templateId },
    ].map((members) => ({
      body: { revision: own.revision, edits: [{ type: "bot.set", ...members }] },
    })),
  ],
  undoEdit: (own) => ({ body: change(own) }),
  redoEdit: (own) => ({ body: change(own) }),
  duplicateBot: (own) => ({ body: { ...inWorkspace(own), folderId: own.folderId } }),
  createBotFile: () => ({ body: { fileName: "a.png", fileSize: 1 } }),
  createWorkspaceFile: () => ({ body: { fileName: "a.png", fileSize: 1 } }),
  createThemeTemplate: () => ({ body: { name: "Mine", theme: {} } }),
  updateThemeTemplate: () => ({ body: { name: "Mine" } }),
  applyTheme: ({ templateId }) => ({ body: { templateId } }),
  createFolder: ({ folderId }) => ({ body: { name: "Mine", parentFolderId: folderId } }),
  updateFolder: () => ({ body: { name: "Mine", parentFolderId: null } }),
  moveBots: (own) => ({
    body: { ...inWorkspace(own), botIds: [own.botId], folderId: own.folderId },
  }),
  listBots: (own) => ({ query: { ...inWorkspace(own), folderId: own.folderId } }),
  lintBot: (own) => [
    { body: { botId: own.botId } },
    { body: { ...inWorkspace(own), bot: exported(own) } },
  ],
  testBot: () => ({ body: { file: "bot: b\nconversation: []" } }),
  checkPublicId: ({ publicId }) => ({ query: { publicId } }),
  keepVersion: () => ({ body: { note: "Mine" } }),
  rollbackBot: ({ number }) => ({ body: { version: Number(number) } }),
  restoreDraft: ({ number }) => ({ body: { version: Number(number) } }),
  listResults: ofResults,
  listResultColumns: ofResults,
  exportResults: ofResults,
  replayResults: ({ number }) => ({ body: { against: number } }),
  getAnalytics: ({ number }) => ({ query: { version: number } }),
  deleteResults: ({ resultIds }) => ({ query: { resultIds } }),
  startChat: (own) => ({
    path: { publicId: own.publicId },
    body: { ...chosen(own), resultId: own.resultId },
  }),
  continueChat: (own) => ({ path: { sessionId: own.openSessionId }, body: chosen(own) }),
  startPreviewChat: (own) => [
    {
      body: {
        ...{ ...chosen(own), bot: exported(own), sessionId: `own-${newId()}` },
        startFrom: { type: "group", groupId: "gOwn" },
      },
    },
    { body: { bot: exported(own), startFrom: { type: "event", eventId: "start" } } },
    { body: { bot: exported(own), startFrom: { type: "block", blockId: "b1" } } },
  ],
  goBackInPreview: () => ({ body: {} }),
  executeWebhook: () => ({ body: {} }),
  executeTestWebhook: () => ({ body: {} }),
  sendConversationMessage: (own) => [
    { body: chosen(own) },
    { body: { message: own.tenant.word, metadata: { replyId: own.replyId } } },
  ],
  replyToConversation: saying,
  replyInSession: saying,
  updateConversation: continuing,
  updateSession: continuing,
  generateUploadUrl: ({ fileSessionId: sessionId, fileBlockId: blockId }) => ({
    body: { sessionId, blockId, fileName: "a.txt" },
  }),
  createCredential: (own) => ({ body: { ...inWorkspace(own), credentials: proxy } }),
  listCredentials: (own) => ({ query: inWorkspace(own) }),
  updateCredential: () => ({ body: { credentials: { name: "Mine" } } }),
  createVariable: () => ({ body: { name: `own${newId()}`, value: "Mine" } }),
  updateVariable: () => ({ body: { value: "Mine" } }),
  createWebhookEndpoint: ({ botId }) => ({ body: { ...hook, botIds: [botId] } }),
  updateWebhookEndpoint: ({ botId }) => ({ body: { botIds: [botId] } }),
  redeliverWebhooks: () => ({ body: span }),
  fetchWebhookEvents: ({ botId, listenerId, deliveryId }) => [
    { body: { botIds: [botId] } },
    { body: { listenerId, fetched: [deliveryId] } },
  ],
  createApiToken: ({ workspaceId, botId }) => [
    { body: { name: "Mine", workspaceId } },
    { body: { name: "Mine", botIds: [botId] } },
  ],
  getUsage: (own) => ({ query: inWorkspace(own) }),
}

/** The own calls of an operation. */
export function ownCalls(route: Route, own: Things): Asked[] {
  return sendingsOf(route, own).map((sending) => asked(route, sending, {}))
}

/** The own calls of an operation with somebody else's thing at one place. */
export function callsWith(
  route: Route,
  own: Things,
  foreign: { place: Place; id: string },
): Asked[] {
  const { place, id } = foreign
  const name = place.way.at(-1) ?? ""
  const found = sendingsOf(route, own).flatMap((sending): Asked[] => {
    if (place.in === "path") {
      return [asked(route, { ...sending, path: { ...sending.path, [name]: id } }, {})]
    }
    if (place.in === "header") return [asked(route, sending, { [name]: id })]
    if (place.in === "query") {
      const isCursor = place.kind === "cursor"
      if (!isCursor && sending.query?.[name] === undefined) return []
      return [asked(route, { ...sending, query: { ...sending.query, [name]: id } }, {})]
    }
    const body = place.kind === "cursor" ? { ...sending.body, cursor: id } : sending.body
    const changed = replaced(body, place.way, id)
    return changed === undefined ? [] : [asked(route, { ...sending, body: changed as object }, {})]
  })
  if (found.length > 0) return found
  const where = place.way.join(".")
  throw new Error(`The own calls of ${route.id} name nothing at ${where}: add it in ownCalls.ts`)
}

function sendingsOf(route: Route, own: Things): Sending[] {
  const sendings = [calls[route.id]?.(own) ?? {}].flat()
  const names = ofPath(route)
  const paths = places.filter((each) => each.operation === route.id && each.in === "path")
  const ids = paths.map(({ way: [name = ""], kind }) => {
    const id = kind in own ? own[kind as keyof Things] : undefined
    return [name, typeof id === "string" ? id : ""]
  })
  return sendings.map((sending) => {
    const path: Record<string, string> = { ...Object.fromEntries(ids), ...sending.path }
    const missing = names.find((name) => !path[name])
    if (missing === undefined) return { ...sending, path }
    throw new Error(`The own calls of ${route.id} have no ${missing}: add it in ownCalls.ts`)
  })
}

function asked(
  route: Route,
  { path = {}, query, body }: Sending,
  headers: Record<string, string>,
): Asked {
  const at = route.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(path[name] ?? ""))
  const search = query ? `?${new URLSearchParams(query)}` : ""
  return { path: at + search, headers, body }
}

/** A copy with another id at the first place that has one; undefined: there is none. */
function replaced(value: unknown, way: readonly string[], id: string): unknown {
  const [member, ...rest] = way
  if (member === undefined) {
    if (Array.isArray(value)) return [id]
    if (value === undefined) return undefined
    return typeof value === "number" ? Number(id) : id
  }
  if (member === "[]") {
    if (!Array.isArray(value)) return undefined
    for (const [index, item] of value.entries()) {
      const changed = replaced(item, rest, id)
      if (changed !== undefined) return value.with(index, changed)
    }
    return undefined
  }
  if (typeof value !== "object" || value === null || !(member in value)) return undefined
  const changed = replaced((value as Record<string, unknown>)[member], rest, id)
  return changed === undefined ? undefined : { ...value, [member]: changed }
}
