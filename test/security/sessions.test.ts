/**
 * A session counts on the origin of the service only with the secret that pages of the service get: every
 * operation, with everything that a chat page beside them can send.
 */
import type { AnyTRPCProcedure, AnyTRPCRouter } from "@trpc/server"
import type { OpenApiMeta } from "trpc-to-openapi"
import { request } from "undici"
import { describe, expect, test } from "vitest"
import { findUserByEmail } from "../../src/db/people/users.ts"
import { linkProof, proofParameter, secretHeader } from "../../src/people/sessionCookie.ts"
import { createUserSession } from "../../src/people/signIn.ts"
import { appRouter } from "../../src/routers/app.ts"
import { isForOperators } from "../../src/routers/trpc.ts"
import { testDatabase } from "../support/database.ts"
import { secretOf } from "../support/secretOf.ts"
import { testServer } from "../support/server.ts"
import { isHidden, operations } from "./operations.ts"

const builder = "https://builder.example.com"
const database = await testDatabase()
const server = await testServer({
  DATABASE_URL: database.url,
  PARLEY_RATE_LIMITS: "off",
  PARLEY_ALLOWED_ORIGINS: builder,
})
const own = server.address
const ann = (await findUserByEmail(database, "ann@example.com"))?.id ?? ""

/** The cookie of a session of Ann's. */
async function newCookie(): Promise<string> {
  const opened = await createUserSession(database, { userId: ann, method: "link", userAgent: "" })
  return `parley_session=${opened.secret}`
}
const cookie = await newCookie()

/** Headers of a request. */
type Shape = Record<string, string>

type Call = { name: string; method: string; path: string; isHidden?: boolean; isStream?: boolean }

/** Operations that take a token, over REST: with ids of nothing, so that those who may call destroy nothing. */
const overRest: Call[] = operations
  .filter(({ isPublic }) => !isPublic)
  .map(({ id, method, path, admits }) => ({
    name: id,
    method,
    isHidden: isHidden({ admits }),
    path: path
      .replace("{folder}/{fileName}", `${"0".repeat(32)}/${"0".repeat(32)}.png`)
      .replace(/\{[^}]+\}/g, "none"),
  }))

const procedures: Record<string, AnyTRPCProcedure> = (appRouter as AnyTRPCRouter)._def.procedures
const guarded = Object.entries(procedures).filter(([, { _def }]) => {
  const { openapi, ...meta } = (_def.meta ?? {}) as OpenApiMeta
  return openapi ? openapi.protect : "scope" in meta
})

/** The same over tRPC. */
const overRpc: Call[] = guarded.map(([path, procedure]) => {
  const { _def } = procedure
  const method = _def.type === "mutation" ? "POST" : "GET"
  const query = method === "GET" ? `?input=${encodeURIComponent('{"json":{}}')}` : ""
  const isHidden = isForOperators(procedure)
  const isStream = _def.type === "subscription"
  return { name: `tRPC ${path}`, method, isHidden, isStream, path: `/api/trpc/${path}${query}` }
})

const inputs = JSON.stringify(
  Object.fromEntries(Array.from({ length: 20 }, (_, at) => [at, { json: {} }])),
)

/** Calls of one request, as many as it may have. */
const batches: Call[] = ["query", "mutation"].flatMap((type) => {
  const ofType = guarded.filter(([, { _def }]) => _def.type === type)
  const names = ofType.filter(([, each]) => !isForOperators(each)).map(([name]) => name)
  const method = type === "mutation" ? "POST" : "GET"
  return Array.from({ length: Math.ceil(names.length / 20) }, (_, at) => {
    const some = names.slice(at * 20, at * 20 + 20)
    const query = method === "GET" ? `&input=${encodeURIComponent(inputs)}` : ""
    return {
      name: `tRPC ${type} batch ${at + 1}`,
      method,
      path: `/api/trpc/${some.join()}?batch=1${query}`,
    }
  })
})
const calls = [...overRest, ...overRpc, ...batches]

/** Sends a request, and returns its status and what it says. Streams about nothing end at once. */
async function send({ method, path }: Call, headers: Shape) {
  const plain = path.startsWith("/api/trpc") ? '{"json":{}}' : "{}"
  const hasBody = method !== "GET" && method !== "DELETE"
  const { statusCode: status, body } = await request(own + path, {
    method: method as "GET",
    headers: { cookie, ...(hasBody && { "content-type": "application/json" }), ...headers },
    ...(hasBody && { body: path.includes("batch=1") ? inputs : plain }),
  })
  return { status, text: await body.text() }
}

const page = `${own}/chat/evil`
const alias = own.replace("localhost", "127.0.0.1")
const other = secretOf(await newCookie())

/** What a chat page can have a browser send, or its author's own server, without the secret. */
const shapes: Shape[] = [
  {},
  { origin: own },
  { origin: own, referer: page },
  { referer: page },
  { origin: alias, host: new URL(alias).host },
  {
    origin: own,
    "sec-fetch-site": "same-origin",
    "sec-fetch-mode": "cors",
    "sec-fetch-dest": "empty",
  },
  {
    referer: page,
    "sec-fetch-site": "same-origin",
    "sec-fetch-mode": "navigate",
    "sec-fetch-dest": "document",
  },
  {
    referer: page,
    "sec-fetch-site": "same-origin",
    "sec-fetch-mode": "no-cors",
    "sec-fetch-dest": "image",
  },
  { "sec-fetch-site": "none", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" },
  { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe" },
  // A listed origin under which the service itself is reached has chat pages, too.
  { origin: builder, host: new URL(builder).host },
  { origin: builder, "sec-fetch-site": "same-origin" },
  { referer: `${builder}/page`, "sec-fetch-site": "same-origin" },
  { origin: own, [secretHeader]: "" },
  { origin: own, [secretHeader]: other },
  { origin: own, [secretHeader]: cookie },
  { origin: own, [secretHeader]: linkProof(secretOf(cookie), "/") },
  {
    origin: own,
    "x-parley-iframe-referrer-origin": builder,
    "x-forwarded-host": "builder.example.com",
  },
]

/** Pages of origins that nobody has allowed; these are refused with the secret, too. */
const strangers = pagesOf([
  { origin: "null" },
  { origin: "null", "sec-fetch-site": "same-origin" },
  { origin: "https://evil.example" },
  { origin: `${own}.evil.example` },
  { origin: "https://localhost" },
])

function pagesOf(shapes: readonly Shape[]): Shape[] {
  return shapes.map((shape) => ({ ...shape, [secretHeader]: secretOf(cookie) }))
}

async function used(): Promise<unknown> {
  const { rows } = await database.pool.query(
    "select id, last_used_at from user_sessions order by id",
  )
  return rows
}

describe("every operation", () => {
  test("is among those that are tried", () => {
    expect(overRest.length).toBeGreaterThan(100)
    expect(guarded.length).toBeGreaterThan(90)
  })

  test.each(calls)("$name takes no cookie of the own origin without the secret", async (call) => {
    const answersTo = async (shape: Shape, refusal: number, reason: string) => {
      const got = await send(call, shape)
      const [status, words] = call.isHidden ? [404, "NOT_FOUND"] : [refusal, reason]
      // A subscription says it in the stream.
      const { isStream = false } = call
      expect([got.status, got.text], JSON.stringify(shape)).toEqual([
        isStream ? 200 : status,
        expect.stringContaining(words),
      ])
      if (isStream) expect(got.text).toContain(`"httpStatus":${status}`)
      // Of a batch, each call.
      expect(got.text).not.toContain('"result"')
    }
    await Promise.all([
      ...shapes.map((shape) => answersTo(shape, 401, "X-Parley-Session")),
      ...strangers.map((shape) => answersTo(shape, 403, "ORIGIN_REFUSED")),
    ])
  })

  test.each(
    calls,
  )("$name takes it with the secret, and from pages of allowed origins", async (call) => {
    const trusted: Shape[] = [
      { origin: own, [secretHeader]: secretOf(cookie) },
      { origin: builder, "sec-fetch-site": "same-site" },
    ]
    for (const shape of trusted) {
      const { status, text } = await send(call, { ...shape, cookie: await newCookieFor(shape) })
      expect(text, JSON.stringify(shape)).not.toMatch(/X-Parley-Session|ORIGIN_REFUSED/)
      expect(status, `${JSON.stringify(shape)} ${text}`).not.toBe(401)
    }
  })
})

/** Calls may end the session that they are made with: the one of a shape without a secret is its own. */
async function newCookieFor(shape: Shape): Promise<string> {
  return secretHeader in shape ? cookie : await newCookie()
}

test("no request without the secret is seen as a use of the session", async () => {
  const before = await used()
  for (const shape of shapes)
    await send({ name: "", method: "GET", path: "/api/v1/users/me" }, shape)
  expect(await used()).toEqual(before)
})

test("an address proves the secret for reading at its own path alone", async () => {
  const proofOf = (path: string) => linkProof(secretOf(cookie), path)
  const ask = async (path: string, proof: string, method = "GET") =>
    (await send({ name: "", method, path: `${path}?${proofParameter}=${proof}&limit=1` }, {}))
      .status
  const [me, list] = ["/api/v1/users/me", "/api/v1/workspaces"]
  expect(await ask(me, proofOf(me))).toBe(200)
  expect(await ask(list, proofOf(list))).toBe(200)
  expect(await ask(list, proofOf(me))).toBe(401)
  expect(await ask(me, secretOf(cookie))).toBe(401)
  expect(await ask(me, proofOf(me), "PATCH")).toBe(401)
  expect(await ask("/api/trpc/user.updateMe", proofOf("/api/trpc/user.updateMe"), "POST")).toBe(401)
})

test("a reading from a page of an allowed origin needs no more than its referrer", async () => {
  const read = async (headers: Shape) =>
    (await send({ name: "", method: "GET", path: "/api/v1/users/me" }, headers)).status
  expect(await read({ referer: `${builder}/`, "sec-fetch-site": "same-site" })).toBe(200)
  for (const foreign of [
    ...["https://evil.example/", `${builder}.evil.example/`, `${builder}@evil.example/`],
    ...[`${builder}:8443/`, builder.replace("https", "http"), `https://evil.example/${builder}`],
  ]) {
    expect(await read({ referer: foreign, "sec-fetch-site": "cross-site" })).toBe(403)
  }
})

test("assistants are answered without cookies, whatever comes with one", async () => {
  const call = { name: "", method: "POST", path: "/mcp" }
  const senders: Shape[] = [{}, { origin: own }, { origin: builder }]
  for (const headers of senders) {
    const { status } = await send(call, { ...headers, [secretHeader]: secretOf(cookie) })
    expect(status).toBe(401)
  }
})
