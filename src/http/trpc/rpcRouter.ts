/** The router that is served over tRPC: its queries and mutations are called as REST calls them. */
import type { AnyTRPCProcedure, AnyTRPCRouter } from "@trpc/server"
import { metaOf, publicProcedure, router as routerOf } from "../../routers/trpc.ts"
import { callOf } from "../call.ts"
import type { Batch } from "./batch.ts"

/** Makes that router, with the same paths. Subscriptions, which only tRPC serves, stay as they are. */
export function rpcRouterOf(router: AnyTRPCRouter): AnyTRPCRouter {
  const procedures: Record<string, AnyTRPCProcedure> = router._def.procedures
  const served = Object.entries(procedures).map(([path, procedure]) => [
    path,
    servedAs(path, procedure),
  ])
  return routerOf(Object.fromEntries(served))
}

/** Passes the input on unread: schemas, rights and the answer are those of the call. */
function servedAs(path: string, procedure: AnyTRPCProcedure): AnyTRPCProcedure {
  const { type } = procedure._def
  if (type === "subscription") return procedure
  const call = callOf(path, procedure)
  const { isConstant } = metaOf(procedure)
  const passing = publicProcedure.use(({ getRawInput, next }) => next({ ctx: { getRawInput } }))
  const resolve: Parameters<typeof passing.query<unknown>>[0] = ({ ctx, signal }) => {
    const { getRawInput, batch, ...own } = ctx as typeof ctx & { batch?: Batch }
    const readInput = () => {
      ctx.reserveInput?.()
      return getRawInput()
    }
    const make = () =>
      call({ ctx: own, readInput, abortSignal: () => signal ?? new AbortController().signal })
    return batch === undefined ? make() : batch.take(make, isConstant)
  }
  return type === "query" ? passing.query(resolve) : passing.mutation(resolve)
}
