/** Says where a person finds a part of a flow. */
import { cut } from "../../engine/cut.ts"
import type { Part } from "./parts.ts"
import { itemText, type Names } from "./values.ts"

/** For example `Group "Contact" › block 2 (email input) › item 1 "Yes"` or `Variable "Name"`. */
export function placeOf(part: Part, names: Names): string {
  // Written once: a part may have many changes, and a long name.
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
