/** Puts and removes events, along with the edges from them. */
import { removeWithEdges } from "./edgeEdits.ts"
import { edgesOfEvent } from "./edgesOf.ts"
import { EditProblem, type Refuse } from "./editProblem.ts"
import type { Edit, EditOf } from "./editSchema.ts"
import type { WorkingDraft } from "./workingDraft.ts"
import { putInto } from "./workingList.ts"

/** Adds or replaces an event. Like all of these, returns the edits that undo it. */
export function putEvent(work: WorkingDraft, edit: EditOf<"event.put">, refuse: Refuse): Edit[] {
  const { event, index } = edit
  const { events } = work
  if (!events) throw refuse(`event:${event.id}`, "A bot has no events before version 6")
  const former = events.find(event.id)
  const isAlone = former === undefined && edgesOfEvent(work, event.id).length > 0
  const moved = putInto(events, { element: event, former, index })
  if (former) return [{ type: "event.put", event: former, ...moved }]
  return [{ type: "event.remove", eventId: event.id, ...(isAlone ? { isAlone } : {}) }]
}

/** Removes an event, and unless it is alone the edges from it. */
export function removeEvent(
  work: WorkingDraft,
  edit: EditOf<"event.remove">,
  refuse: Refuse,
): Edit[] {
  const { eventId, isAlone } = edit
  const event = work.events?.find(eventId)
  if (!event) throw refuse(`event:${eventId}`, `Event "${eventId}" does not exist`)
  const edges = isAlone ? [] : edgesOfEvent(work, eventId)
  let index = 0
  const edgesBack = removeWithEdges(work, edges, () => {
    index = work.events?.remove(event) ?? 0
  })
  return [{ type: "event.put", event, index }, ...edgesBack]
}

/** Refuses edited events unless exactly one start comes first. */
export function checkStart({ events }: WorkingDraft, edits: readonly Edit[]): void {
  const index = edits.findLastIndex(({ type }) => type === "event.put" || type === "event.remove")
  const last = edits[index]
  if (!events || !last) return
  const isStart = events.elements().map(({ type }) => type === "start")
  const isOne = isStart.filter(Boolean).length === 1
  if (isOne && isStart[0]) return
  const id = last.type === "event.put" ? last.event.id : "eventId" in last ? last.eventId : ""
  const words = isOne ? "The start event must be the first" : "A bot has exactly one start event"
  throw new EditProblem(index, `event:${id}`, words)
}
