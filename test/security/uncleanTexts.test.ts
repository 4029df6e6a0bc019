/** Texts with NUL and halves of characters, at every operation that takes a token: cleaned or refused, never stored. */
import type { AnyTRPCProcedure } from "@trpc/server"
import { expect, test } from "vitest"
import { appRouter } from "../../src/routers/app.ts"
import { metaOf } from "../../src/routers/trpc.ts"
import { answerTo } from "./answerTo.ts"
import { type Operation, operations } from "./operations.ts"
import { newTargetFor, supplementOf } from "./requests.ts"
import { askedOf } from "./toolCalls.ts"
import { database, newTarget, server, type Target, tokens } from "./twoTenants.ts"

const nul = "\0"
const half = "\ud800"

const procedures = Object.entries(
  appRouter._def.procedures as unknown as Record<string, AnyTRPCProcedure>,
).map(([name, procedure]) => {
  const id = metaOf(procedure).openapi?.operationId
  return { name, id, isQuery: procedure._def.type === "query" }
})

/** The same with every text in it changed. */
function eachText(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value)
  if (Array.isArray(value)) return value.map((each) => eachText(each, change))
  if (typeof value !== "object" || value === null) return value
  const members = Object.entries(value)
  return Object.fromEntries(members.map(([name, each]) => [name, eachText(each, change)]))
}

const withNul = (text: string) => `${text.slice(0, 1)}${nul}${text.slice(1)}${nul}`

function ask(method: string, path: string, body?: unknown) {
  const token = /\boperator[./]/.test(path) ? tokens.operator : tokens.admin
  return answerTo(server.address + path, { method, token, body })
}

/** A request for an operation that succeeds: with a target of its own unless one is given. */
async function readyFor(operation: Operation, given?: Target) {
  const [first = "accounts"] = operation.admits
  const admission = operation.admits.includes("botReaders") ? "botReaders" : first
  const { prepare, success = 200 } = supplementOf(operation, admission)
  const target = given ?? (await newTargetFor(operation, admission))
  const asked = askedOf(operation, { ...target, ...(await prepare?.(target, "admin")) })
  return { ...asked, success }
}

const withToken = operations.filter(({ isPublic }) => !isPublic)
// Those that take away come last.
const isRemoval = ({ method }: Operation) => method === "DELETE"
const inOrder = [
  ...withToken.filter((each) => !isRemoval(each)),
  ...withToken.filter((each) => isRemoval(each)),
]
const shared = await newTarget()
const unclean = /\0|\\u0000|\p{Surrogate}|\\u[dD][89abAB][\da-fA-F]{2}(?!\\u[dD])/u

test.each(
  withToken.filter(({ body }) => body !== undefined).map((each) => [each.id, each] as const),
)("%s takes texts with NUL as those without", async (_, operation) => {
  const { method, path, body, success } = await readyFor(operation)
  const { status, text } = await ask(method, path, eachText(body, withNul))
  expect([status, text]).toEqual([success, expect.not.stringMatching(unclean)])
})

test.each(
  inOrder.map((each) => [each.id, each] as const),
)("%s fails at no half of a character, and at no NUL, wherever they stand", async (id, operation) => {
  const { method, path, body, input } = await readyFor(operation, shared)
  const spoil = (text: string) => `${text}${nul}${half}`
  const url = new URL(path, "http://a.example")
  for (const [name, value] of [...url.searchParams]) url.searchParams.set(name, value + nul)
  const { pathname, search } = url
  const hostile = (value: unknown) => ({
    ...(eachText(value, spoil) as object),
    [spoil("name")]: spoil(""),
  })
  const own = body === undefined ? undefined : hostile(body)
  const answers = [
    await ask(method, `${pathname}%00${search}`, own),
    await ask(method, `${pathname}%ED%A0%80${search}`, own),
    await ask(method, `${pathname}${search}`, own),
  ]
  const called = procedures.find((each) => each.id === id)
  if (called !== undefined) {
    const sent = { json: hostile(input) }
    const address = `/api/trpc/${called.name}`
    const asQuery = `${address}?input=${encodeURIComponent(JSON.stringify(sent))}`
    answers.push(await (called.isQuery ? ask("GET", asQuery) : ask("POST", address, sent)))
  }
  const failed = answers.filter(({ status, text }) => status >= 500 || unclean.test(text))
  expect(failed).toEqual([])
})

test("none of it is stored", async () => {
  const { rows: columns } = await database.pool.query<{ table: string; column: string }>(
    `select format('%I', table_name) as table, format('%I', column_name) as column
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = current_schema() and table_type = 'BASE TABLE'
      and data_type in ('text', 'character varying', 'json', 'jsonb', 'ARRAY')`,
  )
  expect(columns.length).toBeGreaterThan(50)
  const stored: string[] = []
  for (const { table, column } of columns) {
    const { rows } = await database.pool.query<{ text: string }>(
      `select ${column}::text as text from ${table} where ${column}::text ~ $1 limit 1`,
      [String.raw`\\u(0000|[dD][89abAB][0-9a-fA-F]{2})`],
    )
    stored.push(...rows.map(({ text }) => `${table}.${column}: ${text.slice(0, 200)}`))
  }
  expect(stored).toEqual([])
})
