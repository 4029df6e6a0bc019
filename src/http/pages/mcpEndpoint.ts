/** Answers assistants, which speak the Model Context Protocol: messages of JSON-RPC, one a request. */
import type { AnyTRPCProcedure } from "@trpc/server"
import { createCap } from "../../lib/caps.ts"
import { AppError, tooLarge, unavailable } from "../../lib/errors.ts"
import { once } from "../../lib/once.ts"
import type { Principal } from "../../mcp/callTool.ts"
import type { AnswerMessage } from "../../mcp/createMcp.ts"
import type { Caller } from "../../people/caller.ts"
import { isOwnOrigin } from "../../people/sessionCookie.ts"
import { type Context, createContext, type Services } from "../../routers/context.ts"
import { maxInputBytesOf, requireCaller } from "../../routers/trpc.ts"
import { requireMethod, sendCompressed, sendEmpty } from "../answer.ts"
import { readMembers } from "../bodies/body.ts"
import { type CallProcedure, callOf } from "../call.ts"
import type { Endpoint } from "../dispatch.ts"
import { type Exchange, headerOf, requireClient } from "../exchange.ts"
import { logRefusal } from "../logRefusal.ts"
import { factsOf, type Surface } from "../rest/rest.ts"

type McpOptions = Pick<Surface, "router" | "services"> & {
  /** Where the pages about behaviour may be. */
  pageFolders: readonly string[]
  version: string
}

const maxBodyBytes = 4 * 1024 * 1024

/** Answers `POST /mcp`. */
export function createMcpEndpoint({ router, services, ...options }: McpOptions): Endpoint {
  const procedures: Record<string, AnyTRPCProcedure> = router._def.procedures
  // Loaded at the first request of an assistant.
  const open = once(async () => {
    const { createMcp } = await import("../../mcp/createMcp.ts")
    return await createMcp({ procedures, ...options })
  })
  const callNamed = (path: string): CallProcedure => {
    const procedure = procedures[path]
    if (procedure === undefined) throw new Error(`There is no procedure ${path}`)
    const call = callOf(path, procedure)
    const most = maxInputBytesOf(procedure)
    const readFit = (readInput: () => unknown) => {
      const input = readInput()
      requireFit(input, most)
      return input
    }
    return ({ readInput, ...others }) => call({ ...others, readInput: () => readFit(readInput) })
  }
  const admit = createCap("assistants")
  return {
    path: /^\/mcp\/?$/,
    operation: "mcp",
    origins: services.settings.allowedOrigins,
    async answer(exchange) {
      const words = "Messages are sent by POST, and answered at once"
      requireMethod(exchange, "POST, OPTIONS", words)
      await answer(exchange, { services, callNamed, open, admit })
    },
  }
}

type Answering = {
  services: Services
  callNamed(path: string): CallProcedure
  open(): Promise<AnswerMessage>
  admit: ReturnType<typeof createCap<"assistants">>
}

async function answer(exchange: Exchange, answering: Answering): Promise<void> {
  const { services, admit } = answering
  // Cookies and page keys are ignored: assistants have tokens.
  const facts = { ...factsOf(exchange), cookie: undefined, idempotencyKey: undefined }
  requireOwnOrigin(services, exchange)
  const ctx = createContext(services, facts)
  const caller = await requireCaller(ctx, "any")
  await ctx.limit("management", caller.tokenId)
  // Only now, so that nothing is held by callers who are refused anyway.
  const leave = admit({ user: caller.id }, (full) =>
    unavailable(`Too many messages${full === "user" ? " of yours" : ""} are being answered`, 1),
  )
  await answerCaller(exchange, { ...answering, ctx, caller }).finally(leave)
}

async function answerCaller(
  exchange: Exchange,
  { services, callNamed, open, ctx, caller }: Answering & { ctx: Context; caller: Caller },
): Promise<void> {
  const rules = { maxBytes: maxBodyBytes }
  const body = await readMembers(exchange, rules)
  requireClient(exchange)
  const { abortSignal } = exchange
  const principal: Principal = {
    caller,
    call: (path, input) => callNamed(path)({ ctx, readInput: () => input, abortSignal }),
    report: (refused) => logRefusal(services.log, { exchange, ...refused }),
  }
  const answerMessage = await open()
  const version = headerOf(exchange.request, "mcp-protocol-version")
  const response = await answerMessage(principal, { body, version })
  if (response.body === null) return sendEmpty(exchange, response.status)
  await sendCompressed(exchange, response.status, await response.text())
}

/** A message may be as large as the largest input; the input of a tool only as large as over REST. */
function requireFit(input: unknown, most: number): void {
  if (most >= maxBodyBytes || Buffer.byteLength(JSON.stringify(input) ?? "") <= most) return
  throw tooLarge(`The arguments exceed the limit of ${most} bytes`, most)
}

/** Pages that name this machine by a name of their own (DNS rebinding) have another origin. */
function requireOwnOrigin({ settings }: Services, { request }: Exchange): void {
  const { origin, host } = request.headers
  if (origin === undefined || isOwnOrigin(settings, { origin, host })) return
  throw new AppError(
    "ORIGIN_REFUSED",
    "Pages of other origins are not answered here: PARLEY_ALLOWED_ORIGINS must name this one",
  )
}
