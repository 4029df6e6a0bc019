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

/** Replaces the marks of a turn, encoded as they are; marks without a value stay. */
export function replaceMarks(
  text: string,
  turn: string,
  secretOf: (name: string) => string | undefined,
): string {
  if (!text.includes(turn)) return text
  const marks = new RegExp(`(\\\\?"|%22)${turn}\\.(\\w{1,64})\\1`, "g")
  return text.replaceAll(marks, (mark, quote: string, name: string) => {
    const value = secretOf(name)
    if (value === undefined) return mark
    if (quote === "%22") return encodeURIComponent(value)
    return quote === '"' ? value : JSON.stringify(value).slice(1, -1)
  })
}

/** The names of the marks of a turn in a text, each once. */
export function markedNames(text: string, turn: string): string[] {
  if (!text.includes(turn)) return []
  const marks = text.matchAll(new RegExp(`${turn}\\.(\\w{1,64})`, "g"))
  return [...new Set(Array.from(marks, ([, name = ""]) => name))]
}
