/** Possible moves at a place of a conversation. */
import { typeOf } from "../../engine/blocks/registry.ts"
import { awaitsCall, awaitsClient } from "../play/play.ts"
import { bodiesOf } from "./chances.ts"
import type { FlowFacts } from "./flowFacts.ts"
import { repliesTo } from "./replies.ts"
import type { Move, Place } from "./walks.ts"
import { witnessesOf } from "./witnesses.ts"

/** A possible move; `isMeant`: a reply that the question should accept. */
export type Possible = Pick<Move, "step" | "variables"> & { isMeant?: boolean }

/** Max starts with values from outside. */
const maxStarts = 5

/** Possible starts: without values, or with values that the flow compares and never sets. */
export function possibleStarts(facts: FlowFacts): Possible[] {
  const outside = [...witnessesOf(facts)].filter(([id]) => !facts.writers.has(id))
  const most = Math.min(maxStarts, Math.max(0, ...outside.map(([, values]) => values.length)))
  const starts = Array.from({ length: most }, (_, index): Possible => {
    const values = outside.map(([id, each]) => [facts.names.get(id), each[index % each.length]])
    return { variables: Object.fromEntries(values) }
  })
  return [{}, ...starts]
}

/** All possible moves, the most usual first. */
export function possibleAt(place: Place, facts: FlowFacts): Possible[] {
  const { session, turn } = place
  if (awaitsCall(turn)) return [...bodiesOf(facts), {}].map((webhook) => ({ step: { webhook } }))
  if (awaitsClient(turn)) {
    const block = facts.blocks.get(session.at ?? "")?.entry.block
    const receives = block && typeOf(block).receive !== undefined
    return [{}, ...(receives ? [{ step: { client: "done" } }] : [])]
  }
  if (!turn.input) return []
  const replies = repliesTo(turn.input, facts).map(({ user, isMeant }) => ({
    step: { user },
    isMeant,
  }))
  return [...replies, ...events(place, facts)]
}

/** Commands and silence, unless one of them has brought the chat here. */
function events({ session }: Place, { flow }: FlowFacts): Possible[] {
  const isInterrupted = session.mark !== undefined || session.queue.some(({ queued }) => queued[0])
  if (isInterrupted || session.queue.length > 1) return []
  return (flow.events ?? []).flatMap((event): Possible[] => {
    if (event.outgoingEdgeId === undefined) return []
    if (event.type === "command" && event.options?.command) {
      return [{ step: { user: { command: event.options.command } }, isMeant: false }]
    }
    const seconds = event.type === "idle" ? event.options?.afterSeconds : undefined
    return seconds === undefined ? [] : [{ step: { silence: seconds }, isMeant: false }]
  })
}
