/** Decides who may do what with bots and workspaces, from facts that came with the object. */
import { z } from "zod"
import type { BotFacts } from "../db/bots/bots.ts"
import type { WorkspaceFacts } from "../db/people/workspaces.ts"
import { forbidden, notFound } from "../shared/errors.ts"
import type { Caller, Context } from "./context.ts"

/** What a caller is to an object, as responses name it. */
export const userModeSchema = z
  .enum(["write", "read", "guest"])
  .meta({ id: "UserMode", description: "What the caller may do with the object" })

export type UserMode = z.infer<typeof userModeSchema>

/** What a procedure is about to do with a bot. */
export type BotNeed =
  /** Look at the flow: public sharing suffices. */
  | "see"
  /** Look at whatever the bot has, results included: needs a role. */
  | "read"
  /** Change it; never possible with an archived bot. */
  | "write"

/** What a procedure is about to do with a workspace. */
export type WorkspaceNeed =
  /** Look at it: any member, and platform admins. */
  | "see"
  /** Look at the bots that it holds: as before, but not while it is suspended or past due. */
  | "list"
  /** Make bots in it: ADMIN and MEMBER. */
  | "edit"
  /** Change it, its members and invitations, also while it is suspended: ADMIN, other members 403. */
  | "manage"

/** The facts as they came, and what the caller is. */
export type Admitted<Facts> = Facts & { mode: UserMode }

/** Whether whoever calls a public procedure has no token; asks for it only where one was sent. */
export async function isStranger(
  ctx: Pick<Context, "authorization" | "authenticate">,
): Promise<boolean> {
  return ctx.authorization === undefined || (await ctx.authenticate()) === undefined
}

/** Lets a caller at a bot, or answers 404 as if there were none. */
export function admitToBot<Facts extends BotFacts>(
  facts: Facts | undefined,
  caller: Caller,
  need: BotNeed,
): Admitted<Facts> {
  const mode = facts && botMode(facts, caller)
  if (facts === undefined || mode === undefined) throw notFound("Bot")
  if (need === "read" && mode === "guest") throw notFound("Bot")
  if (need === "write" && (mode !== "write" || facts.isArchived)) throw notFound("Bot")
  return { ...facts, mode }
}

/** Lets a caller at a workspace, or answers 404 as if there were none; 403 where the need says so. */
export function admitToWorkspace(
  facts: WorkspaceFacts | undefined,
  caller: Caller,
  need: WorkspaceNeed,
): Admitted<WorkspaceFacts> {
  const mode = facts && workspaceMode(facts, caller)
  if (facts === undefined || mode === undefined) throw notFound("Workspace")
  const isBlocked = (facts.isSuspended || facts.isPastDue) && !caller.isPlatformAdmin
  if ((need === "list" || need === "edit") && isBlocked) throw notFound("Workspace")
  if (need === "edit" && !isEditor(facts)) throw notFound("Workspace")
  if (need === "manage" && facts.role !== "ADMIN") {
    throw facts.role === null ? notFound("Workspace") : forbidden("Only an ADMIN may do this")
  }
  return { ...facts, mode }
}

/** What a caller is to a bot; undefined: nobody. GUEST membership alone opens nothing. */
function botMode(facts: BotFacts, caller: Caller): UserMode | undefined {
  const byRole = facts.isBlocked && !caller.isPlatformAdmin ? undefined : roleMode(facts, caller)
  return byRole ?? (facts.isShared ? "guest" : undefined)
}

function roleMode(facts: BotFacts, caller: Caller): UserMode | undefined {
  if (isEditor(facts)) return "write"
  return collaborationMode(facts) ?? (caller.isPlatformAdmin ? "read" : undefined)
}

/** What somebody is to a bot as its collaborator; undefined: they are none. */
export function collaborationMode({
  collaboration,
}: Pick<BotFacts, "collaboration">): "write" | "read" | undefined {
  if (collaboration === null) return undefined
  return collaboration === "READ" ? "read" : "write"
}

/** Whether somebody may edit every bot of a workspace. */
export function isEditor({ role }: Pick<BotFacts, "role">): boolean {
  return role === "ADMIN" || role === "MEMBER"
}

function workspaceMode({ role }: WorkspaceFacts, caller: Caller): UserMode | undefined {
  if (role === "ADMIN") return "write"
  if (role === "MEMBER") return "read"
  return role === "GUEST" || caller.isPlatformAdmin ? "guest" : undefined
}
