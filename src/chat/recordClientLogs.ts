/** Stores log lines from a client in the log of its result. */
import { findLastSessionId } from "../db/chats/sessions.ts"
import { addLogs } from "../db/results/results.ts"
import { maxLogDetails } from "../engine/budget/fuel.ts"
import { AppError, sessionNotFound } from "../lib/errors.ts"
import { newUuid } from "../lib/ids.ts"
import type { Chat } from "./chat.ts"
import { type Origin, requireSession } from "./sessions/loadSession.ts"

/** A line as a client sends it. */
type ClientLog = {
  /** Absent: an error. */
  status?: string | null | undefined
  description: string
  /** A text is kept as it is, anything else as JSON text. */
  details?: unknown
  context?: string | null | undefined
}

/** Max lines in the log of a result to which a client adds. */
const maxLines = 1_000
const maxStatus = 20

/** Stores lines. 404 without a session or without a result, which previews never have. */
export async function recordClientLogs(
  chat: Chat,
  request: Origin & { sessionId: string; logs: readonly ClientLog[] },
): Promise<void> {
  const { sessionId } = request
  const { resultId } = (await requireSession(chat, sessionId, request)).owner
  const lastSessionId = resultId && (await findLastSessionId(chat.db, resultId))
  if (!resultId || !lastSessionId) throw sessionNotFound()
  const lines = request.logs.map((log) => ({ id: newUuid(), ...columnsOf(log) }))
  // One at a time, so that calls for one result wait here and not on connections to the database.
  const added = await chat.queue.run(`logs ${resultId}`, () =>
    addLogs(chat.db, { resultId, sessionId, lines, most: maxLines }),
  )
  if (added === "over") throw sessionNotFound()
  if (added === "full")
    throw new AppError("LOG_FULL", `The log of a result has at most ${maxLines} lines`, {
      data: { limit: maxLines },
    })
}

function columnsOf({ status, description, details, context }: ClientLog) {
  return {
    status: (status || "error").slice(0, maxStatus),
    description: shortened(description),
    details: details === undefined || details === null ? null : shortened(textOf(details)),
    context: context ? shortened(context) : null,
  }
}

function textOf(details: unknown): string {
  return typeof details === "string" ? details : JSON.stringify(details)
}

function shortened(text: string): string {
  return text.length > maxLogDetails ? `${text.slice(0, maxLogDetails)}...` : text
}
