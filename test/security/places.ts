/**
 * Every place of every operation at which a caller names something: parameters in paths, query and
 * headers, and members of bodies however deep, as `openapi.json` describes them.
 */
import { readFileSync } from "node:fs"
import type { Admission } from "../../src/people/admissions.ts"
import { isHidden } from "./operations.ts"

/** Where in a request something is named, and what. */
export type Place = {
  /** The operationId. */
  operation: string
  in: "path" | "query" | "header" | "body"
  /** The member's way through the body, `[]` for any item of a list; of a parameter its name alone. */
  way: string[]
  /** What is named there, as `kinds` of places says. */
  kind: Kind
}

/** An operation as it is sent. */
export type Route = {
  id: string
  method: string
  path: string
  isPublic: boolean
  /** Whether it is for operators, and an unknown path for every tenant. */
  isHidden: boolean
}

/** A request without its method. */
export type Asked = { path: string; headers: Record<string, string>; body: object | undefined }

/** What can be named: the members of `Things` by whose ids the matrix tries it, or why it tries nothing. */
const tried = [
  "workspaceId",
  "botId",
  "botIds",
  "publicId",
  "number",
  "key",
  "idempotencyKey",
  "changeId",
  "resultId",
  "resultIds",
  "sessionId",
  "previewSessionId",
  "blockId",
  "groupId",
  "eventId",
  "replyId",
  "credentialsId",
  "endpointId",
  "deliveryId",
  "deliveryIds",
  "listenerId",
  "folderId",
  "templateId",
  "fileId",
  "workspaceFileId",
  "tokenId",
  "userSessionId",
  "userId",
  "invitationId",
  "collaboratorId",
  "ownInvitationId",
  "ownBotInvitationId",
  "sharedBotId",
  "binnedBotId",
  "fileBotId",
  "joinedWorkspaceId",
  "spareWorkspaceId",
  "fileFolder",
  "fileName",
  "variableName",
] as const

/** A kind of thing that tenants have. */
export type Tried = (typeof tried)[number]

type Kind =
  | Tried
  | "cursor"
  /** Whoever has it may: a session id is the key to its chat, a public id leads to what is published. */
  | "opensByItself"
  /** A part of the flow in the same body: it names nothing that is stored. */
  | "partOfFlow"
  /** Compared with what a chat has: a reply that names another input is not taken, a list of another user empty. */
  | "compared"
  /** A thing of another service, named for its API. */
  | "elsewhere"

/** Kinds by the last name on the way, for parameters and members outside of flows. */
const kinds: Readonly<Record<string, Kind>> = {
  ...Object.fromEntries(tried.map((kind) => [kind, kind])),
  cursor: "cursor",
  fetched: "deliveryIds",
  conversationKey: "key",
  assigneeId: "userId",
  "Idempotency-Key": "idempotencyKey",
  version: "number",
  inputId: "compared",
  folder: "fileFolder",
  whatsAppCredentialsId: "credentialsId",
  parentFolderId: "folderId",
  stripeId: "elsewhere",
  selectedThemeTemplateId: "templateId",
}

/** Where an operation means something else by the name. */
const exceptions: Readonly<Record<string, Kind>> = {
  "acceptInvitation invitationId": "ownInvitationId",
  "declineInvitation invitationId": "ownInvitationId",
  "acceptBotInvitation invitationId": "ownBotInvitationId",
  "declineBotInvitation invitationId": "ownBotInvitationId",
  "leaveBot botId": "sharedBotId",
  "restoreBot botId": "binnedBotId",
  "leaveWorkspace workspaceId": "joinedWorkspaceId",
  "deleteWorkspace workspaceId": "spareWorkspaceId",
  "deleteWorkspaceFile fileId": "workspaceFileId",
  "getPrivateFile botId": "fileBotId",
  "listConversations assigneeId": "compared",
  // The bot that a file was exported from.
  "importBot bot.id": "botId",
  "startPreviewChat bot.id": "botId",
  "goBackInPreview sessionId": "previewSessionId",
  // Of the service, not of a tenant.
  "listTemplates id": "elsewhere",
  "startChat publicId": "opensByItself",
  "continueChat sessionId": "opensByItself",
  "streamMessage sessionId": "opensByItself",
  "listenForEvents sessionId": "opensByItself",
  "addClientLogs sessionId": "opensByItself",
  "signTypingOfPerson sessionId": "opensByItself",
  "generateUploadUrl sessionId": "opensByItself",
}

/** Kinds by the last name on the way, within flows. */
const kindsInFlows: Readonly<Record<string, Kind>> = {
  credentialsId: "credentialsId",
  proxyCredentialsId: "credentialsId",
  // Edits may set them.
  publicId: "publicId",
  selectedThemeTemplateId: "templateId",
  whatsAppCredentialsId: "credentialsId",
  ...listed(
    "partOfFlow",
    "id blockId groupId eventId edgeId itemId pathId outgoingEdgeId webhookId previousId",
  ),
  ...listed("elsewhere", "assistantId datasetId distinctId employeeId fileSearchVectorStoreIds"),
  ...listed("elsewhere", "googleTagManagerId groupIds modelId pixelId questionId sheetId"),
  ...listed("elsewhere", "spreadsheetId tableId threadId trackingId userId userIds viewId voiceId"),
  ...listed("elsewhere", "categoryId"),
}

/** Links lead to bots of the service; a ChatNode bot is one of that service. */
const linkTypes: Readonly<Record<string, string>> = { typebotId: "Typebot link", botId: "Bot link" }

function listed(kind: Kind, names: string): Record<string, Kind> {
  return Object.fromEntries(names.split(" ").map((name) => [name, kind]))
}

const flowMembers = /^(groups|events|edges|variables|edits|theme|settings|resultsTablePreferences)$/

type Schema = {
  $ref?: string
  type?: string | string[]
  properties?: Record<string, Schema>
  items?: Schema
  additionalProperties?: Schema | boolean
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}
type Parameter = { $ref?: string; in: Place["in"]; name: string; schema: Schema }
type Described = {
  operationId?: string
  "x-admits"?: Admission[]
  security?: object[]
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}

/** The document, as far as places are read from it. */
export type Document = {
  paths: Record<string, Record<string, Described>>
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> }
}

export const document = JSON.parse(
  readFileSync(new URL("../../openapi.json", import.meta.url), "utf8"),
) as Document

/** Every operation of a document. */
export function routesOf({ paths }: Document): Route[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId: id, security, ...described }]) => {
      const isPublic = security?.some((way) => Object.keys(way).length === 0) ?? false
      const route = {
        method: method.toUpperCase(),
        path,
        isPublic: isPublic || security?.length === 0,
        isHidden: isHidden({ admits: described["x-admits"] ?? [] }),
      }
      return id === undefined ? [] : [{ id, ...route }]
    }),
  )
}

/** What names something: whatever stands in a path, and by its name what ends as ids and keys do. */
const namesSomething = /(^id|^fetched|Ids?|[cC]ursor|[kK]ey)$/

/** Every place of a document. Throws, with what to add, when nobody has said what one names. */
export function placesOf({ paths, components }: Document): Place[] {
  const places: Place[] = []
  const unknown: string[] = []
  const add = (operation: string, at: Omit<Place, "operation" | "kind">) => {
    const kind = kindOf(operation, at)
    if (kind !== undefined) places.push({ operation, ...at, kind })
    else unknown.push(`${operation}: ${at.way.join(".")} (${at.in})`)
  }
  for (const { operationId, parameters = [], requestBody } of Object.values(paths).flatMap((path) =>
    Object.values(path),
  )) {
    if (operationId === undefined) continue
    for (const given of parameters) {
      const name = given.$ref?.split("/").at(-1) ?? ""
      const parameter = components.parameters[name] ?? given
      const isNumber = JSON.stringify(parameter.schema).includes("/VersionNumber")
      const isPlace = parameter.in === "path" || isNumber || namesSomething.test(parameter.name)
      if (isPlace) add(operationId, { in: parameter.in, way: [parameter.name] })
    }
    const body = requestBody?.content["application/json"]?.schema
    for (const way of body ? waysIn(body, components.schemas) : []) {
      add(operationId, { in: "body", way })
    }
  }
  if (unknown.length === 0) return places
  throw new Error(
    "Nobody has said what these places name. Add each name to `kinds`, `exceptions` or `kindsInFlows` " +
      `of test/security/places.ts, a new kind with a value per tenant to \`Things\`: ${unknown.join("; ")}`,
  )
}

function kindOf(operation: string, at: Omit<Place, "operation" | "kind">): Kind | undefined {
  const { way } = at
  const name = way.at(-1) ?? ""
  const exception = exceptions[`${operation} ${way.join(".")}`]
  if (exception) return exception
  if (!way.some((member) => flowMembers.test(member))) return kinds[name]
  if (/[vV]ariableIds?$/.test(name)) return "partOfFlow"
  // A list of groups in a workspace's settings is no flow.
  if (way[0] === "settings") return kinds[name]
  return name in linkTypes ? "botId" : kindsInFlows[name]
}

/** The ways to all members that name something. */
function waysIn(schema: Schema, schemas: Record<string, Schema>): string[][] {
  const found = new Map<string, string[]>()
  const walk = (part: Schema, way: string[], seen: readonly string[]): void => {
    const name = part.$ref?.split("/").at(-1)
    if (name !== undefined) {
      if (!seen.includes(name)) walk(schemas[name] ?? {}, way, [...seen, name])
      return
    }
    for (const each of [part.anyOf, part.oneOf, part.allOf]) {
      for (const option of each ?? []) walk(option, way, seen)
    }
    for (const [member, inside] of Object.entries(part.properties ?? {})) {
      const inner = [...way, member]
      const isNumber = inside.$ref?.endsWith("/VersionNumber") ?? false
      // Keys within flows are those of headers and of other services.
      const isKey = /[kK]ey$/.test(member) && inner.some((each) => flowMembers.test(each))
      if (isNumber || (namesSomething.test(member) && !isKey)) found.set(inner.join("."), inner)
      walk(inside, inner, seen)
    }
    if (part.items) walk(part.items, [...way, "[]"], seen)
    const { additionalProperties: more } = part
    if (typeof more === "object") walk(more, [...way, "*"], seen)
  }
  walk(schema, [], [])
  return [...found.values()]
}
