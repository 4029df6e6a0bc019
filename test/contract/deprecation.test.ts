/** Operations that will go say so: in each answer, in the document and in the types of the client. */
import { readFileSync } from "node:fs"
import type { AnyTRPCProcedure, AnyTRPCRouter } from "@trpc/server"
import { expect, test } from "vitest"
import { z } from "zod"
import { routerTypes } from "../../scripts/clientPackage/routerTypes.ts"
import { generateOpenApi } from "../../src/http/openapi/openapi.ts"
import { type Json, operationsOf } from "../../src/http/openapi/openapiSchemas.ts"
import { deprecationHeaders } from "../../src/http/rest/deprecation.ts"
import { appRouter } from "../../src/routers/app.ts"
import { metaOf, publicProcedure, router } from "../../src/routers/trpc.ts"
import { send, serveToy } from "./toy.ts"

const deprecated = { since: "2026-01-01", sunset: "2027-01-31", instead: "readNew" }
const planted = router({
  old: publicProcedure
    .meta({ openapi: { method: "GET", path: "/api/v1/old", description: "Reads it" }, deprecated })
    .output(z.object({}))
    .query(() => ({})),
  young: publicProcedure
    .meta({ openapi: { method: "GET", path: "/api/v1/new", operationId: "readNew" } })
    .output(z.object({}))
    .query(() => ({})),
})

test("every answer has the dates: of RFC 9745, of RFC 8594, and where they are explained", async () => {
  const toy = await serveToy()
  try {
    const dates = async (path: string) => {
      const { headers } = await send("GET", `${toy.address}${path}`)
      return ["deprecation", "sunset", "link"].map((name) => headers.get(name))
    }
    const old = [
      "@1767225600",
      "Sun, 31 Jan 2027 00:00:00 GMT",
      '</docs/versions>; rel="deprecation"',
    ]
    expect(await dates("/api/v1/old")).toEqual(old)
    expect(await dates("/api/v1/old?fails=1")).toEqual(old)
    expect(await dates("/api/v1/wordy")).toEqual([null, null, null])
  } finally {
    await toy.stop(100)
  }
})

test("the document marks them, and declares the headers there alone", () => {
  const document = generateOpenApi({ router: planted, version: "1" })
  const [old, young] = operationsOf(document) as (Json & { responses: { 200: Json } })[]
  expect(old).toMatchObject({
    deprecated: true,
    description: "Deprecated since 2026-01-01, works until 2027-01-31: use `readNew`. Reads it",
  })
  expect(Object.keys(old?.responses[200].headers as Json)).toEqual(
    expect.arrayContaining(["deprecation", "sunset"]),
  )
  expect(young).not.toHaveProperty("deprecated")
  expect(young?.responses[200].headers).not.toHaveProperty("sunset")
})

test("the types of the client strike them through", () => {
  const [before = "", after = ""] = routerTypes(planted).split("young:")
  expect(before).toMatch(/@deprecated Works until 2027-01-31: use readNew \*\/\n\s+old:/)
  expect(after).not.toContain("@deprecated")
})

test("dates that cannot be read, or leave callers less than a year, do not start", () => {
  expect(() => deprecationHeaders({ ...deprecated, since: "soon" })).toThrow("soon")
  expect(() => deprecationHeaders({ ...deprecated, since: "2026-02-01" })).toThrow("2026-02-01")
})

test("each names an operation that stays", () => {
  const document: Json = JSON.parse(readFileSync("openapi.json", "utf8"))
  const staying = operationsOf(document).filter((each) => !each.deprecated)
  const ids = staying.map(({ operationId }) => operationId)
  const { _def }: AnyTRPCRouter = appRouter
  const procedures: AnyTRPCProcedure[] = Object.values(_def.procedures)
  const ends = procedures.flatMap((each) => metaOf(each).deprecated ?? [])
  expect(ends.filter(({ instead }) => !ids.includes(instead))).toEqual([])
})
