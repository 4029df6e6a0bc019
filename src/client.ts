/** The typed client: every procedure of the service, checked by the compiler, without server code. */
import {
  createTRPCClient,
  httpBatchLink,
  httpSubscriptionLink,
  splitLink,
  type TRPCClient,
  type TRPCClientError,
} from "@trpc/client"
import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server"
import superjson from "superjson"
import type { AppRouter, ParleyErrorCode, UnknownBlockType } from "./routers/app.ts"

export type { AppRouter, ParleyErrorCode, UnknownBlockType }

/** Calls procedures: `client.bot.get.query({ botId })`, `client.chat.start.mutate({ publicId })`. */
export type ParleyClient = TRPCClient<AppRouter>

/** What procedures take: `ParleyInputs["bot"]["update"]`. */
export type ParleyInputs = inferRouterInputs<AppRouter>

/** What procedures return: `ParleyOutputs["result"]["list"]`. */
export type ParleyOutputs = inferRouterOutputs<AppRouter>

/** What a refused call throws: `data.reason`, `data.httpStatus` and `data.issues` say why. */
export type ParleyError = TRPCClientError<AppRouter>

/** Where the service is and who calls it. */
export type ParleyClientOptions = {
  /** Address of the service, for example `https://bots.example.com`. */
  url: string
  /** API token; absent: only chat procedures can be called. */
  token?: string
  /** Replaces the global `fetch`. */
  fetch?: typeof globalThis.fetch
}

/** The most calls that the service takes in one request of tRPC. */
export const maxBatchCalls = 20

/** The longest address of a request, in characters, which every proxy accepts; longer batches are split. */
export const maxUrlLength = 2_000

/** Inputs are JSON without undefined members; answers are written by superjson. */
const transformer = {
  input: {
    serialize: (value: unknown) => ({ json: value }),
    deserialize: (sent: { json?: unknown }) => sent.json,
  },
  output: superjson,
}

/**
 * Makes a client. Simultaneous calls share a request. Streams (`subscribe`) need a global
 * `EventSource`, which browsers have.
 */
export function createParleyClient({ url, token, fetch }: ParleyClientOptions): ParleyClient {
  const root = url.replace(/\/+$/, "")
  const shared = { url: `${root}/api/trpc`, transformer }
  return createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: ({ type }) => type === "subscription",
        true: httpSubscriptionLink(shared),
        false: httpBatchLink({
          ...shared,
          maxItems: maxBatchCalls,
          maxURLLength: maxUrlLength,
          ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
          fetch: explained(root, fetch),
        }),
      }),
    ],
  })
}

/**
 * Whether a call was refused by the service or never reached it; any other error is a mistake of the
 * caller. Judged by name, because an app may hold several copies of @trpc/client.
 */
export function isParleyError(error: unknown): error is ParleyError {
  return error instanceof Error && error.name === "TRPCClientError"
}

/** Makes calls fail with a sentence if nobody answers, or something other than the service. */
function explained(root: string, send = globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const fail = (words: string, cause?: unknown): never => {
      // A caller that aborts expects the reason that it gave.
      throw init?.signal?.aborted && cause ? cause : new Error(`${root} ${words}`, { cause })
    }
    const response = await send(input, init).catch(async (cause) =>
      fail(await whyUnanswered(root, send), cause),
    )
    const read = response.json.bind(response)
    const json = async (): Promise<unknown> => {
      const { status } = response
      const words = `did not answer as Parley (status ${status}): is \`url\` the root of the service?`
      const answer: unknown = await read().catch((cause) => fail(words, cause))
      return [answer].flat().every(isAnswer) ? answer : fail(words)
    }
    return Object.assign(response, { json })
  }
}

/**
 * Why a request got no answer. Browsers do not tell pages that they may not read one; but they send
 * requests whose answer nobody reads, to which a running service answers.
 */
async function whyUnanswered(root: string, send: typeof globalThis.fetch): Promise<string> {
  const nobody = "did not answer: is the service running there?"
  const { location } = globalThis as { location?: { origin: string } }
  if (location === undefined || new URL(root, location.origin).origin === location.origin)
    return nobody
  const answersTo = (mode: "cors" | "no-cors") =>
    send(`${root}/api/trpc/`, { mode }).then(
      () => true,
      () => false,
    )
  if (!(await answersTo("no-cors")) || (await answersTo("cors"))) return nobody
  return `does not let pages of ${location.origin} call it: add that origin to PARLEY_ALLOWED_ORIGINS`
}

/** Whether a value looks like an answer of tRPC. */
function isAnswer(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false
  if ("result" in value) return true
  return "error" in value && typeof value.error === "object"
}
