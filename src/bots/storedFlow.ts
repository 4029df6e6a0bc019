/** Reads flows as they are stored: of every version, trusted, and converted to the latest. */
import { toLatest } from "../authoring/upgrade/latest.ts"
import { normalizeFlow } from "../authoring/upgrade/normalize.ts"
import { readFlow, validateFlow } from "../authoring/upgrade/validateFlow.ts"
import type { DraftRow } from "../db/bots/bots.ts"
import { type Flow, flowSchema, hasEvents } from "../engine/bot.ts"
import { AppError } from "../lib/errors.ts"
import { newId } from "../lib/ids.ts"

/** A flow as any table stores it. */
type StoredFlow = { [member in keyof Flow]: unknown }

/**
 * Trusts a stored flow, which was validated when it was written: validating 4 MB again would cost more than
 * the rest of a request. Versions below 5 predate the schema, so missing members are filled in and unknown
 * ones dropped.
 */
export function trustFlow(stored: StoredFlow): Flow {
  const flow = normalizeFlow(stored) as Flow
  if (Number(stored.version) >= 5) return flow
  const read = validateFlow(flowSchema, flow)
  return read.success ? read.data : flow
}

/** The flow of a draft as it is stored, beside which a row has its sharing and times. */
export function draftOf(row: DraftRow): StoredFlow {
  const { version, events, groups, edges, variables, theme, settings } = row
  return { version, events, groups, edges, variables, theme, settings }
}

export function flowOfDraft(row: DraftRow): Flow {
  return trustFlow(draftOf(row))
}

/** Converts a flow to the latest version. Returns undefined when it has no start. */
export function convert<T extends Flow>(stored: T): T | undefined {
  if (hasEvents(stored.version)) return stored
  const flow = toLatest(readFlow(stored), newId)
  return flow && { ...stored, ...flow }
}

/** As `convert`; refuses when that is impossible. */
export function mustConvert<T extends Flow>(stored: T): T {
  const converted = convert(stored)
  if (converted !== undefined) return converted
  throw new AppError("BOT_INVALID", "The bot has no start and cannot be converted")
}
