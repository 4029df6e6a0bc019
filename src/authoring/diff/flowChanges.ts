/** Describes the changes of one part of a flow, as entries of a diff. */
import { cut } from "../../lib/cut.ts"
import { pointerOf } from "../lint/location.ts"
import type { Difference } from "./differences.ts"
import type { FlowChange } from "./diffSchemas.ts"
import { labelOf } from "./labels.ts"
import { type Part, pathOf } from "./parts.ts"
import { type Sides, sideOf } from "./side.ts"
import { placeOf, textOf, textsOf } from "./values.ts"

/** Max characters of a text before or after a change; `value` is not cut. */
const maxTextLength = 10_000

function shown(text: string | undefined): string | undefined {
  return text && cut(text, maxTextLength)
}

/** Members of every entry: `part` is of the newer flow, or of the older one if removed. */
export function changeOf(
  part: Part,
  kind: FlowChange["kind"],
  sides: Sides,
): Pick<FlowChange, "kind" | "what" | "id" | "place" | "pointerBefore" | "pointerAfter"> {
  const [older, newer] = part.isOld ? [part, part.twin] : [part.twin, part]
  return {
    kind,
    what: part.what,
    ...(part.id === undefined ? {} : { id: part.id }),
    place: placeOf(part, sideOf(part, sides).names),
    ...(older ? { pointerBefore: pointerOf(pathOf(older)) } : {}),
    ...(newer ? { pointerAfter: pointerOf(pathOf(newer)) } : {}),
  }
}

/** A part in only one of the flows. */
export function presenceChange(part: Part, sides: Sides): FlowChange {
  // The place already names the type.
  const value = { ...part.value, type: undefined }
  const text = shown(textOf(value, "", sideOf(part, sides).names) || undefined)
  if (part.isOld) return { ...changeOf(part, "removed", sides), before: text }
  return { ...changeOf(part, "added", sides), after: text, value: ownValue(part) }
}

/** A member that differs; `part` is of the newer flow. */
export function memberChange(part: Part, difference: Difference, sides: Sides): FlowChange {
  const { path, before, after } = difference
  const name = String(path.findLast((key) => typeof key === "string") ?? "")
  const texts = textsOf([before, sides.old.names], [after, sides.now.names], name)
  return {
    ...changeOf(part, "changed", sides),
    label: labelOf(part, path),
    path: pointerOf(path),
    before: shown(texts.before),
    after: shown(texts.after),
    value: after,
  }
}

export function moveChange(part: Part, sides: Sides): FlowChange {
  const change = changeOf(part, "moved", sides)
  const before = part.twin ? positionText(part.twin, sides) : undefined
  return { ...change, before, after: positionText(part, sides) }
}

function positionText(part: Part, sides: Sides): string {
  return part.parent ? placeOf(part, sideOf(part, sides).names) : `position ${part.index + 1}`
}

/** The stored part, without parts that have entries of their own. */
function ownValue({ what, value }: Part): unknown {
  return what === "group" ? { ...value, blocks: [] } : value
}
