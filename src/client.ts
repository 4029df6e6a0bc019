/** The typed client: every procedure of the service, checked by the compiler, without server code. */
import {
  createTRPCClient,
  httpBatchLink,
  httpBatchStreamLink,
  httpLink,
  httpSubscriptionLink,
  splitLink,
  type TRPCClient,
  type TRPCLink,
} from "@trpc/client"
import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server"
import superjson from "superjson"
import {
  type AnyBot,
  type BotTypes,
  type Chat,
  type ChatOptions,
  createChat,
} from "./client/chat.ts"
import { isParleyError } from "./client/errors.ts"
import { EventReader } from "./client/eventReader.ts"
import { openPreview, type Preview, type PreviewOptions } from "./client/preview.ts"
import {
  authorized,
  explained,
  type Fetch,
  type HeaderSource,
  readSession,
  type SessionSource,
  type TokenSource,
} from "./client/requests.ts"
import { createTransfers, type Transfers } from "./client/transfers.ts"
import type { AppRouter } from "./routers/app.ts"

export type { AnyBot, BotTypes, Chat, ChatOptions, ChatState, ChatTurn } from "./client/chat.ts"
export type { ParleyError } from "./client/errors.ts"
export type {
  Preview,
  PreviewOptions,
  PreviewState,
  PreviewTrace,
  PreviewTurn,
} from "./client/preview.ts"
export type {
  DownloadOptions,
  ExportRequest,
  FileOwner,
  Transfers,
  UploadedFile,
} from "./client/transfers.ts"
export type { AppRouter, ParleyErrorCode, UnknownBlockType } from "./routers/app.ts"
export { isParleyError, openPreview, readSession }

/** Calls procedures: `client.bot.get.query({ botId })`, `client.chat.start.mutate({ publicId })`. */
export type ParleyClient = TRPCClient<AppRouter> &
  Transfers & {
    /** Opens a preview of a bot, in which its author talks to the draft and sees what it does. */
    preview(botId: string, options?: PreviewOptions): Preview
    /** Opens a chat with a published bot: `client.chat<Signup>(publicId)`, if `parley types` wrote Signup. */
    chat: <Bot extends BotTypes = AnyBot>(publicId: string, options?: ChatOptions<Bot>) => Chat<Bot>
  }

/** What procedures take: `ParleyInputs["bot"]["update"]`. */
export type ParleyInputs = inferRouterInputs<AppRouter>

/** What procedures return: `ParleyOutputs["result"]["list"]`. */
export type ParleyOutputs = inferRouterOutputs<AppRouter>

/** Where the service is, who calls it, and how. */
export type ParleyClientOptions = {
  /** Address of the service, for example `https://bots.example.com`, with or without `/api/trpc`. */
  url: string
  /**
   * API token, or a function that is asked for it before every request, and again after a 401, which
   * streamed answers do not have; absent: only chat procedures can be called, unless `fetch` sends the
   * cookie of a user who is signed in.
   */
  token?: TokenSource
  /**
   * For pages of the service itself, opened by a user who is signed in: the secret of the session, as
   * `readSession` finds it, or a function that is asked for it before every request.
   */
  session?: SessionSource
  /** Replaces the global `fetch`, for streams too. */
  fetch?: Fetch
  /** Further headers of every request, or a function that is asked for them. */
  headers?: HeaderSource
  /** Links of tRPC that calls pass first, such as `loggerLink()`. */
  links?: readonly TRPCLink<AppRouter>[]
  /**
   * How calls of one moment are answered: `batch`, all together; `stream`, each as soon as it is done.
   * Absent: `batch`.
   */
  transport?: "batch" | "stream"
}

/** Max calls that the service takes in one request of tRPC. */
export const maxBatchCalls = 20

/** Max length of a request address that every proxy accepts; longer batches are split. */
export const maxUrlLength = 2_000

/** Inputs are JSON without undefined members; answers are written by superjson. */
const transformer = {
  input: {
    serialize: (value: unknown) => ({ json: value }),
    deserialize: (sent: { json?: unknown }) => sent.json,
  },
  output: superjson,
}

/** Makes a client. Simultaneous calls share a request; streams (`subscribe`) reconnect by themselves. */
export function createParleyClient({
  url,
  fetch: send = globalThis.fetch,
  links = [],
  transport = "batch",
  ...credentials
}: ParleyClientOptions): ParleyClient {
  const root = url.replace(/(?:\/api\/trpc)?\/*$/, "")
  const shared = { url: `${root}/api/trpc`, transformer }
  const batches = {
    ...shared,
    maxItems: maxBatchCalls,
    maxURLLength: maxUrlLength,
    fetch: authorized(explained(root, send), credentials),
  }
  const stream = authorized(send, credentials)
  const streams = { EventSource: EventReader, eventSourceOptions: { fetch: stream } }
  // A key is that of one call, and a header that of a request.
  const keyed = httpLink({
    ...shared,
    fetch: batches.fetch,
    headers: ({ op }) => ({ "idempotency-key": String(op.context.idempotencyKey) }),
  })
  const client = createTRPCClient<AppRouter>({
    links: [
      ...links,
      splitLink({
        condition: ({ type }) => type === "subscription",
        true: httpSubscriptionLink({ ...shared, ...streams }),
        false: splitLink({
          condition: ({ context }) => "idempotencyKey" in context,
          true: keyed,
          false: transport === "stream" ? httpBatchStreamLink(batches) : httpBatchLink(batches),
        }),
      }),
    ],
  })
  const preview: ParleyClient["preview"] = (botId, options) => openPreview(client, botId, options)
  // Calls of it open chats, its members are procedures.
  const chat = new Proxy(client.chat, {
    apply: (_, __, [publicId, options]) => createChat(client, publicId, options),
  })
  const own = { preview, chat, ...createTransfers(client, root, send, credentials) }
  // A client of tRPC makes its members when they are asked for.
  return new Proxy(client, {
    get: (target, name) => Reflect.get(Object.hasOwn(own, name) ? own : target, name),
  }) as ParleyClient
}
