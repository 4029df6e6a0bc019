/** The typed client: every procedure of the service, checked by the compiler, without its code. */
import { createTRPCClient, httpBatchLink, type TRPCClient, TRPCClientError } from "@trpc/client"
import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server"
import superjson from "superjson"
import type { AppRouter } from "./routers/app.ts"

/** Calls procedures: `client.bot.get.query({ botId })`, `client.chat.start.mutate({ publicId })`. */
export type ParleyClient = TRPCClient<AppRouter>

/** What procedures take: `ParleyInputs["bot"]["update"]`. */
export type ParleyInputs = inferRouterInputs<AppRouter>

/** What procedures answer: `ParleyOutputs["result"]["list"]`. */
export type ParleyOutputs = inferRouterOutputs<AppRouter>

/** What a refused call throws: `data.code`, `data.httpStatus`, `data.issues` say why. */
export type ParleyError = TRPCClientError<AppRouter>

/** Where the service is and who calls it. */
export type ParleyClientOptions = {
  /** Address of the service, for example `https://bots.example.com`. */
  url: string
  /** API token; absent: only chats can be called. */
  token?: string
  /** Replaces the global `fetch`. */
  fetch?: typeof globalThis.fetch
}

// What the service takes at once, and a length that every proxy lets through.
const maxItems = 20
const maxUrlLength = 2_000

/** Inputs are JSON, members that are undefined left out; answers are what superjson writes. */
const transformer = {
  input: {
    serialize: (value: unknown) => ({ json: value }),
    deserialize: (sent: { json?: unknown }) => sent.json,
  },
  output: superjson,
}

/** Makes a client. Calls of one moment travel in one request. */
export function createParleyClient({ url, token, fetch }: ParleyClientOptions): ParleyClient {
  return createTRPCClient<AppRouter>({
    links: [
      httpBatchLink({
        url: `${url.replace(/\/+$/, "")}/api/trpc`,
        transformer,
        maxItems,
        maxURLLength: maxUrlLength,
        ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
        ...(fetch !== undefined && { fetch }),
      }),
    ],
  })
}

/** Whether a call was refused by the service or never reached it; anything else is a mistake here. */
export function isParleyError(error: unknown): error is ParleyError {
  return error instanceof TRPCClientError
}
