/** Users of a test's database and callers of procedures on their behalf, without HTTP. */
import type { AnyTRPCProcedure, AnyTRPCRouter } from "@trpc/server"
import type { Db } from "../../src/db/connection/openDatabase.ts"
import type { CollaborationType, MemberRole } from "../../src/db/schema/tables.ts"
import type { FileStore } from "../../src/effects/files/fileStore.ts"
import { rpcRouterOf } from "../../src/http/trpc/rpcRouter.ts"
import type { Plan } from "../../src/lib/plans.ts"
import type { Caller } from "../../src/people/caller.ts"
import { appRouter } from "../../src/routers/app.ts"
import { describeRefusal } from "../../src/routers/refusal.ts"
import { createCallerFactory } from "../../src/routers/trpc.ts"
import { operationNamed, requireDocumented } from "./documentedRefusals.ts"
import { expectData } from "./expectData.ts"
import { testFiles, testUploadBounds } from "./files.ts"
import { contextOf, insertPerson } from "./people.ts"

/** Every call reads its input and answers as over HTTP. */
const createCaller = createCallerFactory(rpcRouterOf(appRouter) as typeof appRouter)

/** Somebody with an account: what they are, and what they may call. */
export type User = { id: string; email: string; call: ReturnType<typeof createCaller> }

/** What a test sets that a plain service does not. */
export type CallerOptions = {
  defaultPlan?: Plan
  isPlatformAdmin?: boolean
  /** Absent: a store of their own. */
  files?: FileStore
  /** Room for the versions of a workspace; absent: any. */
  maxVersionsBytes?: number
}

/** Calls procedures as a user, or as nobody. */
export function callerFor(
  db: Db,
  user: Caller | undefined,
  { defaultPlan = "FREE", files = testFiles(), maxVersionsBytes }: CallerOptions = {},
): ReturnType<typeof createCaller> {
  const services = {
    uploads: { files, maxMegabytes: 10, bounds: testUploadBounds },
    settings: {
      ...{ publicUrl: "http://parley.test", allowedOrigins: [], defaultPlan },
      ...(maxVersionsBytes !== undefined && { maxVersionsBytes }),
    },
    findCaller: async () => user,
  }
  const context = contextOf(db, services, "Bearer any")
  return createCaller(context, { onError: requireDocumentedRefusal })
}

/**
 * Throws instead of a refusal whose status the REST operation of the same procedure does not declare, or whose
 * data is not that of its reason.
 */
function requireDocumentedRefusal({ path, error }: { path: string | undefined; error: unknown }) {
  const { meta } = procedures[path ?? ""]?._def ?? {}
  const { openapi } = (meta ?? {}) as { openapi?: { operationId?: string } }
  const { status, reason, data } = describeRefusal(error)
  requireDocumented(operationNamed(openapi?.operationId), status)
  expectData(reason, data)
}

const procedures: Record<string, AnyTRPCProcedure> = (appRouter as AnyTRPCRouter)._def.procedures

/** Makes an account. */
export async function newUser(db: Db, options: CallerOptions = {}): Promise<User> {
  const { isPlatformAdmin = false } = options
  const caller = await insertPerson(db, { isPlatformAdmin })
  return { id: caller.id, email: caller.email, call: callerFor(db, caller, options) }
}

/** Accepts the invitation of a user into a workspace. */
export async function accept(user: User, workspaceId: string): Promise<void> {
  const { invitations } = await user.call.user.listInvitations()
  const found = invitations.find(({ workspace }) => workspace.id === workspaceId)
  await user.call.user.acceptInvitation({ invitationId: found?.id ?? "" })
}

/** Makes a user a member of a workspace. */
export async function join(
  db: Db,
  user: User,
  workspaceId: string,
  role: MemberRole = "MEMBER",
): Promise<void> {
  await db.kysely
    .insertInto("workspaceMembers")
    .values({ workspaceId, userId: user.id, role })
    .execute()
}

/** Lets a user work on one bot. */
export async function collaborate(
  db: Db,
  user: User,
  botId: string,
  type: CollaborationType,
): Promise<void> {
  await db.kysely.insertInto("botCollaborators").values({ botId, userId: user.id, type }).execute()
}

/** The code and the message with which a call was refused; the code of a thrown TRPCError is another one. */
export async function refusalOf(
  call: Promise<unknown>,
): Promise<{ code: string; message: string }> {
  const { code, message } = await call.then(
    () => ({ code: "OK", message: "" }),
    (error: unknown) => describeRefusal(error),
  )
  return { code, message }
}
