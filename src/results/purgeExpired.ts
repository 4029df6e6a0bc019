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
const sessionMs = 2 * dayMs
const endedMs = 30 * dayMs
const eventMs = 30 * dayMs
const editMs = 30 * dayMs
const logMs = 90 * dayMs
const tokenMs = 90 * dayMs
const auditMs = 400 * dayMs
const replacedMs = 400 * dayMs

/** Deletes live sessions that were not continued for 48 hours, or have expired. */
export async function purgeSessions({ db, now }: Deps, signal: AbortSignal): Promise<Counts> {
  const age = ageOf(now() - sessionMs)
  return { sessions: await drain(signal, () => purgeOldSessions(db, age)) }
}

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
  const dayAgo = new Date(nowMs - dayMs)
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

/** Deletes lines of logs, after 90 days. */
export async function purgeLogs({ db, now }: Deps, signal: AbortSignal): Promise<Counts> {
  const age = ageOf(now() - logMs)
  return { logs: await drain(signal, () => purgeOldLogs(db, age)) }
}

/** Deletes entries of the audit log, after 400 days. */
export async function purgeAuditLog({ db, now }: Deps, signal: AbortSignal): Promise<Counts> {
  const beforeId = firstUuidAt(now() - auditMs)
  return { entries: await drain(signal, () => purgeExpired(db, "audit_log", beforeId)) }
}

/** Deletes edits of drafts, after 30 days: they can be neither undone nor merged with any more. */
export async function purgeEdits({ db, now }: Deps, signal: AbortSignal): Promise<Counts> {
  const before = new Date(now() - editMs)
  return { edits: await drain(signal, () => purgeExpired(db, "bot_edits", before)) }
}

/** Deletes drafts that were replaced 400 days ago, and neither published nor kept on request since. */
export async function purgeVersions({ db, now }: Deps, signal: AbortSignal): Promise<Counts> {
  const before = new Date(now() - replacedMs)
  return { versions: await drain(signal, () => purgeReplacedDrafts(db, before)) }
}

/** Deletes tokens that were revoked or expired 90 days ago. */
export async function purgeTokens({ db, now }: Deps): Promise<Counts> {
  return { tokens: await purgeOldTokens(db, new Date(now() - tokenMs)) }
}

function ageOf(timeMs: number): { before: Date; beforeId: string } {
  return { before: new Date(timeMs), beforeId: firstUuidAt(timeMs) }
}
