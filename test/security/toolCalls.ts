/** The tools of assistants beside the operations that they call. */
import type { AnyTRPCProcedure } from "@trpc/server"
import { tools } from "../../src/mcp/tools.ts"
import { appRouter } from "../../src/routers/app.ts"
import { metaOf } from "../../src/routers/trpc.ts"
import { type Operation, operations } from "./operations.ts"
import { requestFor } from "./requests.ts"
import type { Target } from "./twoTenants.ts"

const procedures = appRouter._def.procedures as unknown as Record<string, AnyTRPCProcedure>

/** Every tool, its operation and the scope that it takes. */
export const toolCalls = tools.map((tool) => {
  const procedure = procedures[tool.path] as AnyTRPCProcedure
  const { openapi } = procedure._def.meta as unknown as { openapi: { operationId: string } }
  const operation = operations.find(({ id }) => id === openapi.operationId) as Operation
  return { tool, operation, scope: metaOf(procedure).scope }
})

/** A request over REST to the things of a target, and the same as the input of a tool. */
export function askedOf(operation: Operation, to: Target) {
  const [first = "accounts"] = operation.admits
  const admission = operation.admits.includes("botReaders") ? "botReaders" : first
  const request = requestFor(operation, admission, to)
  const { pathname, searchParams } = new URL(request.path, "http://a.example")
  const names = operation.path.split("/")
  const inPath = pathname.split("/").flatMap((value, index) => {
    const [, name] = /^\{(\w+)\}$/.exec(names[index] ?? "") ?? []
    return name === undefined ? [] : [[name, name === "number" ? Number(value) : value]]
  })
  const body = request.body as object | undefined
  return { ...request, input: { ...Object.fromEntries([...inPath, ...searchParams]), ...body } }
}
