/** Copies that list their members, because spreading would cost too much, forget none of them. */
import { expect, test } from "vitest"
import type { Chat, Measure } from "../../src/chat/chat.ts"
import { liveLimits } from "../../src/engine/budget/fuel.ts"
import {
  type Complete,
  type Continuation,
  closeRun,
  type EngineDeps,
  reopenRun,
  type Turn,
} from "../../src/engine/turn/run.ts"
import { createMeasure, measured } from "../../src/routers/chat/observeTurn.ts"
import { createContext, type RequestFacts, type Services } from "../../src/routers/context.ts"
import { silentLog } from "../../src/telemetry/log.ts"
import { noSubscriptions, openTestChat } from "../support/chats.ts"

// `Required` makes these literals name every member: a new one has to be added here, and is then
// looked for in the copies.

const log = silentLog()

test("a copy that forgets an optional member does not compile", () => {
  type Thing = { a: string; b?: number }
  // @ts-expect-error `b` is missing.
  const forgetful: Complete<Thing> = { a: "" }
  const complete: Complete<Thing> = { a: "", b: undefined }
  expect(Object.keys(complete)).not.toEqual(Object.keys(forgetful))
})

test("a turn that is reopened and closed is the same turn", () => {
  const continuation: Required<Continuation> = {
    spent: 1,
    printed: 2,
    lastBubbleId: "bubble",
    opening: { type: "text", text: "Hi" },
    openingRule: "always",
    isTentative: true,
    isNextBubbleSkipped: true,
    phase: "reply",
    blockId: "block",
    message: { type: "text", text: "Yes" },
    said: "Yes",
    isReturned: true,
    inline: { "1 + 1": { value: 2 } },
    carry: { page: 3 },
    past: [{ from: "bot", text: "Hi" }],
  }
  const turn: Required<Turn> = {
    session: {
      format: 1,
      isPreview: false,
      isStreamEnabled: false,
      queue: [],
      step: 4,
    },
    messages: [{ id: "bubble", type: "image", content: { url: "https://e.com" } }],
    input: { id: "block", type: "text input" },
    actions: [{ type: "redirect", redirect: { url: "https://e.com", isNewTab: false } }],
    hasWalked: true,
    logs: [{ description: "Something happened" }],
    newFormat: "yes",
    results: [
      {
        resultId: "r",
        version: "v",
        answers: [],
        edges: [],
        marks: [],
        changes: [],
        shown: { parts: ["block"], version: "v", left: 9 },
        step: 6,
        logs: [],
      },
    ],
    appearance: { theme: {}, settings: {} },
    dynamicTheme: { hostAvatarUrl: "https://e.com" },
    progress: 50,
    isWaiting: true,
    isUnheard: true,
    visits: [["text", "bubble", 7]],
    trail: [{ blockId: "bubble", version: "v", at: 7, visit: 0 }],
    unnoted: [["block", "variable"]],
    call: { kind: "qrCode", text: "Hi" },
    continuation,
  }
  const deps = { limits: liveLimits } as EngineDeps
  expect(closeRun(reopenRun(deps, turn))).toEqual(turn)
})

test("services whose work is measured are all there", () => {
  const measure = createMeasure()
  const chat: Required<Chat> = {
    ...openTestChat({
      db: {} as Chat["db"],
      log,
      snapshots: {} as Chat["snapshots"],
      effects: {} as Chat["effects"],
    }),
    countUnanswered: async () => {},
    measure: {} as Measure,
  }
  const { db, snapshots, effects, variables, ...others } = chat
  expect(measured(chat, measure)).toMatchObject({ ...others, measure })
  expect(Object.keys(measured(chat, measure)).toSorted()).toEqual(Object.keys(chat).toSorted())
})

test("a context has what the process and the request have", () => {
  const services: Required<Services> = {
    db: {} as Services["db"],
    kyselyOf: {} as Services["kyselyOf"],
    log,
    chat: { subscriptions: noSubscriptions } as Chat,
    sendWebhook: async () => ({ status: 200, durationMs: 1, answer: "", error: null }),
    listMcpTools: async () => [],
    askModel: async () => ({ text: "" }),
    refusalOf: async () => undefined,
    heavy: {} as Services["heavy"],
    drafts: {} as Services["drafts"],
    draftTests: {} as Services["draftTests"],
    cipher: {} as Services["cipher"],
    cursorCipher: {} as Services["cursorCipher"],
    uploads: {} as Services["uploads"],
    settings: { publicUrl: "https://e.com", allowedOrigins: [], defaultPlan: "FREE" },
    live: {} as Services["live"],
    findCaller: async () => undefined,
    findSignedIn: async () => undefined,
    forgetToken: async () => {},
    metrics: { countTurn: () => {}, countBlock: () => {} },
    limits: new Map(),
    domains: {} as Services["domains"],
  }
  const facts: Required<RequestFacts> = {
    requestId: "request",
    ip: "192.0.2.1",
    origin: "https://e.com",
    iframeReferrerOrigin: "https://e.net",
    onlyBots: new Set(),
    authorization: "Bearer token",
    host: "e.org",
    cookie: "a=b",
    pageFacts: () => ({}),
    idempotencyKey: "key",
    setHeader: () => {},
    hasLeft: () => false,
    reserveInput: () => {},
  }
  expect(createContext(services, facts)).toMatchObject({ ...services, ...facts })
})
