/**
 * No answer grows with the length of names: every operation that reads, and those that answer people
 * who chat, are called on a workspace whose names and answers are as long as anything let them be.
 */
import { expect, test } from "vitest"
import { maxBytes } from "../../src/lib/responseSize.ts"
import { type Operation, operations } from "./operations.ts"
import { server, target } from "./stuffed.ts"

/** Beside its entries, an answer has a frame. */
const most = maxBytes + 1_000_000
/** Those that only mention names. */
const mentions = 2_000_000

/** What an operation needs beside the ids of its path: most need nothing. */
const queries: Record<string, Record<string, string>> = {
  listBots: { workspaceId: target.workspaceId ?? "" },
  listCredentials: { workspaceId: target.workspaceId ?? "" },
  getUsage: { workspaceId: target.workspaceId ?? "" },
  checkPublicId: { publicId: "free-as-a-bird" },
  listResults: { limit: "500", timeFilter: "allTime" },
  listConversations: { limit: "200" },
  listVersions: { limit: "200" },
  listPublications: { limit: "200" },
  listWebhookDeliveries: { limit: "200" },
  listAuditLog: { limit: "200" },
  getAnalytics: { timeFilter: "allTime" },
}

/** Those that tell a flow, or the values of a chat, as a whole. */
const tellsAll = new Set([
  "getBot",
  "getVersion",
  "getPublishedBot",
  "getResult",
  "listResults",
  "getResultTranscript",
  "getResultTrace",
  "getConversation",
  "getSession",
  "diffVersions",
])

const bodies: Record<string, () => object> = {
  startChat: () => ({}),
  continueChat: () => ({ message: "x" }),
  sendConversationMessage: () => ({ message: "x" }),
  updateConversation: () => ({ state: "paused" }),
  updateSession: () => ({ state: "active" }),
  publishBot: () => ({}),
  lintBot: () => ({ botId: target.botId }),
  testBot: () => ({ file: "bot: b\nconversation: [{ bot: x }]" }),
  fetchWebhookEvents: () => ({}),
}

/** Streams, files as they were sent, and what servers of others answer: their tests are about their own bounds. */
const others = new Set([
  ...["listenForEvents", "listenForChanges", "listenForMessages", "listenForSessionMessages"],
  ...["exportResults", "getPrivateFile", "listCredentialTools"],
])

const called = operations.filter(
  ({ id, method }) => (method === "GET" || id in bodies) && !others.has(id),
)

test.each(called)("$id answers within its bound", async (operation) => {
  await expectBounded(operation, queries[operation.id] ?? {})
})

test("a transcript as a page is within its bound", async () => {
  const operation = operations.find(({ id }) => id === "getResultTranscript")
  if (!operation) throw new Error("There is no such operation")
  await expectBounded(operation, { format: "markdown" })
})

test("what only mentions names is answered whole: no page of it ends early", async () => {
  for (const [path, member] of [
    [`bots/${target.botId}/versions`, "versions"],
    [`bots/${target.botId}/publications`, "publications"],
    [`bots/${target.botId}/conversations`, "conversations"],
  ] as const) {
    const { body } = await server.send("GET", `/api/v1/${path}?limit=10`)
    expect(body[member]).toHaveLength(10)
  }
})

async function expectBounded(operation: Operation, query: Record<string, string>): Promise<void> {
  const { id, method } = operation
  const params = new URLSearchParams(query).toString()
  const sent = bodies[id]
  const { status, body } = await server.send(method, `${pathOf(operation)}?${params}`, {
    ...(sent && { body: sent() }),
  })
  const text = JSON.stringify(body)
  expect(status, `${id}: ${text.slice(0, 500)}`).toBeLessThan(500)
  // Refusals say little: an operation that cannot be called here would pass unseen.
  expect(status, `${id} has to be told what it needs: ${text.slice(0, 500)}`).toBe(200)
  expect(Buffer.byteLength(text), id).toBeLessThan(tellsAll.has(id) ? most : mentions)
}

function pathOf({ id, path }: Operation): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = target[name]
    if (value === undefined)
      throw new Error(`${id} needs ${name}: test/security/stuffed.ts has none`)
    return encodeURIComponent(value)
  })
}
