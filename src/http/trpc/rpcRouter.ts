/** The router that is served over tRPC: its queries and mutations are called as REST calls them. */
import type { AnyTRPCProcedure, AnyTRPCRouter } from "@trpc/server"
import { publicProcedure, router as routerOf } from "../../routers/trpc.ts"
import { callOf } from "../call.ts"

type Procedures = { [name: string]: AnyTRPCProcedure | Procedures }

/** Makes that router. Subscriptions, which only tRPC serves, stay as they are. */
export function rpcRouterOf(router: AnyTRPCRouter): AnyTRPCRouter {
  const served: Procedures = {}
  const procedures: Record<string, AnyTRPCProcedure> = router._def.procedures
  for (const [path, procedure] of Object.entries(procedures)) {
    const names = path.split(".")
    const last = names.pop() ?? path
    let part = served
    for (const name of names) {
      part[name] ??= {}
      part = part[name] as Procedures
    }
    part[last] = servedAs(path, procedure)
  }
  return routerOf(served)
}

/** Passes on what was sent: schemas, rights and the answer are those of the call. */
function servedAs(path: string, procedure: AnyTRPCProcedure): AnyTRPCProcedure {
  const { type } = procedure._def
  if (type === "subscription") return procedure
  const call = callOf(path, procedure)
  const passing = publicProcedure.input((sent: unknown) => sent)
  const resolve: Parameters<typeof passing.query<unknown>>[0] = ({ ctx, input, signal }) => {
    return call({ ctx, input, abortSignal: () => signal ?? new AbortController().signal })
  }
  return type === "query" ? passing.query(resolve) : passing.mutation(resolve)
}
