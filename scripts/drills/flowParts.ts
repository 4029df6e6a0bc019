/** Parts of the flows that scripts publish. */

/** Where a group or an event is drawn. */
export const place = { x: 0, y: 0 }

/** A text bubble. */
export function say(id: string, text: string) {
  return { id, type: "text", content: { richText: [{ type: "p", children: [{ text }] }] } }
}
