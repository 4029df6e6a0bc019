/** Reads and writes drafts of bots, and reads the facts that decide who may. */
import { type InferResult, sql } from "kysely"
import type { Db, Source } from "../connection/openDatabase.ts"
import { flowColumns, flowMembers, type PartOfFlow } from "../schema/flowColumns.ts"
import type { NewRow, Row, RowChange } from "../schema/tables.ts"
import type { VersionPayload } from "../schema/versionTables.ts"
import { hasFolder } from "./folders.ts"

/** A draft as it is stored. */
export type BotRow = Row<"bots">

/** The facts for the access rules: about a bot, its workspace and one user. */
export type BotFacts = InferResult<ReturnType<typeof botWithFacts>>[number]

/** All columns except those of the flow, which may be large; `version` is not one of those. */
const shortColumns = [
  "id",
  "workspaceId",
  "folderId",
  "version",
  "name",
  "icon",
  "selectedThemeTemplateId",
  "publicId",
  "customDomain",
  "resultsTablePreferences",
  "isArchived",
  "isInBin",
  "isClosed",
  "closedReason",
  "whatsappCredentialsId",
  "riskLevel",
  "riskLevelBy",
  "riskFound",
  "revision",
  "archivedAt",
  "createdAt",
  "updatedAt",
] as const satisfies (keyof Row<"bots">)[]

type ShortColumn = (typeof shortColumns)[number]

/** Names a bot and the user who asks for it. */
export type BotRequest = { botId: string; userId: string }

/** Finds the facts about a bot, without its flow. Returns undefined when there is no such bot. */
export async function findBotFacts(db: Db, request: BotRequest): Promise<BotFacts | undefined> {
  return await botWithFacts(db, request).executeTakeFirst()
}

/** Finds where the draft of a bot is. Returns undefined when there is no such bot. */
export async function findRevision({ kysely }: Db, botId: string) {
  return await kysely
    .selectFrom("bots")
    .select(["revision", "updatedAt"])
    .where("id", "=", botId)
    .executeTakeFirst()
}

/** Finds a bot and the facts about it. Returns undefined when there is no such bot. */
export async function findBot(db: Db, request: BotRequest) {
  const columns = [...shortColumns, ...flowMembers]
  return await botWithFacts(db, request)
    .select(columns.map((column) => `bots.${column}` as const))
    .executeTakeFirst()
}

/** Whether the flow of a bot is public: any user may see and copy it. */
const isShared = sql<boolean>`coalesce(
  bots.settings #>> '{publicShare,isEnabled}' = 'true', false)`

/** The query for a bot and its caller that other queries build on. */
export function botWithFacts(db: Db, { botId, userId }: BotRequest) {
  return db.kysely
    .selectFrom("bots")
    .innerJoin("workspaces", "workspaces.id", "bots.workspaceId")
    .leftJoin("workspaceMembers as m", (join) =>
      join.onRef("m.workspaceId", "=", "bots.workspaceId").on("m.userId", "=", userId),
    )
    .leftJoin("botCollaborators as c", (join) =>
      join.onRef("c.botId", "=", "bots.id").on("c.userId", "=", userId),
    )
    .where("bots.id", "=", botId)
    .select([
      "bots.id",
      "bots.workspaceId",
      "bots.name",
      "bots.version",
      "bots.publicId",
      "bots.customDomain",
      "bots.isArchived",
      "bots.isInBin",
      "bots.riskLevel",
      // Null: the user is not a member of the workspace.
      "m.role",
      // Null: the user is not a collaborator on this bot.
      "c.type as collaboration",
      "workspaces.plan",
      // Whether the operator has reviewed the workspace; null: not yet.
      "workspaces.isVerified",
      sql<boolean>`(workspaces.is_suspended or workspaces.is_past_due)`.as("isBlocked"),
      isShared.as("isShared"),
    ])
}

export async function findGroups(db: Db, botId: string): Promise<unknown[] | undefined> {
  const row = await db.kysely
    .selectFrom("bots")
    .select("groups")
    .where("id", "=", botId)
    .executeTakeFirst()
  return row?.groups
}

/** Reads the theme of a draft that exists. */
export async function findTheme(db: Source, botId: string): Promise<Record<string, unknown>> {
  const { theme } = await db.kysely
    .selectFrom("bots")
    .select("theme")
    .where("id", "=", botId)
    .executeTakeFirstOrThrow()
  return theme
}

/** The workspace of a bot that exists. */
export async function workspaceOf(db: Source, botId: string): Promise<string> {
  const { workspaceId } = await db.kysely
    .selectFrom("bots")
    .select("workspaceId")
    .where("id", "=", botId)
    .executeTakeFirstOrThrow()
  return workspaceId
}

/** The columns that a flow is made of. */
export type DraftRow = Pick<BotRow, "version" | (typeof flowMembers)[number]>

/**
 * Finds the draft of a bot in a workspace for a user who may see it: an editor of the workspace, a
 * collaborator on the bot, or any user if it is public. Returns undefined when there is no
 * such bot for the user, or when it is archived.
 */
export async function findDraft(
  db: Db,
  { botId, workspaceId, userId }: { botId: string; workspaceId: string; userId: string },
): Promise<DraftRow | undefined> {
  return await db.kysely
    .selectFrom("bots")
    .select(["version", ...flowMembers])
    .where("id", "=", botId)
    .where("workspaceId", "=", workspaceId)
    .where("isArchived", "=", false)
    .where(isSeenBy(userId))
    .executeTakeFirst()
}

/** No joins: a user with two of these rights would get the flow twice. */
function isSeenBy(userId: string) {
  return sql<boolean>`(
    exists (select from workspace_members m where m.workspace_id = bots.workspace_id
      and m.user_id = ${userId} and m.role in ('ADMIN', 'MEMBER'))
    or exists (select from bot_collaborators c where c.bot_id = bots.id and c.user_id = ${userId})
    or ${isShared})`
}

/** A draft to store, its flow not yet serialised. */
type NewBot = Pick<NewRow<"bots">, ShortColumn> & VersionPayload

/** Stores a new draft. A folder that its workspace does not have is ignored. */
export async function insertBot(db: Db, bot: NewBot): Promise<BotRow> {
  const { folderId, events, groups, edges, variables, theme, settings, ...columns } = bot
  const flow = { events, groups, edges, variables, theme, settings }
  const { workspaceId } = bot
  const isInFolder = folderId != null && (await hasFolder(db, { workspaceId, folderId }))
  const row = await db.kysely
    .insertInto("bots")
    .values({ ...columns, ...flowColumns(flow), folderId: isInFolder ? folderId : null })
    .returning(shortColumns)
    .executeTakeFirstOrThrow()
  // Not returned: the caller has these values.
  return { ...row, ...flow }
}

type BotPrecondition = {
  botId: string
  /** Schema version that the change was checked against. */
  version: string
  /** The draft must not have changed since this moment; absent: changes of others are overwritten. */
  updatedAt?: Date | undefined
}

/**
 * Strictly later than before, so that a writer who read within the same millisecond notices. In UTC,
 * because a cluster refuses arithmetic that depends on the zone of the session (schema/README.md).
 */
export const laterMoment = sql<Date>`greatest(now(),
  (bots.updated_at at time zone 'UTC' + interval '1 millisecond') at time zone 'UTC')`

/** Every statement that changes a draft counts. */
export const nextRevision = sql<number>`bots.revision + 1`

/** Changes to a draft; undefined members stay as they are. */
export type BotChange = Omit<Pick<RowChange<"bots">, ShortColumn>, "revision"> & PartOfFlow

/**
 * Changes a draft. Returns undefined, with nothing written, when it is archived or a precondition
 * fails.
 */
export async function updateBot(
  db: Db,
  { botId, version, updatedAt }: BotPrecondition,
  { events, groups, edges, variables, theme, settings, ...columns }: BotChange,
): Promise<BotRow | undefined> {
  const flow = { events, groups, edges, variables, theme, settings }
  const given = Object.entries(flow).filter(([, value]) => value !== undefined)
  const row = await db.kysely
    .updateTable("bots")
    .set({
      ...columns,
      ...flowColumns(flow),
      revision: nextRevision,
      updatedAt: laterMoment,
    })
    .where("id", "=", botId)
    .where("isArchived", "=", false)
    .where("version", "=", version)
    .$if(updatedAt !== undefined, (query) => query.where("updatedAt", "<=", updatedAt as Date))
    .returning([...shortColumns, ...flowMembers.filter((member) => flow[member] === undefined)])
    .executeTakeFirst()
  // Not returned: the caller has these values.
  return row && ({ ...row, ...Object.fromEntries(given) } as BotRow)
}

/** Archives a locked bot that is not published, which frees its public id and domain. */
export async function archiveBot(locked: Db, botId: string): Promise<void> {
  await locked.kysely
    .updateTable("bots")
    .set({
      isArchived: true,
      isInBin: false,
      archivedAt: sql<Date>`now()`,
      revision: nextRevision,
      updatedAt: laterMoment,
      publicId: null,
      customDomain: null,
    })
    .where("id", "=", botId)
    .execute()
}

export type IdsInWorkspace = { workspaceId: string; ids: readonly string[] }

/** Returns those of the given ids that belong to bots of the workspace, archived ones excluded. */
export async function listKnownBots(
  db: Source,
  { workspaceId, ids }: IdsInWorkspace,
): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db.kysely
    .selectFrom("bots")
    .select("id")
    .where("workspaceId", "=", workspaceId)
    .where("isArchived", "=", false)
    .where("id", "in", ids)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Addresses that a bot could have, and the bot that may have them already. */
type Addresses = {
  publicId?: string | null | undefined
  /** A domain, and the only workspace in which it must be unique. */
  customDomain?: string | null | undefined
  workspaceId?: string
  exceptBy?: string
}

/** The form in which domains are unique, in the words of the index: domains of former releases have others. */
function plainDomainOf(column: "customDomain") {
  const domain = sql.ref(column)
  return sql<string | null>`(lower(rtrim(split_part(${domain}, '/', 1), '.'))
    || coalesce(rtrim(regexp_replace(substring(${domain} from '/.*'), '/+', '/', 'g'), '/'), ''))`
}

/** Whether any bot has the public id, or one of the workspace the domain, archived ones included. */
export async function isAddressTaken(
  db: Db,
  { publicId = null, customDomain = null, workspaceId = "", exceptBy = "" }: Addresses,
): Promise<boolean> {
  const row = await db.kysely
    .selectFrom("bots")
    .select("id")
    .where("id", "!=", exceptBy)
    .where(({ or, and, eb }) =>
      // The id of another bot is an address, too: nothing may be two bots, depending on who reads it.
      or([
        eb("publicId", "=", publicId),
        eb("id", "=", publicId),
        and([
          eb("workspaceId", "=", workspaceId),
          eb(plainDomainOf("customDomain"), "=", customDomain),
        ]),
      ]),
    )
    .executeTakeFirst()
  return row !== undefined
}
