/** Reads a flow as it is stored. */
import { type Flow, flowSchema } from "../bot.ts"
import { normalizeFlow } from "./normalize.ts"
import { validateFlow } from "./validateFlow.ts"

/** The stored flow of any version, not converted. Throws a ZodError when it cannot be understood. */
export function readFlow(stored: unknown): Flow {
  const read = validateFlow(flowSchema, normalizeFlow(stored))
  if (!read.success) throw read.error
  return read.data
}
