/** Decides what callers may do with bots and workspaces, from facts that are read along with them. */
import { z } from "zod"
import {
  type BotFacts,
  type BotRequest,
  type BotRow,
  findBot,
  findBotFacts,
  findRevision,
} from "../db/bots/bots.ts"
import type { Db, Source } from "../db/connection/openDatabase.ts"
import { findWorkspace, type WorkspaceFacts, withWorkspace } from "../db/people/workspaces.ts"
import { AppError, badRequest, notFound, orNotFound, staleDraft } from "../lib/errors.ts"
import type { Caller } from "./caller.ts"
import { hasScope, isTargeted, reaches } from "./grants.ts"

/** The caller's access to an object, as responses name it. */
export const userModeSchema = z
  .enum(["write", "read", "guest"])
  .meta({ id: "UserMode", description: "What the caller may do with the object" })

type UserMode = z.infer<typeof userModeSchema>

/** What a procedure is about to do with a bot. */
export type BotNeed =
  /** Look at the flow: public sharing suffices: `botViewers`. */
  | "see"
  /** Look at everything, results included: `botReaders`. */
  | "read"
  /** Change it; impossible for archived bots: `botWriters`. */
  | "write"
  /** Decide with whom it is shared: ADMINs and MEMBERs of its workspace; impossible for archived bots. */
  | "share"
  /** Delete it for good, from the bin or not. */
  | "delete"
  /** Take it out of the bin, where nothing else but that is possible. */
  | "restore"

/** What a procedure is about to do with a workspace. */
export type WorkspaceNeed =
  /** Look at it: any member, and platform admins. */
  | "see"
  /** Look at its bots: as before, but not while it is suspended or past due. */
  | "list"
  /** Create bots in it: ADMIN and MEMBER. */
  | "edit"
  /** Change it, its members and invitations, also while it is suspended: ADMIN, other members 403. */
  | "manage"

/** The facts, with the caller's access. */
export type Admitted<Facts> = Facts & { mode: UserMode }

/** Whether the caller of a chat has no valid token that is for conversations. */
export async function isAnonymous(ctx: {
  authorization?: string | undefined
  authenticate(): Promise<Caller | undefined>
}): Promise<boolean> {
  if (ctx.authorization === undefined) return true
  const caller = await ctx.authenticate()
  return caller === undefined || !hasScope(caller, "conversations:write")
}

/** The database and the authenticated caller. */
export type AuthContext = { db: Db; user: Caller }

/** Reads the facts of a bot, and admits the caller to it. */
export async function requireBot(
  { db, user }: AuthContext,
  botId: string,
  need: BotNeed,
): Promise<Admitted<BotFacts>> {
  const facts = admitToBot(await findBotFacts(db, { botId, userId: user.id }), user, need)
  db.changeLog?.about(facts.workspaceId)
  return facts
}

/** Throws a 400 unless a user has a role at a bot. */
export async function requireAssignee({ db }: AuthContext, of: BotRequest): Promise<void> {
  const facts = await findBotFacts(db, of)
  if (facts && (isEditor(facts) || collaborationMode(facts))) return
  throw badRequest("assigneeId is the id of no user with access to the bot")
}

/** Throws the 409 of a draft that has changed since it was read, or a 404 once the bot is deleted. */
export async function refuseStale(ctx: AuthContext, botId: string): Promise<never> {
  await requireBot(ctx, botId, "write")
  throw staleDraft(orNotFound(await findRevision(ctx.db, botId), "Bot"))
}

/** Reads a bot with its flow, and admits the caller to it. */
export async function requireBotWithFlow(
  { db, user }: AuthContext,
  botId: string,
  need: BotNeed,
): Promise<Admitted<BotRow & BotFacts>> {
  const facts = admitToBot(await findBot(db, { botId, userId: user.id }), user, need)
  db.changeLog?.about(facts.workspaceId)
  return facts
}

/** Throws a 404 for a bot that the caller's token is not for. Other tokens cost no query. */
export async function requireReach({ db, user }: AuthContext, botId: string): Promise<void> {
  if (!isTargeted(user)) return
  const facts = await findBotFacts(db, { botId, userId: user.id })
  if (!facts || !reaches(user, { workspaceId: facts.workspaceId, botId })) throw notFound("Bot")
}

/** Reads a workspace, and admits the caller to it. */
export async function requireWorkspace(
  { db, user }: AuthContext,
  workspaceId: string,
  need: WorkspaceNeed,
): Promise<Admitted<WorkspaceFacts>> {
  const found = await findWorkspace(db, { workspaceId, userId: user.id })
  const facts = admitToWorkspace(found, user, need)
  db.changeLog?.about(workspaceId)
  return facts
}

/** Locks a workspace that the caller manages, and does work on it in the same transaction. */
export const manageWorkspace = lockingFor("manage")

/** The same for a workspace in which the caller edits. */
export const editWorkspace = lockingFor("edit")

function lockingFor(need: WorkspaceNeed) {
  return async <Result>(
    { db, user }: AuthContext,
    workspaceId: string,
    work: (locked: Source, workspace: Admitted<WorkspaceFacts>) => Promise<Result>,
  ): Promise<Result> =>
    await withWorkspace(db, { workspaceId, userId: user.id }, (locked, facts) =>
      work(locked, admitToWorkspace(facts, user, need)),
    )
}

/** Admits a caller to a bot, or throws a 404 as if there were none. */
export function admitToBot<Facts extends BotFacts>(
  facts: Facts | undefined,
  caller: Caller,
  need: BotNeed,
): Admitted<Facts> {
  const mode = facts && botMode(facts, caller)
  if (facts === undefined || mode === undefined) throw notFound("Bot")
  if (!reaches(caller, { workspaceId: facts.workspaceId, botId: facts.id })) throw notFound("Bot")
  if (need === "read" && mode === "guest") throw notFound("Bot")
  const isChange = need !== "see" && need !== "read"
  if ((isChange && mode !== "write") || !isThereFor(need, facts)) throw notFound("Bot")
  if (need === "share" && !isEditor(facts)) throw notFound("Bot")
  return { ...facts, mode }
}

/** Whether there is a bot for what a procedure is about to do. */
function isThereFor(
  need: BotNeed,
  { isArchived, isInBin }: Pick<BotFacts, "isArchived" | "isInBin">,
): boolean {
  if (need === "restore") return isInBin
  if (need === "delete") return isInBin || !isArchived
  if (need === "write" || need === "share") return !isArchived
  return !isInBin
}

/** Admits a caller to a workspace, or throws a 404 as if there were none; 403 where `need` says so. */
function admitToWorkspace(facts: WorkspaceFacts | undefined, caller: Caller, need: WorkspaceNeed) {
  const mode = facts && workspaceMode(facts, caller)
  if (facts === undefined || mode === undefined) throw notFound("Workspace")
  if (!reaches(caller, { workspaceId: facts.id })) throw notFound("Workspace")
  const isBlocked = (facts.isSuspended || facts.isPastDue) && !caller.isPlatformAdmin
  if ((need === "list" || need === "edit") && isBlocked) throw notFound("Workspace")
  if (need === "edit" && !isEditor(facts)) throw notFound("Workspace")
  if (need === "manage" && facts.role !== "ADMIN") {
    throw facts.role === null
      ? notFound("Workspace")
      : new AppError("ROLE_MISSING", "Only an ADMIN may do this", { data: { role: "ADMIN" } })
  }
  return { ...facts, mode }
}

/** A caller's access to a bot. Returns undefined without any; GUEST membership alone gives none. */
export function botMode(facts: BotFacts, caller: Caller): UserMode | undefined {
  const byRole = facts.isBlocked && !caller.isPlatformAdmin ? undefined : roleMode(facts, caller)
  return byRole ?? (facts.isShared ? "guest" : undefined)
}

function roleMode(facts: BotFacts, caller: Caller): UserMode | undefined {
  if (isEditor(facts)) return "write"
  return collaborationMode(facts) ?? (caller.isPlatformAdmin ? "read" : undefined)
}

/** The access of a collaborator. Returns undefined for others. */
export function collaborationMode({
  collaboration,
}: Pick<BotFacts, "collaboration">): "write" | "read" | undefined {
  if (collaboration === null) return undefined
  return collaboration === "READ" ? "read" : "write"
}

/** Whether a role may edit every bot of its workspace. */
export function isEditor({ role }: Pick<BotFacts, "role">): boolean {
  return role === "ADMIN" || role === "MEMBER"
}

function workspaceMode({ role }: WorkspaceFacts, caller: Caller): UserMode | undefined {
  if (role === "ADMIN") return "write"
  if (role === "MEMBER") return "read"
  return role === "GUEST" || caller.isPlatformAdmin ? "guest" : undefined
}
