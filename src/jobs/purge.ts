/** Jobs that delete what has expired. */
import { purgeListeners } from "../db/events/endpoints.ts"
import { purgeAuditLog } from "../db/people/auditLog.ts"
import {
  batchSize,
  deletePreviewFlows,
  listPreviewedHashes,
  listPreviewFlows,
  purgeEndedChats,
  purgeLogs,
  purgePreviewSessions,
  purgeRateLimits,
  purgeSessions,
  purgeShortLived,
  purgeTokens,
  purgeUploadTallies,
  type ShortLivedTable,
} from "../db/results/purge.ts"
import { firstUuidAt } from "../ids.ts"
import { dayMs, drain, type Job, type JobDeps } from "./job.ts"

const sessionMs = 2 * dayMs
const endedDays = 30
const logDays = 90
const eventDays = 30
const tokenDays = 90
const auditDays = 400
const hourSeconds = 3_600

/** Live sessions that were not continued for 48 hours, or have expired. */
export const purgeSessionsJob: Job = {
  name: "purge_sessions",
  everySeconds: hourSeconds,
  async run({ db, now }, signal) {
    const age = ageOf(now() - sessionMs)
    return { sessions: await drain(signal, () => purgeSessions(db, age)) }
  },
}

/** Previews older than a day, their flows and their files. */
export const purgePreviewsJob: Job = {
  name: "purge_previews",
  everySeconds: hourSeconds,
  async run(deps, signal) {
    const { db, now, files } = deps
    const before = new Date(now() - dayMs)
    const sessions = await drain(signal, () => purgePreviewSessions(db, before))
    const flows = await purgeFlows(deps, before)
    await files.removePreviews(before)
    return { sessions, flows }
  },
}

/** Responses to keyed requests, and whatever else is kept for a day. */
export const purgeKeysJob: Job = {
  name: "purge_keys",
  everySeconds: hourSeconds,
  async run({ db, now }, signal) {
    const before = new Date(now() - dayMs)
    const endedBefore = new Date(now() - endedDays * dayMs)
    const purge = (table: ShortLivedTable) =>
      drain(signal, () => purgeShortLived(db, table, before))
    return {
      responses: await purge("idempotency"),
      startKeys: await purge("start_keys"),
      webhookCalls: await purge("webhook_calls"),
      sessionEvents: await purge("session_events"),
      endedChats: await drain(signal, () => purgeEndedChats(db, endedBefore)),
      previewResponses: await purge("preview_responses"),
      previewStarts: await purge("preview_starts"),
      uploadTallies: await drain(signal, () => purgeUploadTallies(db, new Date(now()))),
      rateLimits: await drain(signal, () => purgeRateLimits(db, new Date(now()))),
    }
  },
}

/** Events and their deliveries, after 30 days, and those who have stopped fetching them. */
export const purgeEventsJob: Job = {
  name: "purge_events",
  everySeconds: hourSeconds,
  async run({ db, now }, signal) {
    const before = new Date(now() - eventDays * dayMs)
    return {
      outbox: await drain(signal, () => purgeShortLived(db, "outbox", before)),
      deliveries: await drain(signal, () => purgeShortLived(db, "deliveries", before)),
      eventBodies: await drain(signal, () => purgeShortLived(db, "event_bodies", before)),
      listeners: await purgeListeners(db),
    }
  },
}

/** Logs, after 90 days. */
export const purgeLogsJob: Job = {
  name: "purge_logs",
  everySeconds: 6 * hourSeconds,
  async run({ db, now }, signal) {
    const age = ageOf(now() - logDays * dayMs)
    return { logs: await drain(signal, () => purgeLogs(db, age)) }
  },
}

/** What was changed in workspaces, after 400 days. */
export const purgeAuditLogJob: Job = {
  name: "purge_audit_log",
  everySeconds: 24 * hourSeconds,
  async run({ db, now }, signal) {
    const beforeId = firstUuidAt(now() - auditDays * dayMs)
    const purge = () => purgeAuditLog(db, { beforeId, limit: batchSize })
    return { entries: await drain(signal, purge) }
  },
}

/** Tokens that were revoked or expired 90 days ago. */
export const purgeTokensJob: Job = {
  name: "purge_tokens",
  everySeconds: 24 * hourSeconds,
  async run({ db, now }) {
    return { tokens: await purgeTokens(db, new Date(now() - tokenDays * dayMs)) }
  },
}

function ageOf(timeMs: number): { before: Date; beforeId: string } {
  return { before: new Date(timeMs), beforeId: firstUuidAt(timeMs) }
}

/** Flows that no preview runs any more; their number is bounded when they are stored. */
async function purgeFlows({ db, now }: JobDeps, before: Date): Promise<number> {
  const startedAt = new Date(now())
  const flows = await listPreviewFlows(db, before)
  if (flows.length === 0) return 0
  // Flows of younger previews have been used since.
  const running = new Set(await listPreviewedHashes(db, before))
  const hashes = flows.filter((hash) => !running.has(hash.toString("hex")))
  return hashes.length === 0 ? 0 : await deletePreviewFlows(db, hashes, startedAt)
}
