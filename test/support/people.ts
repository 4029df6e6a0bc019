/** Users, workspaces and bots in the database of a test, and contexts in which they call procedures. */

import { createDraftMemory } from "../../src/bots/edits/draftMemory.ts"
import { openHeavyWork } from "../../src/bots/heavy/heavyWork.ts"
import type { Chat } from "../../src/chat/chat.ts"
import { saveTurn, type TurnRows } from "../../src/db/chats/sessions.ts"
import type { Db } from "../../src/db/connection/openDatabase.ts"
import type { CollaborationType, MemberRole } from "../../src/db/schema/tables.ts"
import { createCipher } from "../../src/effects/credentials/cipher.ts"
import { createDomainRecords } from "../../src/effects/network/domainRecords.ts"
import { createSnapshots } from "../../src/effects/snapshots.ts"
import { firstUuidAt, newId, newSessionId, newUuid } from "../../src/lib/ids.ts"
import type { Caller } from "../../src/people/caller.ts"
import { type Context, createContext, type Services } from "../../src/routers/context.ts"
import { silentLog } from "../../src/telemetry/log.ts"
import { openDraftTests } from "../../src/workshop/draftTests.ts"
import { noSubscriptions, noVariables } from "./chats.ts"
import { testFiles, testUploadBounds } from "./files.ts"

/** Stores a user and returns them as a caller. */
export async function insertPerson(db: Db, facts: Partial<Caller> = {}): Promise<Caller> {
  const id = newId()
  const email = facts.email ?? `${id}@example.com`
  await db.kysely.insertInto("users").values({ id, email }).execute()
  return { id, email, isPlatformAdmin: false, tokenId: newId(), ...facts }
}

/** Stores a workspace with its members and returns its id. */
export async function insertTeam(db: Db, members: [Caller, MemberRole][]): Promise<string> {
  const id = newId()
  await db.kysely
    .insertInto("workspaces")
    .values({ id, name: `Team ${id}` })
    .execute()
  for (const [{ id: userId }, role] of members) {
    await db.kysely
      .insertInto("workspaceMembers")
      .values({ workspaceId: id, userId, role })
      .execute()
  }
  return id
}

/** Stores an empty bot and returns its id. */
export async function insertDraft(
  db: Db,
  bot: { workspaceId: string; isShared?: boolean; collaborators?: [Caller, CollaborationType][] },
): Promise<string> {
  const id = newId()
  const { workspaceId, isShared = false } = bot
  const settings = JSON.stringify({ publicShare: { isEnabled: isShared } })
  await db.kysely
    .insertInto("bots")
    .values({ id, workspaceId, version: "6", name: "Bot", settings })
    .execute()
  for (const [{ id: userId }, type] of bot.collaborators ?? []) {
    await db.kysely.insertInto("botCollaborators").values({ botId: id, userId, type }).execute()
  }
  return id
}

/** Stores a chat with one answer, or with the rows given, as if it had started at a moment. */
export async function recordChat(
  db: Db,
  chat: { botId: string; rows?: Partial<TurnRows> | undefined; startedAt?: Date | undefined },
): Promise<{ resultId: string; sessionId: string }> {
  const { botId, rows, startedAt } = chat
  const resultId = startedAt ? uuidAt(startedAt) : newUuid()
  const sessionId = newSessionId(resultId)
  await saveTurn(db, {
    resultId,
    sessionId,
    revision: null,
    state: "{}",
    rows: {
      botId,
      versionId: newUuid(),
      result: { variables: [], hasStarted: true, isCompleted: false },
      answers: [{ idx: 0, blockId: "b1", content: resultId }],
      ...rows,
    },
  })
  return { resultId, sessionId }
}

/** A result id as if it had been made at a moment. */
function uuidAt(time: Date): string {
  return firstUuidAt(time.getTime()).slice(0, 19) + newUuid().slice(19)
}

/** The context of a request outside of chats. */
export function contextOf(
  db: Db,
  services: Partial<Services> = {},
  authorization?: string,
): Context {
  return createContext(
    {
      db,
      kyselyOf: () => db.kysely,
      log: silentLog(),
      chat: {
        snapshots: createSnapshots(db),
        subscriptions: noSubscriptions,
        variables: noVariables,
      } as Chat,
      heavy: openHeavyWork(),
      drafts: createDraftMemory(),
      draftTests: openDraftTests({ run: async () => [] }),
      sendWebhook: async () => ({ status: 200, durationMs: 1, answer: "", error: null }),
      listMcpTools: async () => [],
      askModel: async () => ({ text: "" }),
      refusalOf: async () => undefined,
      live: { bots: { notify: () => {} } } as unknown as Services["live"],
      cipher: createCipher(["a secret that only tests know of"]),
      cursorCipher: createCipher(["a secret that only tests know of"], "cursors"),
      uploads: { files: testFiles(), maxMegabytes: 10, bounds: testUploadBounds },
      settings: { publicUrl: "http://parley.test", allowedOrigins: [], defaultPlan: "FREE" },
      findCaller: async () => undefined,
      findSignedIn: async () => undefined,
      forgetToken: async () => {},
      limits: new Map(),
      domains: { records: createDomainRecords(), sites: { forget: () => {} } },
      ...services,
    },
    {
      requestId: newUuid(),
      ip: "127.0.0.1",
      setHeader: () => {},
      authorization,
    },
  )
}

/** The context of a request by somebody whose token was found valid. */
export function contextBy(db: Db, caller: Caller): Context {
  return contextOf(db, { findCaller: async () => caller }, "Bearer any")
}
