/** Which JavaScript type a stored value has for an author's code. */
import type { ScriptValue } from "../calls.ts"
import type { VariableValue } from "../schema/variable.ts"

const words = new Map<string, ScriptValue>([
  ["true", true],
  ["false", false],
  ["null", null],
  ["undefined", undefined],
])

/**
 * Numbers and booleans where the text is one, but text for zip codes (`01234`) and phone numbers
 * (`+33...`). A list stays a list of texts; an unset variable is undefined.
 */
export function guessType(stored: VariableValue | undefined): ScriptValue {
  if (stored === undefined || stored === null) return undefined
  if (typeof stored !== "string") return stored
  if (words.has(stored)) return words.get(stored)
  if (stored.startsWith("+")) return stored
  if (stored.startsWith("0") && stored.length > 1 && !stored.startsWith("0.")) return stored
  const number = Number(stored)
  // Infinity has no JSON form, so a client would receive null for it.
  return stored !== "" && Number.isFinite(number) ? number : stored
}
