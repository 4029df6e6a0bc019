/** A small router with one operation per rule of the HTTP layer, served over real HTTP. */
import { EventEmitter, once } from "node:events"
import { Writable } from "node:stream"
import { z } from "zod"
import type { Db } from "../../src/db/connection/openDatabase.ts"
import { type BodyBudget, createBodyBudget } from "../../src/http/bodies/bodyBudget.ts"
import { type Listener, listen, type TimeLimits } from "../../src/http/connections/listen.ts"
import { createDispatch } from "../../src/http/dispatch.ts"
import { createDocs } from "../../src/http/openapi/docs.ts"
import { answerHealth, createReady } from "../../src/http/pages/health.ts"
import { createRootPage } from "../../src/http/pages/root.ts"
import { createLimits } from "../../src/http/rateLimit.ts"
import { staleDraft, tooManyRequests, unavailable } from "../../src/lib/errors.ts"
import type { Services } from "../../src/routers/context.ts"
import { bodyFlag, queryFlag } from "../../src/routers/sharedSchemas.ts"
import { publicProcedure, router, tokenProcedure } from "../../src/routers/trpc.ts"
import { createLog } from "../../src/telemetry/log.ts"

/**
 * Told about what happens inside procedures: `slow`, `aborted`, `finished`, `previewed`. Tell it to
 * `finish` what is slow.
 */
export const happenings = new EventEmitter()

const thingId = z.string().describe("Names the thing")

const blockSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), content: z.object({ text: z.string() }) }),
  z.object({ type: z.literal("wait"), options: z.object({ seconds: z.number() }) }),
])
const groupSchema = z.object({ title: z.string(), blocks: z.array(blockSchema) })
const messageSchema = z.union([
  z.string(),
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("command"), command: z.string() }),
])

const things = router({
  get: publicProcedure
    .meta({ openapi: { method: "GET", path: "/api/v1/things/{thingId}" } })
    .input(
      z.object({
        thingId,
        isDeep: queryFlag("Whether all of it"),
        limit: z.number().int().max(500).optional(),
        since: z.date().optional(),
        name: z.string().optional(),
      }),
    )
    .output(z.looseObject({}))
    .query(({ input }) => input),
  create: tokenProcedure
    .meta({ openapi: { method: "POST", path: "/api/v1/things" } })
    .input(z.object({ name: z.string(), isOpen: z.boolean().optional() }))
    .output(z.looseObject({}))
    .mutation(({ input, ctx }) => ({ ...input, owner: ctx.user.email })),
  publish: publicProcedure
    .meta({ openapi: { method: "POST", path: "/api/v1/things/{thingId}/publish" } })
    .input(z.object({ thingId }))
    .output(z.object({ message: z.string() }))
    .mutation(() => ({ message: "success" })),
  remove: publicProcedure
    .meta({ openapi: { method: "DELETE", path: "/api/v1/things/{thingId}" } })
    .input(z.object({ thingId, force: z.boolean().optional() }))
    .output(z.looseObject({}))
    .mutation(({ input }) => input),
  import: publicProcedure
    .meta({ openapi: { method: "POST", path: "/api/v1/things/import" } })
    .input(z.object({ bot: z.object({ groups: z.array(groupSchema) }) }))
    .output(z.object({ size: z.number() }))
    .mutation(({ input }) => ({ size: JSON.stringify(input).length })),
  old: publicProcedure
    .meta({
      openapi: { method: "GET", path: "/api/v1/old", description: "Says that it is old" },
      deprecated: { since: "2026-01-01", sunset: "2027-01-31", instead: "wordy" },
    })
    .output(z.looseObject({}))
    .query(() => ({})),
  wordy: publicProcedure
    .meta({ openapi: { method: "GET", path: "/api/v1/wordy" } })
    .output(z.object({ words: z.string() }))
    .query(() => ({ words: "many words ".repeat(500) })),
})

const failures = router({
  bug: publicProcedure
    .meta({ openapi: { method: "GET", path: "/api/v1/failures/bug" } })
    .output(z.looseObject({}))
    .query((): Record<string, unknown> => {
      throw Object.assign(new Error("secret of the house"), { detail: "secret row" })
    }),
  conflict: publicProcedure
    .meta({ openapi: { method: "GET", path: "/api/v1/failures/conflict" } })
    .output(z.looseObject({}))
    .query((): Record<string, unknown> => {
      throw staleDraft({ revision: 2, updatedAt: new Date(0) })
    }),
  busy: publicProcedure
    .meta({ openapi: { method: "GET", path: "/api/v1/failures/busy" } })
    .output(z.looseObject({}))
    .query((): Record<string, unknown> => {
      throw tooManyRequests("toys", "Too many toys", 2.4)
    }),
  full: publicProcedure
    .meta({ openapi: { method: "POST", path: "/api/v1/failures/full" } })
    .input(z.object({ name: z.string() }))
    .output(z.looseObject({}))
    .mutation((): Record<string, unknown> => {
      throw tooManyRequests("toys", "Too many toys", 2.4)
    }),
  down: publicProcedure
    .meta({ openapi: { method: "GET", path: "/api/v1/failures/down" } })
    .output(z.looseObject({}))
    .query((): Record<string, unknown> => {
      throw unavailable("Overloaded", 3)
    }),
  lost: publicProcedure
    .meta({ openapi: { method: "GET", path: "/api/v1/failures/lost" } })
    .output(z.looseObject({}))
    .query((): Record<string, unknown> => {
      throw Object.assign(new Error("connect"), { code: "ECONNREFUSED", syscall: "connect" })
    }),
})

const chat = router({
  start: publicProcedure
    .meta({
      openapi: { method: "POST", path: "/api/v1/bots/{publicId}/startChat", tags: ["Chat"] },
      takesKey: true,
    })
    .input(
      z.object({
        publicId: z.string(),
        isOnlyRegistering: bodyFlag("Runs nothing").optional(),
        message: messageSchema.optional(),
        prefilledVariables: z.record(z.string(), z.unknown()).optional(),
      }),
    )
    .output(z.looseObject({}))
    .mutation(({ input, ctx }) => {
      ctx.setHeader("Idempotent-Replayed", "true")
      return { ...input, ip: ctx.ip, origin: ctx.origin, key: ctx.idempotencyKey }
    }),
  preview: publicProcedure
    .meta({
      openapi: { method: "POST", path: "/api/v1/bots/{botId}/preview/startChat", tags: ["Chat"] },
      maxBodyBytes: 4 * 1024 * 1024,
    })
    .input(z.object({ botId: z.string(), bot: z.unknown().optional() }))
    .output(z.looseObject({}))
    .mutation(({ input }) => {
      happenings.emit("previewed")
      return { botId: input.botId }
    }),
  slow: publicProcedure
    .meta({ openapi: { method: "GET", path: "/api/v1/slow", tags: ["Chat"] } })
    .output(z.object({ done: z.boolean() }))
    .query(async ({ signal }) => {
      signal?.addEventListener("abort", () => happenings.emit("aborted"))
      const finish = once(happenings, "finish")
      happenings.emit("slow")
      await finish
      happenings.emit("finished")
      return { done: true }
    }),
})

/** The toy router. */
export const toyRouter = router({ things, failures, chat })

/** What a test may change of the toy. */
export type ToyOptions = {
  trustedProxies?: number
  limits?: Partial<TimeLimits>
  checkDatabase?: () => Promise<void>
  socketPath?: string
  bodies?: BodyBudget
}

/** A toy that listens, and what it logged. */
export type Toy = Listener & { lines: Record<string, unknown>[] }

/** Serves the toy router on a free port. The token `good` is valid; no other is. */
export async function serveToy(options: ToyOptions = {}): Promise<Toy> {
  const lines: Record<string, unknown>[] = []
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()))
      done()
    },
  })
  const log = createLog("debug", stream)
  const caller = { id: "u1", email: "ann@example.com", isPlatformAdmin: false, tokenId: "t1" }
  const services: Partial<Services> = {
    db: {} as Db,
    kyselyOf: () => ({}) as Db["kysely"],
    log,
    settings: {
      publicUrl: "http://toy.test",
      allowedOrigins: ["https://builder.example.com"],
      defaultPlan: "FREE",
    },
    findCaller: async (token) => (token === "good" ? caller : undefined),
    findSignedIn: async () => undefined,
    forgetToken: async () => {},
    limits: createLimits({ mode: "default", store: "memory", rates: {} }),
  }
  let listener: Listener | undefined
  const isStopping = () => listener?.isStopping() ?? false
  const checkDatabase = options.checkDatabase ?? (async () => {})
  const dispatch = createDispatch({
    router: toyRouter,
    services: services as Services,
    trustedProxies: options.trustedProxies ?? 0,
    bodies: options.bodies ?? createBodyBudget(Number.POSITIVE_INFINITY),
    maxRequests: Number.POSITIVE_INFINITY,
    endpoints: [],
    pages: {
      "/healthz": answerHealth,
      "/api/healthz": answerHealth,
      "/readyz": createReady({
        checkDatabase,
        hasUsers: async () => true,
        isStopping,
        isDiskFull: async () => false,
        unavailable: () => [],
      }),
      "/": createRootPage({ version: "1", services: services as Services, demoPublicId: "demo" }),
      ...createDocs({
        documents: {
          document: { openapi: "3.1.0", info: { version: "1" }, servers: [{ url: "/" }] },
          webhooks: { webhooks: {} },
        },
        bundleFolder: "test/contract",
        guideFolder: "src/http/guide",
        router: toyRouter,
        services: services as Services,
      }),
    },
  })
  const { limits, socketPath } = options
  listener = await listen({
    dispatch,
    host: "127.0.0.1",
    port: 0,
    socketPath,
    ...(limits && { limits }),
  })
  return { ...listener, lines }
}

/** Where the toy starts a chat. */
export const startPath = "/api/v1/bots/hello/startChat"

/** An answer with its parsed body; empty when there was none. */
export type Reply = { status: number; headers: Headers; body: Record<string, unknown> }

/** Sends one request to a URL and reads the whole answer. */
export async function send(method: string, url: string, init: RequestInit = {}): Promise<Reply> {
  const response = await fetch(url, { method, redirect: "manual", ...init })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : {} }
}

/** What sends a text as JSON. */
export function json(body: string, headers: Record<string, string> = {}): RequestInit {
  return { body, headers: { "content-type": "application/json", ...headers } }
}
