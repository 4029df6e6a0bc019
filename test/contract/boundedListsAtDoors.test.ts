/**
 * What one wrong value costs at the doors: each list and map of each operation, filled with more wrong values or
 * names than it may have and with no more, over REST and tRPC. Counted is how often one of these is looked at
 * after it was parsed, by whatever reads inputs, validates them or describes the refusal.
 */
import type { AnyTRPCProcedure } from "@trpc/server"
import { expect, test, vi } from "vitest"
import type { z } from "zod"
import { maxIssues, maximumOf } from "../../src/engine/schema/lists.ts"
import { appRouter } from "../../src/routers/app.ts"
import { metaOf } from "../../src/routers/trpc.ts"
import { type Container, containersIn } from "../support/everyList.ts"
import { testServer } from "../support/server.ts"

const server = await testServer()
/** Enough to tell apart a look at each of them. */
const many = 10_000
/** For fifty issues: validated, reported, and described in a sentence. */
const maxLooks = 300
/** These complete what files of bots leave out before they are validated, and look at each value once for it. */
const completing = new Set(["bot.create", "bot.import", "bot.update", "chat.startPreview"])
/** Lists of which nothing is completed when they are longer than they may be. */
const counted = /bot\.(?:edges|events|variables|groups\[\]\.blocks)$/

const procedures = appRouter._def.procedures as unknown as Record<string, AnyTRPCProcedure>

/** Operations that take a body, with their lists and maps. Blocks are the same wherever a flow is. */
const operations = Object.entries(procedures).flatMap(([name, procedure]) => {
  const { openapi, takesWholeBody } = metaOf(procedure)
  const [schema] = (procedure._def as unknown as { inputs: z.ZodType[] }).inputs
  if (procedure._def.type !== "mutation" || openapi === undefined || !schema) return []
  const containers = new Map(
    containersIn(schema)
      .filter(({ path }) => !path.includes("blocks[]") || name === "bot.create")
      .map((each) => [`${each.path} ${each.kind}`, each]),
  )
  const path = openapi.path.replaceAll(/\{\w+\}/g, "x".repeat(24))
  // The body of other systems is a member of the input.
  const bodyOf = (input: unknown) => (takesWholeBody ? (input as { body: unknown }).body : input)
  const own = { name, method: openapi.method, path, bodyOf, containers: [...containers.values()] }
  return containers.size === 0 ? [] : [own]
})

let looks = 0
const originalParse = JSON.parse

/** Counts how often elements are read. */
function watched<Value extends object>(value: Value): Value {
  const count = (name: string | symbol) => {
    if (typeof name === "string" && name !== "length" && Object.hasOwn(value, name)) looks += 1
  }
  return new Proxy(value, {
    get: (target, name) => {
      count(name)
      return Reflect.get(target, name)
    },
  })
}

/** The same with its large list or map watched. */
function withWatched(value: unknown, size: number): unknown {
  if (typeof value !== "object" || value === null) return value
  const members = value as Record<string, unknown>
  const names = Object.keys(members)
  if (names.length === size) return watched(value)
  for (const name of names) members[name] = withWatched(members[name], size)
  return value
}

test.each(
  operations.map((each) => [each.name, each] as const),
)("%s looks at few of thousands of wrong values", async (name, operation) => {
  const dear: string[] = []
  for (const container of operation.containers) {
    const most = maximumOf(container.schema)
    for (const size of [Math.max(many, most + 1), Math.min(many, most)]) {
      const input = container.around(contentsOf(container, size))
      for (const [door, body, method, path] of [
        ["REST", operation.bodyOf(input), operation.method, operation.path],
        ["tRPC", { json: input }, "POST", `/api/trpc/${name}`],
      ] as const) {
        const sent = JSON.stringify(body)
        looks = 0
        vi.spyOn(JSON, "parse").mockImplementation((text, reviver) => {
          const value: unknown = originalParse(text, reviver)
          return text === sent ? withWatched(value, size) : value
        })
        const { status, text } = await send(method, path, sent)
        vi.restoreAllMocks()
        const { issues = [] } = status === 400 ? issuesIn(text) : {}
        // Where nothing of a value is wrong, all are read.
        const isCompleted =
          completing.has(name) &&
          !(size > maximumOf(container.schema) && counted.test(container.path))
        const isRead = isCompleted || wrongFor(container) === undefined
        if (looks > maxLooks + (isRead ? size : 0) || issues.length > maxIssues) {
          dear.push(
            `${door}: ${container.path} of ${size}: ${looks} looks, ${issues.length} issues`,
          )
        }
      }
    }
  }
  expect(dear).toEqual([])
})

function issuesIn(text: string): { issues?: unknown[] } {
  const { error, ...refusal } = originalParse(text)
  return error === undefined ? refusal : error.json.data
}

async function send(method: string, path: string, body: string) {
  const response = await fetch(server.address + path, {
    method,
    headers: { authorization: `Bearer ${server.token}`, "content-type": "application/json" },
    body,
  })
  return { status: response.status, text: await response.text() }
}

/** A small value that is wrong as an element; undefined: all of these are right. */
function wrongFor({ schema }: Container): unknown {
  const { def } = schema._zod as { def: { element?: z.ZodType; valueType?: z.ZodType } }
  const element = def.element ?? def.valueType
  return [0, "", true].find((value) => !element?.safeParse(value).success)
}

function contentsOf(container: Container, size: number): unknown {
  const { kind } = container
  const wrong = wrongFor(container) ?? 0
  if (kind === "list") return new Array(size).fill(wrong)
  return Object.fromEntries(Array.from({ length: size }, (_, at) => [`n${at.toString(36)}`, wrong]))
}
