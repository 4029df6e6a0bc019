/**
 * Lists what callers share in one process: every queue, pool and cap, and by which key each is shared out.
 * Every queue and cap is opened by a name of this list; `.github/SECURITY.md` shows it as a table.
 */

/** By what a share is counted. */
export type ShareKey =
  /** Owners take turns, and within each its workspaces or addresses (`party.ts`). */
  | "party"
  /** The address; of an IPv6 address its /64 network. */
  | "address"
  /** The user whose token or session came along. */
  | "user"
  | "bot"
  | "endpoint"
  | "workspace"
  /** The user who created the workspace. */
  | "creator"

/** A queue: those who find no place wait for one. */
export type QueueShare = {
  /** What a place is for, as the table names it. */
  what: string
  key: ShareKey
  /** The usual number; of threads and connections, options may say another. */
  places: number
  /** When more wait, the owner with the longest line loses the last place in it. */
  maxWaiting: number
  maxWaitMs: number
  /** True: places pass to the next one at once, since nothing in them keeps the thread. */
  isPassedOnAtOnce?: true
}

/** A cap: those who find no place are refused. */
export type CapShare = {
  what: string
  /** Max at a time; the caller that opens the cap may override it. */
  places: number
  /** Max per key, by kind of key. */
  each: Partial<Record<ShareKey, number>>
}

/** What is stored for a while; when there is too much, the least recent of the owner that has the most goes. */
export type StoredShare = {
  what: string
  key: ShareKey
  /** Max per key, and of all; null: as many as there are keys. */
  each: number
  all: number | null
  isBytes?: boolean
}

/** Something that is counted in bytes; who finds too little left is refused. */
export type AmountShare = { what: string; key: ShareKey; most: number }

const second = 1_000

export const queues = {
  shortScripts: {
    what: "Threads for scripts that only compute, for their first 100 ms",
    key: "party",
    places: 2,
    maxWaiting: 256,
    maxWaitMs: 12 * second,
  },
  longScripts: {
    what: "The thread for scripts that compute for longer, which begin again there",
    key: "party",
    places: 1,
    maxWaiting: 256,
    maxWaitMs: 12 * second,
  },
  fetchingScripts: {
    what: "Threads for scripts that make requests",
    key: "party",
    places: 24,
    maxWaiting: 256,
    maxWaitMs: 12 * second,
  },
  fetchingTurns: {
    what: "Those of them that may compute at a time",
    key: "party",
    places: 4,
    maxWaiting: 24,
    maxWaitMs: 12 * second,
  },
  shortHeavyWork: {
    what: "The thread for work on large bots, for its first two seconds",
    key: "party",
    places: 1,
    maxWaiting: 50,
    maxWaitMs: 30 * second,
  },
  longHeavyWork: {
    what: "The thread for work on large bots that takes longer, which begins again there",
    key: "party",
    places: 1,
    maxWaiting: 50,
    maxWaitMs: 30 * second,
  },
  draftTests: {
    what: "Tests of drafts",
    key: "party",
    places: 2,
    maxWaiting: 50,
    maxWaitMs: 30 * second,
  },
  longRuns: {
    what: "Runs of the engine that need more than 2 ms",
    key: "party",
    places: 1,
    maxWaiting: 100,
    // Long enough for one HTTP block with the longest time-out, and what comes around it.
    maxWaitMs: 150 * second,
  },
  connections: {
    what: "Connections to the database for callers with a token",
    key: "party",
    places: 4,
    maxWaiting: 1_000,
    maxWaitMs: 15 * second,
    isPassedOnAtOnce: true,
  },
  largeBodies: {
    what: "Bodies over 64 kB that are parsed and handled",
    // They are read before anything is known about who sends them.
    key: "address",
    places: 1,
    maxWaiting: 1_000,
    maxWaitMs: 60 * second,
  },
} as const satisfies Record<string, QueueShare>

export type QueueName = keyof typeof queues

export const caps = {
  requests: {
    what: "Requests to procedures",
    places: 5_000,
    each: { address: Number.POSITIVE_INFINITY },
  },
  streams: { what: "Streams and sockets", places: 20_000, each: { address: 500 } },
  botStreams: { what: "Streams of changes to bots", places: 5_000, each: { bot: 100, user: 30 } },
  chatStreams: {
    what: "Streams of chats to the team",
    places: 5_000,
    each: { workspace: 500, user: 100 },
  },
  collectedMessages: {
    what: "Messages that wait for others of their burst",
    places: 2_000,
    each: { bot: 1_000 },
  },
  exports: { what: "Exports", places: 8, each: { workspace: 2, user: 2 } },
  assistants: { what: "Messages of assistants", places: 50, each: { user: 10 } },
  // Those who run assistants send the calls of all their users from few addresses.
  toolMessages: {
    what: "Messages to bots that are tools",
    places: 1_000,
    each: { address: Number.POSITIVE_INFINITY },
  },
  deliveries: {
    what: "Deliveries of events",
    places: 512,
    each: { endpoint: 4, creator: Number.POSITIVE_INFINITY },
  },
  failingDeliveries: {
    what: "Those of them to endpoints whose last attempt failed",
    places: 128,
    each: { endpoint: 1, creator: Number.POSITIVE_INFINITY },
  },
  timers: {
    what: "Timers of silent chats that are fired",
    places: 200,
    each: { bot: 50, creator: Number.POSITIVE_INFINITY },
  },
  drains: {
    what: "Refused bodies that are read to their end, so that their senders see why",
    places: 32,
    each: { address: 4 },
  },
} as const satisfies Record<string, CapShare>

export type CapName = keyof typeof caps

const megabyte = 1024 * 1024

export const amounts = {
  hungryScripts: {
    what: "Memory of scripts that hold more than 32 MB while they wait for an answer",
    key: "party",
    most: 192 * megabyte,
  },
  largeDeliveries: {
    what: "Memory of events over 64 kB under way",
    key: "creator",
    most: 32 * megabyte,
  },
  bodies: { what: "Memory of request bodies", key: "address", most: 52 * megabyte },
  unread: { what: "Answers that wait to be read", key: "address", most: 128 * megabyte },
} as const satisfies Record<string, AmountShare>

export type AmountName = keyof typeof amounts

/** Previews, which the database holds for all processes. */
export const stored = {
  strangersPreviews: { what: "Previews of strangers", key: "address", each: 20, all: 250 },
  strangersFlows: { what: "Flows that strangers preview", key: "address", each: 20, all: 500 },
  strangersFlowBytes: {
    what: "Bytes of these",
    key: "address",
    each: 16 * megabyte,
    all: 128 * megabyte,
    isBytes: true,
  },
  usersPreviews: { what: "Previews of users", key: "user", each: 100, all: null },
  usersFlows: { what: "Flows that users preview", key: "user", each: 100, all: 10_000 },
  usersFlowBytes: {
    what: "Bytes of these",
    key: "user",
    each: 64 * megabyte,
    all: 512 * megabyte,
    isBytes: true,
  },
} as const satisfies Record<string, StoredShare>

/**
 * Bounds without a key, by file: what is remembered, so that filling it only costs others time, and what is
 * bounded within one thing that itself has a key. Says why no key is needed.
 */
export const unshared: Readonly<Record<string, string>> = {
  "bots/domains/proveDomain.ts": "Lookups of a job of the service itself, one run at a time",
  "http/sites.ts": "Hosts of requests, 10,000: one that was forgotten is looked up again",
  "bots/edits/draftMemory.ts":
    "Drafts being edited, 32 MB: an edit of one that was forgotten reads it from the database",
  "chat/conversations/fireTimers.ts": "Rows of one list of timers; the timers have places",
  "chat/conversations/sessionListeners.ts":
    "Chats in which a side has just typed; one that is forgotten only sends its sign again",
  "chat/conversations/watchedChats.ts":
    "Chats that the team watches, 50,000 for 15 seconds: of one that is forgotten, turns are noticed within three seconds",
  "chat/turnQueue.ts": "Turns of one chat; or of the uploads of one address",
  "chat/webhooks/callWebhook.ts": "Calls of one chat",
  "db/connection/openDatabase.ts":
    "Statements without a token that wait for a connection, for a time; no caller with a token has all connections, and slow statements end",
  "db/connection/pipelines.ts": "Statements of one connection; those that are slow leave it",
  "db/connection/connectionPool.ts":
    "Connections to the database; those who wait are bounded in `open.ts`",
  "db/results/countedDays.ts": "Rows that one statement counts",
  "effects/credentials/oauthTokens.ts": "Tokens of OAuth clients, 1,000: fetched again",
  "effects/google/googleAuth.ts":
    "Tokens of service accounts, 1,000: one that was forgotten is asked for again",
  "effects/mcp/mcpTools.ts":
    "Tools of MCP servers, 5 MB: one forgotten is listed again with its next call",
  "effects/models/tokenCounts.ts":
    "Tokens used by workspace, 5,000 for two seconds: read again at the next call of a model",
  "effects/mail/email.ts":
    "Turns that have sent mail, 10,000: for one that is forgotten the limit of five mails begins again, which takes 10,000 other turns that send",
  "effects/sandbox/addLocale.ts": "Formats of dates and numbers, 50 per thread: made again",
  "effects/sandbox/overruns.ts":
    "Whose scripts ran out of time, 10,000: of an owner that is forgotten, two more begin among the short ones",
  "effects/snapshots.ts":
    "Versions prepared for running, 64 MB, and previewed ones, 16 MB: a chat with one that was forgotten reads it from the database, and prepares it as at its first chat",
  "effects/variables/workspaceVariables.ts":
    "Variables of workspaces, 32 million characters of 10,000 workspaces: read again by the next turn that needs them",
  "engine/blocks/logic/setVariable/zonedTime.ts": "Time zones, 200: opened again, in 50 µs",
  "engine/regex/readRegex.ts":
    "Compiled patterns, 16 MB: compiled again, within the fuel of the turn",
  "engine/variables/interpolate.ts":
    "Parsed texts, a million characters: parsed again, within that fuel",
  "http/connections/connections.ts": "Requests of one connection",
  "http/openapi/documentPages.ts":
    "Parts of the OpenAPI document, 20: cut again, in some milliseconds",
  "jobs/deliveries/deliver.ts":
    "Events handed out at a time, a thousand or 2 MB of a creator before the others have had their turn; the deliveries have places",
  "results/purgeResults.ts": "Statements of one job",
  "results/deleteWithFiles.ts": "Files of one job",
  "people/authentication.ts":
    "Tokens and sessions, 10,000 of each: read again. Of revoked ones, as many as the limits admit within the minute for which they count",
  "routers/conversation/conversationOperations.ts": "Chats of one request",
  "routers/webhookEndpoint/deliveryOperations.ts": "Listeners of one workspace",
}
