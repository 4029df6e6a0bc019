/** The tRPC instance: context, meta, wire format, error shape and the two kinds of operations. */
import { type AnyTRPCProcedure, initTRPC } from "@trpc/server"
import type { OpenApiMeta } from "trpc-to-openapi"
import { z } from "zod"
import type { Db } from "../db/connection/openDatabase.ts"
import { AppError, orNotFound, unauthorized } from "../lib/errors.ts"
import { userParty } from "../lib/party.ts"
import type { Admission } from "../people/admissions.ts"
import { isToken } from "../people/apiTokens.ts"
import { openAudit } from "../people/audit.ts"
import { type Caller, sessionIn } from "../people/caller.ts"
import {
  type OperationScope,
  requireScope,
  requireWholeAccount,
  type Tag,
  usualScopes,
} from "../people/grants.ts"
import { operatorOf } from "../people/operators.ts"
import { cookieProblem } from "../people/sessionCookie.ts"
import { type Context, type LimitedAction, limitAddress } from "./context.ts"
import type { OperationExample } from "./examples.ts"
import { requirePlain } from "./input.ts"
import { describeRefusal, rpcCodeOf } from "./refusal.ts"
import { done, doneSchema } from "./sharedSchemas.ts"
import { transformer } from "./transformer.ts"

/** The end of an operation: dates such as `2027-01-31`, and the id of the operation to call instead. */
export type Deprecation = { since: string; sunset: string; instead: string }

/** The metadata of procedures, in addition to `openapi`. */
export type ProcedureMeta = {
  /** Largest request body; by default 1 MiB for operations with the tag `Chat`, 4 MiB for others. */
  maxBodyBytes?: number
  /** Members that may also come in the query; those in the body take precedence. */
  queryMembers?: readonly string[]
  /**
   * True: the whole request body is the member `body` of the input, and one that is not JSON counts as
   * an empty object. Absent: its members are those of the input.
   */
  takesWholeBody?: boolean
  /**
   * True: requests with the same `Idempotency-Key` get the first answer. Absent: a POST with a key is
   * refused, unless its headers are those of another system, as where it takes the whole body.
   */
  takesKey?: true
  /** True: an open operation does more for callers who send a token. Absent: it ignores tokens. */
  takesToken?: boolean
  /**
   * Reads the input in place of its schema, which then only describes it: a flow of 4 MB is validated
   * part by part, and no further than its issues are reported. Throws a ZodError.
   */
  readInput?: (sent: unknown) => unknown
  /** Whether it belongs to chats: to be served where they are. */
  isChat?: boolean
  /**
   * True: answers are not validated again: chat turns, which the engine has just made, and bots, which
   * were validated when they were stored. To walk them again would cost more than the rest of the call.
   * `test/support/watchAnswers.ts` holds them to their schemas.
   */
  isTrusted?: true
  /**
   * True: equal requests get the same object as long as the process lives, which REST writes once and
   * gives a tag. Absent: answers may change.
   */
  isConstant?: true
  /** Refuses callers of an open operation before their input is read. Absent: it is open to all. */
  admitsCaller?: (ctx: Context) => Promise<void>
  /** True: the input must not have metadata of superjson, as for operations without a token. */
  takesPlainInput?: true
  /**
   * The members of the path, for calls of chats that warn their caller when nothing else of the input is
   * known to them.
   */
  inPath?: readonly string[]
  /** False: a mutation that changes no workspace and is not audited. */
  isAudited?: false
  /** The scope that a token must have; absent: that of its tag in `usualScopes`. */
  scope?: OperationScope
  /**
   * True: something of the account that tokens for a workspace or bots alone may use, too. Absent: they
   * may not use what admits nothing but accounts.
   */
  takesTargetedToken?: true
  /** The limit on calls with a token; absent: `management`. */
  limitedBy?: LimitedAction
  /** Its entry in the document. */
  example?: OperationExample
  /** Since when it is deprecated, when it goes, and what to call instead. Absent: it stays. */
  deprecated?: Deprecation
  /** Further paths with the same parameters, for existing clients. */
  aliases?: readonly string[]
  /**
   * Who it is for; several when that depends on what the request names. It does not enforce this:
   * `test/security/rights.test.ts` compares it with the procedure.
   */
  admits?: Admission | readonly Admission[]
}

export function metaOf(procedure: AnyTRPCProcedure): OpenApiMeta<ProcedureMeta> {
  return (procedure._def.meta ?? {}) as OpenApiMeta<ProcedureMeta>
}

/** Whether an operation is for operators, and must not show that it exists to others. */
export const isForOperators = (procedure: AnyTRPCProcedure) =>
  metaOf(procedure).scope === "operator"

const mebibyte = 1024 * 1024

/** Max length of a request line. */
const queryBytes = 16 * 1024

/** Largest input of a procedure, in bytes of JSON: of its body, at every door, or of its query. */
export function maxInputBytesOf(procedure: AnyTRPCProcedure): number {
  return procedure._def.type === "mutation" ? maxBodyBytesOf(procedure) : queryBytes
}

/** Largest body of a request for a procedure, at every door. */
export function maxBodyBytesOf(procedure: AnyTRPCProcedure): number {
  const { maxBodyBytes, openapi } = metaOf(procedure)
  const isChat = openapi?.tags?.includes("Chat") ?? false
  return maxBodyBytes ?? (isChat ? mebibyte : 4 * mebibyte)
}

const t = initTRPC
  .context<Context>()
  .meta<OpenApiMeta<ProcedureMeta>>()
  .create({
    transformer,
    isDev: false,
    // Proxies cut silent streams, and clients cannot distinguish a silent stream from a lost one.
    sse: {
      ping: { enabled: true, intervalMs: 15_000 },
      client: { reconnectAfterInactivityMs: 45_000 },
    },
    errorFormatter: ({ shape, error, input, ctx }) => {
      const { status, message, ...others } = describeRefusal(error, { input })
      return {
        code: rpcCodeOf(error) ?? shape.code,
        message,
        data: {
          ...others,
          httpStatus: status,
          ...(ctx !== undefined && { requestId: ctx.requestId }),
        },
      }
    },
  })

export const router = t.router

/** Makes callers of procedures, without HTTP. */
export const createCallerFactory = t.createCallerFactory

/** Public; ignores the `Authorization` header. */
export const publicProcedure = t.procedure

/** The same for streams, which only tRPC serves; their input is plain JSON. */
export const publicStream = t.procedure.use(async ({ next, getRawInput }) => {
  requirePlain(await getRawInput())
  return next()
})

/** The same for those with a valid token, without which the input is not looked at. */
export const tokenStream = t.procedure.use(async ({ ctx, next, meta, getRawInput }) => {
  const user = await requireCaller(ctx, meta?.scope)
  await ctx.limit("management", user.tokenId)
  requirePlain(await getRawInput())
  return next()
})

/** Requires a valid token or session, whose owner is `ctx.user`; a 401 otherwise. */
export const tokenProcedure = t.procedure.use(async ({ ctx, next, type, meta, getRawInput }) => {
  const user = await requireCaller(ctx, meta?.scope)
  if (isOfAccount(meta)) requireWholeAccount(user)
  await ctx.limit(meta?.limitedBy ?? "management", user.tokenId)
  const operationId = type === "mutation" ? auditedOperation(meta) : undefined
  const isByOperator = meta?.scope === "operator"
  const made = { user, isByOperator, input: operationId && (await getRawInput()) }
  const audit = operationId && openAudit({ ...made, operationId })
  const kysely = ctx.kyselyOf(userParty(user.id))
  const db: Db = { ...ctx.db, kysely, ...(audit && { changeLog: audit }) }
  const result = await next({ ctx: { user, audit: audit || undefined, db } })
  if (audit && result.ok) {
    await audit.finish(ctx.db, result.data)
    if (audit.botId !== undefined && isOfBots(meta)) ctx.live.bots.notify(audit.botId)
  }
  return result
})

/**
 * The owner of a valid token with this scope or without limits, or who is signed in; 401 without one, 403
 * for others, and 404 where it takes an operator.
 */
export async function requireCaller(
  ctx: Context,
  scope: OperationScope = "unlimited",
): Promise<Caller> {
  if (scope === "operator") return orNotFound(await operatorOf(ctx), "Path")
  const user = await ctx.authenticate(true)
  if (user === undefined) throw await refusedToken(ctx)
  requireScope(user, scope)
  return user
}

/** The caller of an open operation; a cookie that does not count is ignored. */
export function optionalCaller(ctx: Context): Promise<Caller | undefined> {
  return ctx.authenticate(true)
}

/** Whether an operation is about the account, which is more than a token for bots may have. */
function isOfAccount(meta: ProcedureMeta | undefined): boolean {
  const { admits, takesTargetedToken = false } = meta ?? {}
  return (admits === "accounts" || admits === "itsAccount") && !takesTargetedToken
}

/** Whether an operation may concern listeners of a bot. */
function isOfBots(meta: OpenApiMeta<ProcedureMeta> | undefined): boolean {
  return meta?.openapi?.tags?.includes("Bots") ?? false
}

/** The operation id for the audit log. Returns undefined when calls change no workspace. */
function auditedOperation(meta: OpenApiMeta<ProcedureMeta> | undefined): string | undefined {
  const { operationId, tags } = meta?.openapi ?? {}
  return meta?.isAudited === false || tags?.includes("Chat") ? undefined : operationId
}

type Method = "GET" | "POST" | "PATCH" | "DELETE"
/** Below `/api/v1`. */
type Path = `/${string}`

/** An operation beside its schemas: its description for the document, and its HTTP options. */
type Operation = ProcedureMeta & {
  operationId: string
  admits: Admission | readonly Admission[]
  tag: Tag
  summary: string
  description: string
  example: OperationExample
  /** Statuses of its refusals beside the usual ones. */
  errorResponses?: number[]
}

type Route = `${Method} ${Path}`

/** Input or output of an operation: the members of an object, or a schema. */
type Form = z.core.$ZodLooseShape | z.ZodType

type SchemaOf<Given extends Form> = Given extends z.ZodType
  ? Given
  : Given extends z.core.$ZodLooseShape
    ? z.ZodObject<Given>
    : never

function schemaOf<Given extends Form>(form: Given): SchemaOf<Given> {
  // What the type says of each of the two.
  return (form instanceof z.ZodType ? form : z.object(form)) as SchemaOf<Given>
}

type Forms<Input extends Form, Output extends Form> = { input: Input; output: Output }

/** A `tokenProcedure` that is also a REST operation. */
export function tokenOperation<Input extends Form, Output extends Form>(
  route: Route,
  operation: Operation & Forms<Input, Output>,
) {
  return tokenProcedure
    .meta(metaFrom(route, operation, true))
    .input(schemaOf(operation.input))
    .output(schemaOf(operation.output))
}

/**
 * Makes `tokenOperation`s with the same tag, for several operations of a resource. An operation is a tRPC procedure and a REST call at
 * `/api/v1` + path; `routers/app.ts` names it.
 *
 * ```ts
 * import { z } from "zod"
 * import { requireBot } from "../people/access.ts"
 * import { exampleIds } from "./examples.ts"
 * import { botIdSchema } from "./sharedSchemas.ts"
 * import { operationsOf } from "./trpc.ts"
 *
 * const operation = operationsOf("Bots")
 *
 * export const getWorkspaceOfBot = operation("GET /bots/{botId}/workspace", {
 *   operationId: "getWorkspaceOfBot",
 *   admits: "botReaders",
 *   summary: "Get the workspace of a bot",
 *   description: "404 unless the caller may read the bot.",
 *   example: { response: { workspaceId: exampleIds.workspaceId } },
 *   input: { botId: botIdSchema },
 *   output: { workspaceId: z.string().describe("Id of the workspace") },
 * }).query(async ({ ctx, input }) => {
 *   const { workspaceId } = await requireBot(ctx, input.botId, "read")
 *   return { workspaceId }
 * })
 * ```
 */
export function operationsOf(tag: Tag) {
  return <Input extends Form, Output extends Form = typeof doneSchema>(
    route: Route,
    { output, example = { response: done }, ...own }: OwnParts<Input, Output>,
  ) => tokenOperation(route, { tag, example, output: output ?? (doneSchema as never), ...own })
}

/** The parts that are not of all operations of a resource. Without an output it answers `done`. */
type OwnParts<Input extends Form, Output extends Form> = Omit<Operation, "tag" | "example"> &
  Partial<Pick<Operation, "example">> & { input: Input; output?: Output }

/** A `tokenOperation` about the caller, which takes no input. */
export function callerOperation<Output extends Form>(
  route: Route,
  operation: Operation & { output: Output },
) {
  const { output } = operation
  return tokenProcedure.meta(metaFrom(route, operation, true)).output(schemaOf(output))
}

/** A `publicProcedure` that is also a REST operation. */
export function publicOperation<Input extends Form, Output extends Form>(
  route: Route,
  operation: Operation & Forms<Input, Output>,
) {
  return publicProcedure
    .meta(metaFrom(route, operation, false))
    .input(schemaOf(operation.input))
    .output(schemaOf(operation.output))
}

function metaFrom(
  route: Route,
  { input: _, output: __, ...operation }: Operation & { input?: Form; output: Form },
  protect: boolean,
) {
  const { tag, operationId, summary, description, errorResponses, ...meta } = operation
  const [method, path] = route.split(" ") as [Method, Path]
  const openapi = {
    method,
    path: `/api/v1${path}` as const,
    protect,
    tags: [tag],
    operationId,
    summary,
    description,
  }
  const isChat = tag === "Chat" || tag === "Conversations"
  const scope = meta.scope ?? usualScopes[tag][method === "GET" ? "read" : "change"]
  return {
    ...meta,
    ...((protect || meta.takesToken) && { scope }),
    isChat,
    openapi: { ...openapi, ...(errorResponses && { errorResponses }) },
  }
}

/** The refusal of a caller without a valid token or session; attempts with a token are limited. */
export async function refusedToken(ctx: Context, message?: string): Promise<Error> {
  if (ctx.authorization !== undefined) await limitAddress(ctx, "failedAuthentication")
  if (message !== undefined) return unauthorized(message)
  return refusedCookie(ctx) ?? unauthorized(adviceOn(ctx.authorization))
}

/** The refusal of a cookie that does not count; undefined without one, and where its session has ended. */
function refusedCookie(ctx: Context): Error | undefined {
  if (ctx.authorization !== undefined) return undefined
  const session = sessionIn(ctx, ctx)
  const problem = session && cookieProblem(ctx.settings, ctx, session)
  if (problem === "page" && ctx.origin && ctx.settings.isLocalPage?.(ctx.origin)) {
    const query = new URLSearchParams({ next: ctx.origin })
    return new AppError(
      "ORIGIN_REFUSED",
      `Open ${ctx.settings.publicUrl}/signIn?${query} to let pages of ${ctx.origin} use your session, ` +
        "or add that origin to PARLEY_ALLOWED_ORIGINS",
    )
  }
  if (problem === "page") {
    return new AppError(
      "ORIGIN_REFUSED",
      "A session counts only from pages of this service, or of PARLEY_ALLOWED_ORIGINS: the header " +
        "`Origin` names no such page. Behind a proxy, PARLEY_PUBLIC_URL must be set",
    )
  }
  if (problem === undefined || problem === "") return undefined
  return unauthorized(
    "The session does not count without the header `X-Parley-Session`, the secret that pages of the " +
      'service find in `<meta name="parley-session">`; chat pages have none',
  )
}

/** What is wrong with an `Authorization` header that names no user. */
function adviceOn(authorization: string | undefined): string {
  const right = "send the header `Authorization: Bearer parley_pat_…`"
  if (authorization === undefined) return `An API token is missing: ${right}`
  const [scheme = "", ...rest] = authorization.trim().split(/\s+/)
  if (isToken(scheme)) return `The word \`Bearer\` is missing before the API token: ${right}`
  if (scheme.toLowerCase() !== "bearer") return `This takes no other scheme than Bearer: ${right}`
  if (rest.length !== 1) return `One API token must follow the word \`Bearer\`: ${right}`
  return "The API token is not valid: it is misspelt, expired or revoked"
}
