/** Lists the users, workspaces and bots of the whole service, for its operators. */
import { type SqlBool, sql } from "kysely"
import type { Plan } from "../../lib/plans.ts"
import { maxRiskLevel } from "../../lib/review.ts"
import type { Db, Source } from "../connection/openDatabase.ts"
import { hasInAnySpelling } from "../results/anySpelling.ts"
import { quotaFacts } from "../results/usage.ts"

/** Which part of a list, newest first; absent members leave nothing out. */
type Listing = {
  /** Words or an id by which people look for an entry. */
  search?: string | undefined
  /** Only entries that come after this one. */
  after?: { createdAt: Date; id: string } | undefined
  limit?: number | undefined
}

export type UserLine = Awaited<ReturnType<typeof listUsers>>[number]

/** Lists users with the number of their workspaces and when they were last used. */
export async function listUsers(
  { kysely }: Db,
  { search, after, limit, isOperator }: Listing & { isOperator?: true } = {},
) {
  const words = search?.toLowerCase()
  return await kysely
    .selectFrom("users as u")
    .select(["u.id", "u.email", "u.name", "u.createdAt", "u.isOperator"])
    .select([
      sql<boolean>`u.disabled_at is not null`.as("isDisabled"),
      sql<number>`(select count(*)::int from workspace_members m where m.user_id = u.id)`.as(
        "workspaces",
      ),
      sql<Date | null>`greatest(
        (select max(t.last_used_at) from api_tokens t where t.owner_id = u.id),
        (select max(s.last_used_at) from user_sessions s where s.user_id = u.id))`.as("lastUsedAt"),
    ])
    .$if(isOperator === true, (query) => query.where("u.isOperator", "=", true))
    .$if(search !== undefined, (query) =>
      query.where(
        sql<SqlBool>`(u.id = ${search} or strpos(u.email, ${words}) > 0
          or ${hasInAnySpelling(sql`coalesce(u.name, '')`, search ?? "")})`,
      ),
    )
    .$if(after !== undefined, (query) => query.where(comesAfter("u", after)))
    .orderBy("u.createdAt", "desc")
    .orderBy("u.id", "desc")
    .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
    .execute()
}

/** What may keep a workspace from taking chats, or bots of it from being published. */
export const workspaceStates = ["open", "suspended", "pastDue", "closed", "atRisk"] as const

type WorkspaceListing = Listing & {
  /** The month whose chats are counted. */
  periodStart: string
  plan?: Plan | undefined
  /** `closed`: by the count of its chats; `open`: takes chats; `atRisk`: has bots that wait for a review. */
  state?: (typeof workspaceStates)[number] | undefined
}

export type WorkspaceLine = Awaited<ReturnType<typeof listAllWorkspaces>>[number]

/** Lists workspaces with what decides about their chats, their ADMINs and how much they have. */
export async function listAllWorkspaces(
  db: Db,
  { periodStart, search, plan, state, after, limit }: WorkspaceListing,
) {
  return await workspaceLines(db, periodStart)
    .$if(plan !== undefined, (query) => query.where("w.plan", "=", plan as Plan))
    .$if(state !== undefined, (query) => query.where(isIn[state ?? "open"]))
    .$if(search !== undefined, (query) => query.where(isAbout(search ?? "")))
    .$if(after !== undefined, (query) => query.where(comesAfter("w", after)))
    .orderBy("w.createdAt", "desc")
    .orderBy("w.id", "desc")
    .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
    .execute()
}

/** Finds the same of one workspace. */
export async function findWorkspaceLine(
  db: Source,
  { workspaceId, periodStart }: { workspaceId: string; periodStart: string },
): Promise<WorkspaceLine | undefined> {
  return await workspaceLines(db, periodStart).where("w.id", "=", workspaceId).executeTakeFirst()
}

function workspaceLines(db: Source, periodStart: string) {
  return quotaFacts(db, periodStart)
    .selectAll("w")
    .select([
      // The first few: there may be thousands.
      sql<string[]>`array(select u.email from workspace_members m join users u on u.id = m.user_id
        where m.workspace_id = w.id and m.role = 'ADMIN' order by m.created_at, u.email limit 5)`.as(
        "admins",
      ),
      sql<number>`(select count(*)::int from workspace_members m
        where m.workspace_id = w.id and m.role <> 'GUEST')`.as("seats"),
      sql<number>`(select count(*)::int from bots b
        where b.workspace_id = w.id and not b.is_archived)`.as("bots"),
      sql<RiskyBot[]>`array(select jsonb_build_object('id', b.id, 'name', left(b.name, 100),
          'riskLevel', b.risk_level, 'riskFound', coalesce(b.risk_found, '{}'))
        from bots b where ${isAtRisk} order by b.risk_level desc, b.id limit 5)`.as("botsAtRisk"),
    ])
}

type RiskyBot = { id: string; name: string; riskLevel: number; riskFound: string[] }

/** Whether a bot of the workspace may not be published before a review. */
const isAtRisk = sql<SqlBool>`(b.workspace_id = w.id and not b.is_archived
  and b.risk_level > ${sql.lit(maxRiskLevel)} and w.is_verified is not true)`

const isIn: Readonly<Record<(typeof workspaceStates)[number], ReturnType<typeof sql<SqlBool>>>> = {
  open: sql<SqlBool>`not (w.is_suspended or w.is_past_due or w.is_quarantined)`,
  suspended: sql<SqlBool>`w.is_suspended`,
  pastDue: sql<SqlBool>`w.is_past_due`,
  closed: sql<SqlBool>`w.is_quarantined`,
  atRisk: sql<SqlBool>`exists (select from bots b where ${isAtRisk})`,
}

/** `atRisk`: waits for a review; `closed`: by an operator. */
export const botStates = ["atRisk", "closed"] as const

type BotListing = Listing & {
  workspaceId?: string | undefined
  state?: (typeof botStates)[number] | undefined
}

/** Lists bots that are not in the bin, with what operators decide about. */
export async function listAllBots(
  { kysely }: Db,
  { workspaceId, state, search, after, limit }: BotListing,
) {
  return await kysely
    .selectFrom("bots as b")
    .innerJoin("workspaces as w", "w.id", "b.workspaceId")
    .select(["b.id", "b.workspaceId", "b.publicId", "b.riskLevel", "b.riskFound", "b.createdAt"])
    .select(["b.closedReason", "w.name as workspaceName"])
    .select(sql<string>`left(b.name, 100)`.as("name"))
    .where("b.isArchived", "=", false)
    .$if(workspaceId !== undefined, (query) => query.where("b.workspaceId", "=", workspaceId ?? ""))
    .$if(state === "atRisk", (query) => query.where(isAtRisk))
    .$if(state === "closed", (query) => query.where("b.closedReason", "is not", null))
    .$if(search !== undefined, (query) =>
      query.where(
        sql<SqlBool>`(b.id = ${search} or b.public_id = ${search}
          or ${hasInAnySpelling(sql`b.name`, search ?? "")})`,
      ),
    )
    .$if(after !== undefined, (query) => query.where(comesAfter("b", after)))
    .orderBy("b.createdAt", "desc")
    .orderBy("b.id", "desc")
    .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
    .execute()
}

/** Whether a workspace is one that these words may mean: its name, an id or address in it, or an ADMIN's address. */
function isAbout(words: string) {
  return sql<SqlBool>`(w.id = ${words} or w.stripe_id = ${words} or ${hasInAnySpelling(sql`w.name`, words)}
    or exists (select from workspace_members m join users u on u.id = m.user_id
      where m.workspace_id = w.id and m.role = 'ADMIN' and strpos(u.email, ${words.toLowerCase()}) > 0)
    or w.id in (select b.workspace_id from bots b where b.id = ${words} or b.public_id = ${words}))`
}

function comesAfter(table: "u" | "w" | "b", after: Listing["after"]) {
  const [createdAt, id] = [sql.ref(`${table}.created_at`), sql.ref(`${table}.id`)]
  return sql<SqlBool>`(${createdAt}, ${id}) < (${after?.createdAt}, ${after?.id})`
}
