/** Small bots for the tests of the workshop. */
import { flowOfImport, importedBotSchema } from "../../src/authoring/upgrade/importedBot.ts"
import type { Flow } from "../../src/engine/bot.ts"

type BlockParts = { type: string; id?: string; outgoingEdgeId?: string } & Record<string, unknown>

/** A text bubble. */
export function text(said: string, more: object = {}): BlockParts {
  const richText = [{ type: "p", children: [{ text: said }] }]
  return { type: "text", content: { richText }, ...more }
}

/** A flow of one group, or of several with edges; variables have their names as ids. */
export function flowOf(parts: {
  variables?: string[]
  blocks?: BlockParts[]
  groups?: { id: string; blocks: BlockParts[] }[]
  edges?: object[]
}): Flow {
  const { variables = [], blocks = [], groups = [{ id: "main", blocks }], edges = [] } = parts
  const first = { id: "first", from: { eventId: "start" }, to: { groupId: groups[0]?.id } }
  const at = { x: 0, y: 0 }
  const bot = {
    version: "6.1",
    name: "Tried",
    events: [{ id: "start", type: "start", outgoingEdgeId: "first", graphCoordinates: at }],
    groups: groups.map(({ id, blocks }) => ({
      id,
      title: id,
      graphCoordinates: at,
      blocks: blocks.map((block, index) => ({ id: `${id}${index}`, ...block })),
    })),
    edges: [first, ...edges],
    variables: variables.map((name) => ({ id: name, name })),
  }
  return flowOfImport(importedBotSchema.parse(bot), () => "unused")
}
