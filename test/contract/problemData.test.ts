/** What refusals say to programs: one table, which the doors, the document and the pages follow. */
import { readFileSync } from "node:fs"
import { getTRPCErrorShape, TRPCError } from "@trpc/server"
import { describe, expect, test } from "vitest"
import type { z } from "zod"
import { problemOf, problemType } from "../../src/http/problem.ts"
import { AppError, errorReasons, type ParleyErrorCode, refusalFrom } from "../../src/lib/errors.ts"
import { problemData } from "../../src/lib/problemData.ts"
import { appRouter } from "../../src/routers/app.ts"
import { describeRefusal } from "../../src/routers/refusal.ts"
import { expectData } from "../support/expectData.ts"
import { testServer } from "../support/server.ts"

const server = await testServer()
const { components } = JSON.parse(readFileSync("openapi.json", "utf8"))
const table = Object.entries(problemData) as [keyof typeof problemData, z.ZodType][]

describe.each(table)("%s", (reason, schema) => {
  const { id, example: data } = schema.meta() ?? {}
  const { status, when } = errorReasons[reason]
  const refusal = () =>
    refusalFrom({ reason, message: when, issues: undefined, data: data as never })

  test("has an example, which its schema accepts", () => expectData(reason, data))

  test("has its data at both doors", () => {
    expect(problemOf(describeRefusal(refusal()), "r")).toMatchObject({ reason, status, data })
    const { _config: config } = appRouter._def
    const error = new TRPCError({ code: "INTERNAL_SERVER_ERROR", cause: refusal() })
    const call = { type: "query", path: "p", input: {}, ctx: undefined } as const
    const shape = getTRPCErrorShape({ config, error, ...call })
    expect(shape.data).toMatchObject({ reason, httpStatus: status, data })
  })

  test("is in the document: its data, and an example of its form under its status", () => {
    const known = components.schemas.ProblemData.anyOf
    expect(known).toContainEqual({ $ref: `#/components/schemas/${id}` })
    const shapes = (schema as z.ZodObject).shape
    const documented = components.schemas[String(id)]
    expect(Object.keys(documented.properties)).toEqual(Object.keys(shapes))
    const answers = Object.values(components.responses) as Json[]
    const examples = answers.map(({ content }) => content["application/problem+json"]?.examples)
    const values = examples.flatMap((each) => Object.values(each ?? {}).map(({ value }) => value))
    expect(values).toContainEqual(expect.objectContaining({ status, data }))
  })
})

type Json = { content: Record<string, { examples?: Record<string, { value: unknown }> }> }

test("a refusal without its data does not compile, nor one with data of another reason", () => {
  const made = [
    // @ts-expect-error it has data
    () => new AppError("PUBLIC_ID_TAKEN", "Taken"),
    // @ts-expect-error its data is the public id
    () => new AppError("PUBLIC_ID_TAKEN", "Taken", { data: { limit: 5 } }),
    // @ts-expect-error it has none
    () => new AppError("CHAT_ENDED", "Ended", { data: { limit: 5 } }),
    () => new AppError("CHAT_ENDED", "Ended"),
  ]
  expect(made).toHaveLength(4)
})

describe("the page of a reason", () => {
  const reasons = Object.keys(errorReasons) as ParleyErrorCode[]

  test.each(reasons)("explains %s to people and to programs", async (reason) => {
    const { status, when } = errorReasons[reason]
    const asked = await server.send("GET", problemType(reason))
    expect(asked.headers.get("vary")).toContain("accept")
    const { whatToDo, example } = asked.body as { whatToDo: string; example: { data?: unknown } }
    expect(asked.body).toMatchObject({ status, description: when, reason })
    expectData(reason, example.data)
    const accept = "text/html,*/*"
    const page = await fetch(`${server.address}${problemType(reason)}`, { headers: { accept } })
    const text = await page.text()
    for (const words of [reason, `<p>${when}`, `<p>${whatToDo.replaceAll("`", "")}.</p>`, "<pre>{"])
      expect(text.replaceAll("&#39;", "'")).toContain(words)
  })
})
