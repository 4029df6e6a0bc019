/** Marks that stand for secrets of the workspace in calls, until the service sends these. */

/**
 * The mark of a secret. `turn` consists of 32 random hex digits, so that no visitor can write a mark. Its
 * quotation marks show how texts around it were encoded: in JSON they are `\"`, in addresses `%22`.
 */
export function markOf(turn: string, name: string): string {
  return `"${turn}.${name}"`
}

/** Whether a text looks as if it holds a mark. */
export function mayHoldMark(text: string): boolean {
  return /"[0-9a-f]{32}\.\w{1,64}"/.test(text)
}
