/** Says where a person finds a thing of a flow. */
import { cut } from "../../engine/cut.ts"
import type { Part } from "./parts.ts"
import { itemText, type Names } from "./values.ts"

/** `Group "Contact" › block 2 (email input) › item 1 "Yes"`, and `Variable "Name"` in that manner. */
export function placeOf(part: Part, names: Names): string {
  // A thing may have many changes, and a name as long as it pleases.
  part.place ??= writtenPlace(part, names)
  return part.place
}

function writtenPlace(part: Part, names: Names): string {
  const { what, value, parent, index, block } = part
  const within = parent ? `${placeOf(parent, names)} › ` : ""
  if (what === "group") return `Group "${short(value.title)}"`
  if (what === "block" || what === "event") {
    return `${within}${what === "block" ? "block" : "Event"} ${index + 1} (${short(value.type)})`
  }
  if (what === "item")
    return `${within}item ${index + 1}${quoted(block && itemText(block, [index], names))}`
  if (what === "variable") return `Variable "${short(value.name)}"`
  if (what === "edge") return `Edge "${short(value.id)}"`
  return `${what.charAt(0).toUpperCase()}${what.slice(1)}`
}

function short(text: unknown): string {
  return typeof text === "string" ? cut(text) : ""
}

function quoted(text: string | undefined): string {
  return text ? ` "${short(text)}"` : ""
}
