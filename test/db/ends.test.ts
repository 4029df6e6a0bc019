/** What ends by time, and what begins by it: each column of the catalog a moment before and after. */
import { expect, test } from "vitest"
import { listToSettle } from "../../src/db/bots/authorFiles.ts"
import { claimSession } from "../../src/db/chats/claims.ts"
import { claimPreviewStart } from "../../src/db/chats/previewResponses.ts"
import { insertPreviewSession } from "../../src/db/chats/previews.ts"
import { findSession, saveTurn } from "../../src/db/chats/sessions.ts"
import { findDueTimer, listDueTimers } from "../../src/db/chats/timers.ts"
import { isCounted } from "../../src/db/chats/uploads.ts"
import { listDue } from "../../src/db/events/deliveries.ts"
import { countListeners, insertListener, renewListener } from "../../src/db/events/endpoints.ts"
import { claimJob } from "../../src/db/jobs/jobs.ts"
import {
  attemptSignInCode,
  findSignInLink,
  takeSignInLink,
} from "../../src/db/people/signInCodes.ts"
import { findTokenOwner } from "../../src/db/people/tokens.ts"
import { findSessionOwner, listUserSessions } from "../../src/db/people/userSessions.ts"
import { newUuid } from "../../src/lib/ids.ts"
import { newUser } from "../support/callers.ts"
import { testDatabase } from "../support/database.ts"
import { openingTurn } from "../support/turns.ts"

const db = await testDatabase()
const { pool } = db
const { id: userId, email, call } = await newUser(db)
const { workspace } = await call.workspace.create({ name: "W" })
const hash = Buffer.alloc(32, 7)
const none = { busy: [], underWay: [] }
const everything = { limit: 10, without: { botIds: [], creatorIds: [] } }

const insert = (table: string, row: Record<string, unknown>) => {
  const names = Object.keys(row)
  const places = names.map((_, index) => `$${index + 1}`)
  const text = `insert into ${table} (${names.join(", ")}) values (${places.join(", ")})`
  return pool.query(text, Object.values(row))
}

/** Adds the row of a column, and returns each of its entrances: whether it is open now. */
type Entrance = () => Promise<(() => Promise<boolean>)[]>

/** A claim is over once another process gets it; a claim that lasts keeps it out. */
const entrances: Record<string, Entrance> = {
  "api_tokens.expires_at": async () => {
    const row = { id: "t", owner_id: userId, name: "T", token_hash: hash, hint: "abcd" }
    await insert("api_tokens", row)
    return [async () => (await findTokenOwner(db, hash)) !== undefined]
  },
  "author_files.open_until": async () => {
    const row = { id: "f", workspace_id: workspace.id, key: "k", name: "n", bytes: 1 }
    await insert("author_files", row)
    return [async () => (await listToSettle(db, new Date())).length === 0]
  },
  "chat_sessions.claimed_until": async () => {
    const turn = openingTurn()
    await saveTurn(db, turn)
    let revision = 0
    return [
      async () => (await findSession(db, turn)).session?.isClaimed === true,
      async () => {
        await pool.query("update chat_sessions set claimed_by = 'first'")
        const claim = { ...turn, revision, by: "second", seconds: 60 }
        const got = await claimSession(db, claim)
        revision = got ?? revision
        return got === undefined
      },
    ]
  },
  "chat_sessions.expires_at": async () => {
    const turn = openingTurn()
    await saveTurn(db, turn)
    await insert("timers", {
      result_id: turn.resultId,
      session_id: turn.sessionId,
      due_at: "-infinity",
    })
    return [
      async () => (await findSession(db, turn)).session?.isExpired === false,
      async () => (await findSession(db, { ...turn, key: "k" })).session?.isExpired === false,
      async () => (await findDueTimer(db, turn))?.isExpired === false,
    ]
  },
  "deliveries.next_at": async () => {
    const endpoint = { id: "e", workspace_id: workspace.id, url: "https://a.example", types: ["x"] }
    await insert("webhook_endpoints", {
      ...endpoint,
      data: hash,
      nonce: Buffer.alloc(12),
      key_id: 1,
    })
    const [id, event, result] = [newUuid(), newUuid(), newUuid()]
    const row = { endpoint_id: "e", id, event_id: event, result_id: result, type: "x", body: "{}" }
    await insert("deliveries", row)
    return [async () => (await listDue(db, { ...none, limit: 5, perEndpoint: 5 })).length === 0]
  },
  "jobs.claimed_until": async () => {
    await insert("jobs", { name: "j", run_at: "-infinity", claimed_by: "first" })
    return [
      async () => (await claimJob(db, { names: ["j"], by: "second", seconds: 60 })) === undefined,
    ]
  },
  "jobs.run_at": async () => {
    await insert("jobs", { name: "j" })
    return [async () => (await claimJob(db, { names: ["j"], by: "me", seconds: 60 })) === undefined]
  },
  "preview_sessions.claimed_until": async () => {
    const owner = { name: "user:ann", isAnonymous: false }
    const ids = { id: "p", botId: null, workspaceId: null, ownerUserId: null }
    await insertPreviewSession(db, { ...ids, flowHash: hash, state: "{}", owner })
    await pool.query("update preview_sessions set claimed_by = 'first'")
    const claim = { sessionId: "p", revision: 0, by: "second", seconds: 60 }
    return [async () => (await claimSession(db, claim)) === undefined]
  },
  "preview_starts.claimed_until": async () => {
    const keyId = newUuid()
    await insert("preview_starts", {
      key_id: keyId,
      claimed_until: "infinity",
      claimed_by: "first",
    })
    return [async () => !(await claimPreviewStart(db, { keyId, by: "second", seconds: 60 }))]
  },
  "sign_in_codes.expires_at": async () => {
    const row = { email, code_hash: hash, expires_at: "infinity", since: new Date() }
    await insert("sign_in_codes", row)
    return [async () => (await attemptSignInCode(db, { email, most: 5 })) !== undefined]
  },
  "sign_in_links.expires_at": async () => {
    await insert("sign_in_links", { code_hash: hash, user_id: userId, expires_at: "infinity" })
    return [
      async () => (await findSignInLink(db, hash)) !== undefined,
      async () => (await takeSignInLink(db, hash)) !== undefined,
    ]
  },
  "timers.due_at": async () => {
    const turn = openingTurn()
    await saveTurn(db, turn)
    const { resultId, sessionId } = turn
    await insert("timers", { result_id: resultId, session_id: sessionId, due_at: "infinity" })
    return [
      async () => (await listDueTimers(db, everything)).length === 0,
      async () => (await findDueTimer(db, turn)) === undefined,
    ]
  },
  "upload_tallies.expires_at": async () => {
    await insert("upload_tallies", { scope: "s", files: 1, bytes: 1, expires_at: "infinity" })
    return [() => isCounted(db, "s")]
  },
  "user_sessions.expires_at": async () => {
    const row = {
      id: "s",
      user_id: userId,
      secret_hash: hash,
      method: "mail",
      expires_at: "infinity",
    }
    await insert("user_sessions", row)
    return [
      async () => (await findSessionOwner(db, hash)) !== undefined,
      async () => (await listUserSessions(db, userId)).length > 0,
    ]
  },
  "webhook_endpoints.expires_at": async () => {
    const listener = { id: "l", workspaceId: workspace.id, types: ["x"], botIds: null }
    await insertListener(db, listener, 60)
    return [
      async () => (await countListeners(db, workspace.id)) > 0,
      () => renewListener(db, listener, 60),
    ]
  },
}

/** Times that say what was, and end nothing as they pass. */
const past = new Set([
  ...[
    "applied_at",
    "at",
    "attempted_at",
    "counted_at",
    "created_at",
    "disabled_at",
    "email_verified_at",
  ],
  ...["ended_at", "signed_at", "since", "revoked_at", "deleted_at", "archived_at", "updated_at"],
  ...[
    "failing_since",
    "hour",
    "last_activity_at",
    "last_failure_at",
    "last_finished_at",
    "last_started_at",
  ],
  ...["began_at", "checked_at", "event_at", "lost_at", "proven_at"],
  ...["last_success_at", "last_used_at", "quarantined_at", "terms_accepted_at"],
  ...["inactive_first_email_sent_at", "inactive_second_email_sent_at"],
  ...["quota_first_email_sent_at", "quota_second_email_sent_at"],
])

test("every time of the catalog is past or has its entrances here", async () => {
  const { rows } = await pool.query<{ place: string; name: string }>(
    `select table_name || '.' || column_name as place, column_name as name
    from information_schema.columns
    where table_schema = 'public' and data_type like 'timestamp%' order by 1`,
  )
  const ends = rows.filter(({ name }) => !past.has(name)).map(({ place }) => place)
  expect(Object.keys(entrances)).toEqual(ends)
})

for (const [place, open] of Object.entries(entrances)) {
  const [table = "", column = ""] = place.split(".")
  test(`${place} is open before its moment and shut after it`, async () => {
    const tables = "deliveries, jobs, timers, upload_tallies, sign_in_codes, sign_in_links"
    await pool.query(`truncate ${tables}, chat_sessions, preview_sessions, preview_starts cascade`)
    await pool.query("delete from webhook_endpoints")
    const checks = await open()
    for (const check of checks) {
      const passes = async (moment: string) => {
        await pool.query(`update ${table} set ${column} = now() ${moment}`)
        return await check()
      }
      // What is taken by being tried is tried late first, if that takes nothing.
      const isTaken = place.startsWith("sign_in")
      if (isTaken) expect(await passes("- interval '1 second'")).toBe(false)
      expect(await passes("+ interval '1 minute'")).toBe(true)
      if (!isTaken) expect(await passes("- interval '1 second'")).toBe(false)
    }
  })
}
