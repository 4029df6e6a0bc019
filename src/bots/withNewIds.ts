/** Gives the parts of a flow new ids, for a copy that shares none with its original. */
import { typeOf } from "../engine/blocks/registry.ts"

/** Members that name a part of the flow, or several. */
const idMember = /(?:^i|I)ds?$/

/** Refer to the workspace; ids of any form stay. */
const credentialMembers = new Set(["credentialsId", "proxyCredentialsId"])

/** The parts of a flow that have ids. */
type Parts = {
  events: unknown
  groups: readonly { blocks: readonly { id: string; type: string }[] }[]
  edges: unknown
  variables: unknown
}

/** New ids by old ones. */
export type NewIds = ReadonlyMap<string, string>

/** A new id for every part of a flow, including those inside blocks. */
export function newIdsOf({ events, groups, edges, variables }: Parts, newId: () => string): NewIds {
  const ids = new Map<string, string>()
  const give = (id: string) => {
    if (!ids.has(id)) ids.set(id, newId())
  }
  collect([events, edges, variables], give)
  for (const { blocks, ...group } of groups) {
    collect(group, give)
    // The meaning of ids inside blocks of unknown types is unknown.
    for (const block of blocks) {
      if (typeOf(block).isUnknown) give(block.id)
      else collect(block, give)
    }
  }
  return ids
}

/** The flow, or a part of it, with new ids wherever a member names one of the old ones. */
export function withNewIds<Part>(part: Part, ids: NewIds): Part {
  return renamed(part, ids) as Part
}

function collect(part: unknown, give: (id: string) => void): void {
  if (typeof part !== "object" || part === null) return
  if ("id" in part && typeof part.id === "string") give(part.id)
  for (const value of Object.values(part)) collect(value, give)
}

function renamed(part: unknown, ids: NewIds): unknown {
  if (Array.isArray(part)) return part.map((each) => renamed(each, ids))
  if (typeof part !== "object" || part === null) return part
  return Object.fromEntries(
    Object.entries(part).map(([name, value]) => {
      const isName = idMember.test(name) && !credentialMembers.has(name)
      return [name, isName ? named(value, ids) : renamed(value, ids)]
    }),
  )
}

function named(value: unknown, ids: NewIds): unknown {
  if (typeof value === "string") return ids.get(value) ?? value
  return Array.isArray(value) ? value.map((each) => named(each, ids)) : renamed(value, ids)
}
