/** Every number and every time that a caller can send, at the ends of what its type admits: 200 or 400. */
import { readFileSync } from "node:fs"
import superjson from "superjson"
import { expect, test } from "vitest"
import { appRouter } from "../../src/routers/app.ts"
import { answerTo } from "./answerTo.ts"
import { isHidden, type Json, type Operation, operations, resolved } from "./operations.ts"
import { requestFor, supplementOf } from "./requests.ts"
import { newTarget, server, tokens } from "./twoTenants.ts"

const times = [
  "0000-01-01",
  "0000-01-01T00:00:00Z",
  "0001-01-01T00:00:00+23:59",
  "0099-12-31",
  "1969-12-31T23:59:59.999Z",
  "1970-01-01T00:00:00-23:59",
  "2016-12-31T23:59:60Z",
  "9999-12-31",
  "9999-12-31T23:59:59.999Z",
  "9999-12-31T23:59:59.999-23:59",
  "-271821-04-20T00:00:00.000Z",
  "-271821-04-20",
  "+275760-09-13T00:00:00.000Z",
  "+275760-09-13",
  "2026-02-30",
  "2026-01-01T24:00:00Z",
  "2026-01-01T00:00:00.123456789123456789Z",
]
const numbers = [
  0,
  -1,
  2 ** 31 - 1,
  2 ** 31,
  Number.MAX_SAFE_INTEGER,
  Number.MIN_SAFE_INTEGER,
  2 ** 63,
  1e300,
  5e-324,
]

type Place = { at: readonly string[]; kind: "query" | "body"; values: readonly unknown[] }

type Described = { parameters?: Json[] }
const document = JSON.parse(
  readFileSync(new URL("../../openapi.json", import.meta.url), "utf8"),
) as { paths: Record<string, Record<string, Described>> }

const isTime = /^(?:from|to|since|until|before|after)$|(?:Since|Until|At|Date|Time)$/

/** The values for a member: by its type, and texts by what they are called, for formats are not always said. */
function valuesFor(name: string, schema: Json): readonly unknown[] {
  const types = JSON.stringify(schema)
  const isNumber = /"type":"(?:integer|number)"/.test(types)
  const isMoment = /"format":"date/.test(types) || (isTime.test(name) && /"string"/.test(types))
  return [...(isNumber ? numbers : []), ...(isMoment ? times : [])]
}

/** The places in a body: members of members, and of the first entry of lists, but for those of flows. */
function placesIn(schema: Json, at: readonly string[] = []): Place[] {
  if (at.length > 2 || at.at(-1) === "groups" || at.at(-1) === "events") return []
  const {
    properties = {},
    items,
    anyOf = [],
    oneOf = [],
    allOf = [],
  } = resolved(schema) as {
    properties?: Record<string, Json>
    items?: Json
    anyOf?: Json[]
    oneOf?: Json[]
    allOf?: Json[]
  }
  const members = Object.entries(properties).flatMap(([name, member]) => {
    const own = resolved(member)
    const isPlain = own.properties === undefined && own.items === undefined
    const values = isPlain ? valuesFor(name, own) : []
    const place = { at: [...at, name], kind: "body", values } as const
    return [...(values.length > 0 ? [place] : []), ...placesIn(own, [...at, name])]
  })
  const within = items === undefined ? [] : placesIn(items, [...at, "0"])
  const others = [...anyOf, ...oneOf, ...allOf].flatMap((each) => placesIn(each, at))
  return [...members, ...within, ...others]
}

function placesOf(operation: Operation): Place[] {
  const { parameters = [] } = document.paths[operation.path]?.[operation.method.toLowerCase()] ?? {}
  const query = parameters.map(resolved).flatMap((parameter): Place[] => {
    const { name, schema, in: where } = parameter as { name: string; schema: Json; in: string }
    const values = where === "query" ? valuesFor(name, resolved(schema)) : []
    return values.length === 0 ? [] : [{ at: [name], kind: "query", values }]
  })
  const body = operation.body === undefined ? [] : placesIn(operation.body.schema)
  const known = new Set<string>()
  return [...query, ...body].filter(({ at, kind }) => {
    const name = `${kind} ${at.join("/")}`
    return !known.has(name) && known.add(name)
  })
}

/** The same with another value in a place; members on the way are made. */
function withValue(body: unknown, [name, ...onward]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value
  if (name === "0") {
    const [first, ...others] = Array.isArray(body) ? body : []
    return [withValue(first, onward, value), ...others]
  }
  const members = typeof body === "object" && body !== null ? (body as Json) : {}
  return { ...members, [name]: withValue(members[name], onward, value) }
}

/** The status of an answer. */
async function statusOf(
  method: string,
  path: string,
  sent: { token: string | null; body?: unknown },
): Promise<number> {
  const { status } = await answerTo(server.address + path, { method, ...sent })
  return status
}

type Procedure = { _def: { type: string; meta?: { openapi?: { operationId: string } } } }
const procedures = Object.entries(
  appRouter._def.procedures as unknown as Record<string, Procedure>,
).map(([path, { _def }]) => ({ path, type: _def.type, id: _def.meta?.openapi?.operationId }))

const target = await newTarget()
const isPublic = new Set(operations.filter((each) => each.isPublic).map(({ id }) => id))

const all = operations.flatMap((operation) => {
  const places = placesOf(operation)
  return places.length === 0 ? [] : [{ operation, places }]
})

test.each(
  all.map((each) => [each.operation.id, each] as const),
)("%s answers the ends of each range with success or a refusal", async (id, {
  operation,
  places,
}) => {
  const [admission = "accounts"] = operation.admits
  const token = isPublic.has(id) ? null : isHidden(operation) ? tokens.operator : tokens.admin
  const prepared = await supplementOf(operation, admission).prepare?.(target, "admin")
  const to = { ...target, ...prepared }
  const { method, path, body } = requestFor(operation, admission, to)
  const url = new URL(path, "http://a.example")
  for (const { at, kind, values } of places) {
    for (const value of values) {
      const asked = new URLSearchParams(url.search)
      if (kind === "query") asked.set(at[0] ?? "", String(value))
      const sent = kind === "body" ? withValue(body, at, value) : body
      const address = `${url.pathname}${asked.size > 0 ? `?${asked}` : ""}`
      const status = await statusOf(method, address, { token, body: sent })
      expect([at.join("/"), value, status < 500 || status]).toEqual([at.join("/"), value, true])
      const procedure = procedures.find((each) => each.id === id)
      if (procedure === undefined) continue
      const names = operation.path.split("/")
      const inPath = url.pathname.split("/").flatMap((segment, index) => {
        const [, name] = /^\{(\w+)\}$/.exec(names[index] ?? "") ?? []
        return name === undefined ? [] : [[name, name === "number" ? 1 : segment]]
      })
      const members = { ...Object.fromEntries([...url.searchParams, ...inPath]), ...(body ?? {}) }
      const input = superjson.serialize(withValue(members, at, value))
      const path = `/api/trpc/${procedure.path}`
      const query = `?input=${encodeURIComponent(JSON.stringify(input))}`
      const called = await (procedure.type === "query"
        ? statusOf("GET", `${path}${query}`, { token })
        : statusOf("POST", path, { token, body: input }))
      expect(["tRPC", at.join("/"), value, called < 500 || called]).toEqual([
        "tRPC",
        at.join("/"),
        value,
        true,
      ])
    }
  }
})

test("numbers and times of every kind of operation are among them", () => {
  const names = all.map(({ operation }) => operation.id)
  const some = ["getAnalytics", "listResults", "listConversations", "redeliverWebhooks"]
  expect(names).toEqual(expect.arrayContaining([...some, "createApiToken", "createBotFile"]))
})
