/** Users of a test's database and callers of procedures on their behalf, without HTTP. */
import type { AnyTRPCProcedure, AnyTRPCRouter } from "@trpc/server"
import { openDraftMemory } from "../../src/bots/edits/draftMemory.ts"
import { openHeavyWork } from "../../src/bots/heavy/heavyWork.ts"
import type { Chat } from "../../src/chat/chat.ts"
import type { Db } from "../../src/db/connection/open.ts"
import type { CollaborationType, MemberRole } from "../../src/db/schema/tables.ts"
import { openCipher } from "../../src/effects/credentials/cipher.ts"
import type { FileStore } from "../../src/effects/files/fileStore.ts"
import { rpcRouterOf } from "../../src/http/trpc/rpcRouter.ts"
import { newId } from "../../src/ids.ts"
import type { Plan } from "../../src/plans.ts"
import { appRouter } from "../../src/routers/app.ts"
import { type Caller, createContext, type Services } from "../../src/routers/context.ts"
import { describeRefusal } from "../../src/routers/refusal.ts"
import { createCallerFactory } from "../../src/routers/trpc.ts"
import { silentLog } from "../../src/telemetry/log.ts"
import { openDraftTests } from "../../src/workshop/draftTests.ts"
import { noSubscriptions } from "./chats.ts"
import { operationNamed, requireDocumented } from "./documentedRefusals.ts"
import { testFiles, testUploadBounds } from "./files.ts"

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
  const services: Services = {
    db,
    log: silentLog(),
    // Management procedures run no chats.
    chat: { subscriptions: noSubscriptions } as Chat,
    heavy: openHeavyWork(),
    drafts: openDraftMemory(),
    draftTests: openDraftTests({ run: async () => [] }),
    sendWebhook: async () => ({ status: 200, durationMs: 1, answer: "", error: null }),
    cipher: openCipher(["a secret that only tests know of"]),
    cursorCipher: openCipher(["a secret that only tests know of"], "cursors"),
    uploads: { files, maxMegabytes: 10, bounds: testUploadBounds },
    live: { bots: { tell: () => {} } } as unknown as Services["live"],
    settings: {
      ...{ publicUrl: "http://parley.test", allowedOrigins: [], defaultPlan },
      ...(maxVersionsBytes !== undefined && { maxVersionsBytes }),
    },
    findCaller: async () => user,
    findSignedIn: async () => undefined,
    forgetToken: async () => {},
    limits: new Map(),
  }
  const context = createContext(services, {
    requestId: "test",
    ip: "127.0.0.1",
    authorization: "Bearer token",
    setHeader: () => {},
  })
  return createCaller(context, { onError: requireDocumentedRefusal })
}

/** Throws instead of a refusal whose status the REST operation of the same procedure does not declare. */
function requireDocumentedRefusal({ path, error }: { path: string | undefined; error: unknown }) {
  const { meta } = procedures[path ?? ""]?._def ?? {}
  const { openapi } = (meta ?? {}) as { openapi?: { operationId?: string } }
  requireDocumented(operationNamed(openapi?.operationId), describeRefusal(error).status)
}

const procedures: Record<string, AnyTRPCProcedure> = (appRouter as AnyTRPCRouter)._def.procedures

/** Makes an account. */
export async function newUser(db: Db, options: CallerOptions = {}): Promise<User> {
  const id = newId()
  const email = `${id}@example.com`
  await db.kysely.insertInto("users").values({ id, email }).execute()
  const isPlatformAdmin = options.isPlatformAdmin ?? false
  return { id, email, call: callerFor(db, { id, email, isPlatformAdmin, tokenId: id }, options) }
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

/** The code and the message with which a call was refused. */
export async function refusalOf(
  call: Promise<unknown>,
): Promise<{ code: string; message: string }> {
  const { code, message } = await call.then(
    () => ({ code: "OK", message: "" }),
    (error: unknown) => describeRefusal(error),
  )
  return { code, message }
}
