/** The tRPC instance: context, meta, wire format, error shape and the two base procedures. */
import { initTRPC } from "@trpc/server"
import type { OpenApiMeta } from "trpc-to-openapi"
import type { z } from "zod"
import { unauthorized } from "../shared/errors.ts"
import type { Context } from "./context.ts"
import { describeRefusal, rpcCodeOf } from "./refusal.ts"
import { wire } from "./wire.ts"

/** What a procedure may say of itself beside `openapi`. */
export type ProcedureMeta = {
  /** Largest request body; unless told 1 MiB for operations with the tag `Chat`, 4 MiB for others. */
  maxBodyBytes?: number
  /** Members that may come by the query although there is a body, which then wins. Absent: none. */
  queryMembers?: readonly string[]
  /**
   * True: the request body as a whole is the input's member `body`, and one that is no JSON counts
   * as an empty object. Absent: its members are those of the input.
   */
  takesWholeBody?: boolean
  /** Further paths with the same parameters, under which existing clients call it. Absent: none. */
  aliases?: readonly string[]
}

const t = initTRPC
  .context<Context>()
  .meta<OpenApiMeta<ProcedureMeta>>()
  .create({
    transformer: wire,
    isDev: false,
    errorFormatter: ({ shape, error, input, ctx }) => {
      const { status, code, message, issues } = describeRefusal(error, input)
      return {
        code: rpcCodeOf(error) ?? shape.code,
        message,
        data: {
          code,
          httpStatus: status,
          ...(issues !== undefined && { issues }),
          ...(ctx !== undefined && { requestId: ctx.requestId }),
        },
      }
    },
  })

/** Puts procedures and routers together. */
export const router = t.router

/** A way to call procedures without HTTP. */
export const createCallerFactory = t.createCallerFactory

/** Open to everybody; never looks at the `Authorization` header by itself. */
export const publicProcedure = t.procedure

/** Needs a valid token: `ctx.user` is its owner, anything else a 401. */
export const tokenProcedure = t.procedure.use(async ({ ctx, next }) => {
  const user = await ctx.authenticate()
  if (user === undefined) throw await refusedToken(ctx)
  await ctx.limit("management", user.tokenId)
  return next({ ctx: { user } })
})

/** The 401 for a caller without a valid token; a token that was tried counts against guessing. */
export async function refusedToken(ctx: Context, message?: string): Promise<Error> {
  if (ctx.authorization !== undefined) await ctx.limit("failedAuthentication", ctx.ip)
  return unauthorized(message)
}

/**
 * A response schema that documents but does not run in production: for chat turns, whose payload
 * the engine has just made and where the time counts. Development and tests do run it.
 */
export function trusted<Schema extends z.ZodType>(schema: Schema): Schema {
  if (process.env.NODE_ENV !== "production") return schema
  const copy = schema.clone()
  copy.parse = (value) => value as z.output<Schema>
  copy.parseAsync = async (value) => value as z.output<Schema>
  return copy
}
