/** What was said in a chat so far, for a flow that asks for it. */
import { passedIn, spoken } from "../shown.ts"
import type { Run } from "./run.ts"

/** The chat so far as text; empty when nothing was said. */
export function transcriptOf(run: Run): string {
  const { session, continuation, results } = run
  const root = session.queue.at(-1)
  const record = results.find(({ resultId }) => resultId === root?.resultId)
  const present = record ? spoken(passedIn({ ...record, shown: record.shown?.parts })) : []
  return [...(session.lines ?? continuation.past ?? []), ...present]
    .map(({ from, text }) => `${from === "bot" ? "Assistant" : "User"}: "${text}"`)
    .join("\n\n")
}
