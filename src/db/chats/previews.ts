/** Reads and writes previews: the flow under its hash first, then the session that runs it. */
import { stored } from "../../lib/shares.ts"
import type { Db, Source } from "../connection/openDatabase.ts"
import type { Row } from "../schema/tables.ts"
import { isClaimedColumn } from "./claims.ts"
import type { SessionRow } from "./sessions.ts"

/** A running preview; the ids are null when the caller has not proved who they are. */
export type PreviewSessionRow = Pick<
  SessionRow,
  "state" | "revision" | "isClaimed" | "claimedBy"
> & {
  /** The bot of the path, when the caller may open it. */
  botId: string | null
  workspaceId: string | null
  /** Who started it; null: an anonymous caller. */
  ownerUserId: string | null
  /** For whom it is counted; null: former releases did not say. */
  owner: string | null
  flowHash: Buffer
}

export type PreviewToOpen = Pick<
  PreviewSessionRow,
  "botId" | "workspaceId" | "ownerUserId" | "flowHash" | "state"
> & { id: string; owner: PreviewOwner }

/** Who a preview is counted for: a user, a workspace, or a stranger's address. */
export type PreviewOwner = { name: string; isAnonymous: boolean }

/**
 * Flows and sessions of one owner, and of all owners of the same class. What exceeds a bound is deleted
 * within its own class: strangers never push out the preview of a member. Of one owner the oldest go, of a
 * class those that are the most of their owner: an owner that has one keeps it beside those that have many.
 * A state has at most a megabyte, so counting sessions bounds their bytes.
 */
const bounds = {
  anonymous: {
    flows: stored.strangersFlows,
    flowBytes: stored.strangersFlowBytes,
    sessions: stored.strangersPreviews,
  },
  member: {
    flows: stored.usersFlows,
    flowBytes: stored.usersFlowBytes,
    sessions: stored.usersPreviews,
  },
}

function boundsOf({ isAnonymous }: PreviewOwner) {
  return isAnonymous ? bounds.anonymous : bounds.member
}

const columns = [
  ...["state", "revision", 'bot_id as "botId"', 'workspace_id as "workspaceId"'],
  ...['owner_user_id as "ownerUserId"', "owner", 'flow_hash as "flowHash"'],
  ...[isClaimedColumn, 'claimed_by as "claimedBy"'],
]

/** The columns of a `PreviewSessionRow`. */
export const previewColumns = columns.join(", ")

/** A null for each of them, for a branch of a union that has no preview. */
export const noPreview = columns.map(() => "null").join(", ")

export async function findPreviewSession(db: Db, id: string) {
  const text = `select ${previewColumns} from preview_sessions where id = $1`
  const statement = { name: "find_preview_session", isRead: true, text } as const
  const rows = await db.run<PreviewSessionRow>(statement, [id])
  return rows[0]
}

/** Whether the preview with an id belongs to another owner. */
export async function isForeignPreview(
  { kysely }: Db,
  { id, owner }: Pick<PreviewToOpen, "id" | "owner">,
): Promise<boolean> {
  const row = await kysely
    .selectFrom("previewSessions")
    .select("owner")
    .where("id", "=", id)
    .executeTakeFirst()
  return row !== undefined && row.owner !== owner.name
}

/**
 * Opens a preview session whose flow is stored, replacing an earlier one of the same owner. Returns
 * its revision, or undefined when the id belongs to another owner's preview.
 */
export async function insertPreviewSession(db: Db, preview: PreviewToOpen) {
  type Opened = { revision: number | null }
  const text = "select open_preview_session($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) as revision"
  const statement = { name: "open_preview_session", text }
  const rows = await db.run<Opened>(statement, openingValues(preview))
  return rows[0]?.revision ?? undefined
}

/**
 * The arguments of the SQL function `open_preview_session`: the preview, and the owner's bounds.
 */
export function openingValues(preview: PreviewToOpen): unknown[] {
  const { id, botId, workspaceId, ownerUserId, flowHash, state, owner } = preview
  const { sessions } = boundsOf(owner)
  const values = [id, botId, workspaceId, ownerUserId, flowHash, state, owner.name]
  return [...values, owner.isAnonymous, sessions.each, sessions.all]
}

/** Stores the state after a preview turn. Returns false when another turn won. */
export async function savePreviewSession(
  db: Db,
  preview: { id: string; revision: number; state: string },
): Promise<boolean> {
  const text = `update preview_sessions
set state = $3, revision = revision + 1, claimed_until = null, claimed_by = null, updated_at = now()
where id = $1 and revision = $2
returning revision`
  const values = [preview.id, preview.revision, preview.state]
  const rows = await db.run({ name: "save_preview_session", text }, values)
  return rows.length > 0
}

/** Finds a flow under preview by its SHA-256, as JSON. Returns undefined when it is gone. */
export async function findPreviewFlow(db: Db, hash: Buffer): Promise<string | undefined> {
  const text = "select payload from preview_flows where hash = $1"
  const rows = await db.run<{ payload: string }>({ name: "find_preview_flow", text }, [hash])
  return rows[0]?.payload
}

/** A flow to store under its hash, which includes the owner. */
export type PreviewFlowToSave = Pick<Row<"previewFlows">, "hash" | "payload"> & {
  owner: PreviewOwner
}

/**
 * Stores a flow; repeating it does no harm. Flows beyond the owner's bounds go, the oldest first.
 */
export async function savePreviewFlow(db: Db, flow: PreviewFlowToSave): Promise<void> {
  const text = "select save_preview_flow($1, $2, $3, $4, $5, $6, $7, $8)"
  const { hash, payload, owner } = flow
  const { flows, flowBytes } = boundsOf(owner)
  const most = [flows.each, flowBytes.each, flows.all, flowBytes.all]
  const values = [hash, payload, owner.name, owner.isAnonymous, ...most]
  await db.run({ name: "save_preview_flow", text }, values)
}

/** The previews of a user in a workspace, or of one bot. */
type OwnPreviews = { ownerUserId: string } & ({ workspaceId: string } | { botId: string })

/** Ends running previews, which carry the credentials of their workspace. */
export async function endPreviews({ kysely }: Source, of: OwnPreviews): Promise<void> {
  const own = kysely.deleteFrom("previewSessions").where("ownerUserId", "=", of.ownerUserId)
  const ended =
    "botId" in of
      ? own.where("botId", "=", of.botId)
      : own.where("workspaceId", "=", of.workspaceId)
  await ended.execute()
}

export async function endPreviewsOfUser({ kysely }: Source, ownerUserId: string): Promise<void> {
  await kysely.deleteFrom("previewSessions").where("ownerUserId", "=", ownerUserId).execute()
}

export async function endPreviewsOf({ kysely }: Source, botId: string): Promise<void> {
  await kysely.deleteFrom("previewSessions").where("botId", "=", botId).execute()
}

/** Max previews considered per user. */
const maxPreviews = 20

/** Lists the previews that a user started, the most recently active first. */
export async function listPreviewIds(db: Db, ownerUserId: string): Promise<string[]> {
  const rows = await db.kysely
    .selectFrom("previewSessions")
    .select("id")
    .where("ownerUserId", "=", ownerUserId)
    .orderBy("updatedAt", "desc")
    .limit(maxPreviews)
    .execute()
  return rows.map(({ id }) => id)
}
