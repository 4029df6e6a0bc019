/** Credentials in flows: every member that the catalogue marks as one is known, hidden from guests, and removed. */
import { expect, test } from "vitest"
import { fullBlocks } from "../../test/support/fullBlocks.ts"
import { editorSchemaOf, visitMembers } from "../authoring/catalogue/editorSchema.ts"
import { type Block, blockTypes } from "../engine/blocks/registry.ts"
import type { Flow, Group } from "../engine/bot.ts"
import type { EditorHints } from "../engine/schema/sharedMembers.ts"
import { credentialsIn, forGuests, withKnownCredentials } from "./sanitise.ts"

type Type = keyof typeof blockTypes

/** Names of the members that hold ids of credentials. */
function markedIn(type: Type): Set<string> {
  const names = new Set<string>()
  visitMembers(editorSchemaOf(blockTypes[type].schema), (member, name) => {
    if ((member["x-parley"] as EditorHints | undefined)?.credentials) names.add(name)
  })
  return names
}

/** The same with an id of its own in each such member, wherever it is. */
function withIds(part: unknown, names: ReadonlySet<string>, ids: string[]): unknown {
  if (Array.isArray(part)) return part.map((each) => withIds(each, names, ids))
  if (typeof part !== "object" || part === null) return part
  return Object.fromEntries(
    Object.entries(part).map(([name, member]) => {
      if (!names.has(name)) return [name, withIds(member, names, ids)]
      const id = `planted-${ids.length}`
      ids.push(id)
      return [name, id]
    }),
  )
}

const marked = (Object.keys(blockTypes) as Type[]).filter((type) => markedIn(type).size > 0)

test("blocks with credentials are many", () => expect(marked.length).toBeGreaterThan(20))

test.each(
  marked,
)("each credential of %s is found, hidden from guests, and removed where it is unknown", (type) => {
  const [full] = fullBlocks(type, blockTypes[type].schema)
  const ids: string[] = []
  const block = withIds(full, markedIn(type), ids) as Block
  const group: Group = { id: "g", title: "G", graphCoordinates: { x: 0, y: 0 }, blocks: [block] }
  expect(ids).not.toEqual([])
  expect(credentialsIn([group])).toEqual(ids)
  const flow = { version: "6.1", groups: [group], events: [], edges: [], variables: [] }
  expect(JSON.stringify(forGuests(flow as unknown as Flow).groups)).not.toContain("planted-")
  expect(JSON.stringify(withKnownCredentials([group], new Set(), "FREE"))).not.toContain("planted-")
  const [kept] = ids
  const some = JSON.stringify(withKnownCredentials([group], new Set([kept ?? ""]), "FREE"))
  expect(ids.filter((id) => some.includes(`"${id}"`))).toEqual([kept])
})
