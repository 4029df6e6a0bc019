/** Every procedure answers over tRPC as superjson writes it, byte by byte. */
import type { AnyTRPCProcedure } from "@trpc/server"
import superjson from "superjson"
import { expect, test } from "vitest"
import type { z } from "zod"
import { createPlainCalls } from "../../src/http/trpc/plainCall.ts"
import { appRouter } from "../../src/routers/app.ts"
import type { Services } from "../../src/routers/context.ts"
import { metaOf } from "../../src/routers/trpc.ts"

const procedures = appRouter._def.procedures as unknown as Record<string, AnyTRPCProcedure>
const answers = Object.entries(procedures).flatMap(([path, procedure]) => {
  const response = metaOf(procedure).example?.response
  const { output, type } = procedure._def as unknown as { output: z.ZodType; type: string }
  return response && type !== "subscription" ? [{ path, type, data: output.parse(response) }] : []
})

const surface = { router: appRouter, services: {} as Services }
const calls = {
  query: createPlainCalls(surface, "query"),
  mutation: createPlainCalls(surface, "mutation"),
}

test.each(answers)("the example answer of $path", ({ path, type, data }) => {
  const text = calls[type as keyof typeof calls].write({ result: { data } }, path)
  expect(text).toBe(JSON.stringify({ result: { data: superjson.serialize(data) } }))
})

test("all procedures that are trusted are among them, with answers of JSON alone", () => {
  const trusted = Object.keys(procedures).filter((path) => {
    const procedure = procedures[path]
    return procedure && metaOf(procedure).isTrusted && procedure._def.type !== "subscription"
  })
  expect(trusted.length).toBeGreaterThan(5)
  expect(answers.map(({ path }) => path)).toEqual(expect.arrayContaining(trusted))
  for (const path of trusted) {
    expect(notJson((procedures[path]?._def as unknown as { output: z.ZodType }).output)).toEqual([])
  }
})

/** The kinds of schemas within a schema that take what JSON cannot hold. */
function notJson(schema: z.ZodType, seen = new Set<unknown>()): string[] {
  if (seen.has(schema)) return []
  seen.add(schema)
  const { def } = schema._zod
  const kinds = ["date", "map", "set", "bigint", "undefined", "nan", "symbol", "file", "promise"]
  const own = kinds.includes(def.type) ? [def.type] : []
  return [...own, ...schemasIn(def).flatMap((inner) => notJson(inner, seen))]
}

function schemasIn(value: unknown): z.ZodType[] {
  if (typeof value !== "object" || value === null) return []
  if ("_zod" in value) return [value as z.ZodType]
  return Object.values(value).flatMap(schemasIn)
}
