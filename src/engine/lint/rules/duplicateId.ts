/** Ids are unique among their kind. */
import type { Found, Rule } from "../finding.ts"
import type { Path } from "../location.ts"

/** A second part with the same id, which nothing can lead to. */
export const duplicateId: Rule = {
  id: "duplicate-id",
  severity: "warning",
  description: "No two groups, blocks, edges, events or variables have the same id.",
  remedy: "Give one of them a new id, and change what refers to it.",
  check({ flow, sites, edgePath }) {
    const blocks = sites.map(({ block }) => block)
    return [
      ...repeated(flow.groups, (index) => ["groups", index]),
      ...repeated(blocks, (index) => sites[index]?.path ?? []),
      ...repeated(flow.edges, edgePath),
      ...repeated(flow.events ?? [], (index) => ["events", index]),
      ...repeated(flow.variables, (index) => ["variables", index]),
    ]
  },
}

function repeated(parts: readonly { id: string }[], pathOf: (index: number) => Path): Found[] {
  const ids = new Set<string>()
  const found: Found[] = []
  for (const [index, { id }] of parts.entries()) {
    if (ids.has(id)) {
      found.push({ path: [...pathOf(index), "id"], message: `The id "${id}" is taken already` })
    }
    ids.add(id)
  }
  return found
}
