/** Deletes expired data: sessions, previews, responses, events, logs, drafts, tokens. */

import { purgeReplacedDrafts } from "../db/bots/versions.ts"
import type { Db } from "../db/connection/openDatabase.ts"
import { purgeListeners } from "../db/events/endpoints.ts"
import {
  type ExpiringTable,
  purgeExpired,
  purgeOldLogs,
  purgeOldSessions,
  purgeOldTokens,
  purgePreviewFlows,
  purgePreviewSessions,
} from "../db/results/purge.ts"
import type { FileStore } from "../effects/files/fileStore.ts"
import { drain } from "../lib/batches.ts"
import { firstUuidAt } from "../lib/ids.ts"

type Deps = { db: Db; now(): number }

type Counts = Record<string, number>

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const endedMs = 30 * dayMs
/** How long keys of requests and what they led to are kept. */
export const keyMs = dayMs
/** How long events and their deliveries are kept. */
export const eventMs = 30 * dayMs

/** Deletes previews older than a day, their flows and their files. */
export async function purgePreviews(
  { db, files, now }: Deps & { files: Pick<FileStore, "purgePreviewFiles"> },
  signal: AbortSignal,
): Promise<Counts> {
  const before = new Date(now() - dayMs)
  const sessions = await drain(signal, () => purgePreviewSessions(db, before))
  // Their number is bounded when they are stored.
  const flows = await purgePreviewFlows(db, before)
  await files.purgePreviewFiles(before)
  return { sessions, flows }
}

/** Deletes responses to keyed requests, and other short-lived data. */
export async function purgeKeys({ db, now }: Deps, signal: AbortSignal): Promise<Counts> {
  const nowMs = now()
  const dayAgo = new Date(nowMs - keyMs)
  const purge = (table: ExpiringTable, before: Date | number = dayAgo) =>
    drain(signal, () => purgeExpired(db, table, before))
  return {
    responses: await purge("idempotency"),
    startKeys: await purge("start_keys"),
    webhookCalls: await purge("webhook_calls"),
    sessionEvents: await purge("session_events"),
    endedChats: await purge("ended_chats", new Date(nowMs - endedMs)),
    previewResponses: await purge("preview_responses"),
    previewStarts: await purge("preview_starts"),
    uploadTallies: await purge("upload_tallies", new Date(nowMs)),
    rateLimits: await purge("rate_limits", nowMs),
    userSessions: await purge("user_sessions", new Date(nowMs)),
    signInLinks: await purge("sign_in_links", new Date(nowMs)),
    signInCodes: await purge("sign_in_codes", new Date(nowMs - hourMs)),
  }
}

/** Deletes events and their deliveries, after 30 days at the latest, and listeners that have expired. */
export async function purgeEvents({ db, now }: Deps, signal: AbortSignal): Promise<Counts> {
  const before = new Date(now() - eventMs)
  const purge = (table: ExpiringTable) => drain(signal, () => purgeExpired(db, table, before))
  return {
    outbox: await purge("outbox"),
    deliveries: await purge("deliveries"),
    eventBodies: await purge("event_bodies"),
    listeners: await purgeListeners(db),
  }
}

/** Deletes live sessions that were not continued for 48 hours, or have expired. */
export const purgeSessions = aged("sessions", 2, (db, ms) => purgeOldSessions(db, ageOf(ms)))

/** Deletes lines of logs, after 90 days. */
export const purgeLogs = aged("logs", 90, (db, ms) => purgeOldLogs(db, ageOf(ms)))

/** Deletes entries of the audit log, after 400 days. */
export const purgeAuditLog = aged("entries", 400, (db, ms) =>
  purgeExpired(db, "audit_log", firstUuidAt(ms)),
)

/** Deletes notes of events of Stripe, which sends none again for longer than 30 days. */
export const purgeStripeEvents = aged("events", 60, (db, ms) =>
  purgeExpired(db, "stripe_events", new Date(ms)),
)

/** Deletes edits of drafts, after 30 days: they can be neither undone nor merged with any more. */
export const purgeEdits = aged("edits", 30, (db, ms) => purgeExpired(db, "bot_edits", new Date(ms)))

/** Deletes drafts that were replaced 400 days ago, and neither published nor kept on request since. */
export const purgeVersions = aged("versions", 400, (db, ms) =>
  purgeReplacedDrafts(db, new Date(ms)),
)

/** Deletes tokens that were revoked or expired 90 days ago. */
export async function purgeTokens({ db, now }: Deps): Promise<Counts> {
  return { tokens: await purgeOldTokens(db, new Date(now() - 90 * dayMs)) }
}

/** A job that deletes what is older than some days, batch by batch; `purge` gets the moment. */
function aged(counted: string, days: number, purge: (db: Db, beforeMs: number) => Promise<number>) {
  return async ({ db, now }: Deps, signal: AbortSignal): Promise<Counts> => {
    const beforeMs = now() - days * dayMs
    return { [counted]: await drain(signal, () => purge(db, beforeMs)) }
  }
}

function ageOf(timeMs: number): { before: Date; beforeId: string } {
  return { before: new Date(timeMs), beforeId: firstUuidAt(timeMs) }
}
