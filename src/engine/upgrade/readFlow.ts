/** Reads a flow as it is stored. */
import { type Flow, flowSchema } from "../bot.ts"
import { normalizeFlow } from "./normalize.ts"

/** The stored flow of any version, not converted. Throws a ZodError when it cannot be understood. */
export function readFlow(stored: unknown): Flow {
  return flowSchema.parse(normalizeFlow(stored))
}
