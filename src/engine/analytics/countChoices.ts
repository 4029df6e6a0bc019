/** Splits answers to questions with several choices into the choices. */

import { cut } from "../../lib/cut.ts"
import { type Block, typeOf } from "../blocks/registry.ts"

const separator = ", "

/** Counts choices, given the counts of answers; most frequent first. */
export function countChoices(
  block: Block,
  answers: Iterable<readonly [content: string, count: number]>,
): { value: string; count: number }[] {
  const type = typeOf(block)
  const labels = type.kind === "input" ? type.labels?.(block) : undefined
  const known = labels && treeOf(labels)
  const counts = new Map<string, number>()
  for (const [content, count] of answers) {
    for (const value of known ? chosenOf(content, known) : [content]) {
      counts.set(value, (counts.get(value) ?? 0) + count)
    }
  }
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((one, other) => other.count - one.count || (one.value < other.value ? -1 : 1))
    .slice(0, maxValues)
    .map(({ value, count }) => ({ value: cut(value), count }))
}

/** Max choices listed, the most frequent. */
const maxValues = 1_000

/** Labels, split at the separators that they contain. */
type Tree = { isLabel: boolean; next: Map<string, Tree> }

/** A label with more separators is counted as its parts. */
const maxParts = 100

function treeOf(labels: readonly string[]): Tree {
  const root: Tree = { isLabel: false, next: new Map() }
  for (const label of labels) {
    const parts = label.split(separator)
    if (label === "" || parts.length > maxParts) continue
    let tree = root
    for (const part of parts) {
      const next = tree.next.get(part) ?? { isLabel: false, next: new Map() }
      tree.next.set(part, next)
      tree = next
    }
    tree.isLabel = true
  }
  return root
}

/** Labels may contain the separator themselves: at each place the longest is taken. */
function chosenOf(content: string, labels: Tree): string[] {
  if (content === "") return []
  const parts = content.split(separator)
  const chosen: string[] = []
  for (let start = 0; start < parts.length; ) {
    let end = start + 1
    let tree = labels.next.get(parts[start] ?? "")
    for (let place = start + 1; tree; place++) {
      if (tree.isLabel) end = place
      tree = place < parts.length ? tree.next.get(parts[place] ?? "") : undefined
    }
    chosen.push(parts.slice(start, end).join(separator))
    start = end
  }
  return chosen
}
