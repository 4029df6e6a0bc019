/** Makes drawn bots hang together: ids of their own, edges that lead somewhere. */
import type { Source } from "./draw.ts"

type Json = Record<string, unknown>

/** The same body, whose bot can be walked, mostly; anything else is returned as it is. */
export function arrange(body: unknown, source: Source): unknown {
  if (!isObject(body) || !isObject(body.bot)) return body
  // Some are left as they were drawn.
  if (source.random() < 0.2) return body
  const bot = body.bot
  const groups = Array.isArray(bot.groups) ? bot.groups.filter(isObject) : []
  let blocks = 0
  const arranged = groups.map((group, at) => ({
    ...group,
    id: `g${at}`,
    blocks: (Array.isArray(group.blocks) ? group.blocks : [])
      .filter(isObject)
      .map((block) => arrangeBlock(block, `b${blocks++}`)),
  }))
  const variables = Array.isArray(bot.variables) ? bot.variables.filter(isObject) : []
  const edges = arranged.map((_, at) => ({
    id: `e${at}`,
    from: at === 0 ? { eventId: "start" } : { blockId: `b${source.below(blocks + 1)}` },
    to: { groupId: `g${source.below(arranged.length)}` },
  }))
  const start = { id: "start", type: "start", graphCoordinates: { x: 0, y: 0 } }
  return {
    ...body,
    bot: {
      ...bot,
      version: "6.1",
      events: [arranged.length > 0 ? { ...start, outgoingEdgeId: "e0" } : start],
      groups: arranged,
      edges,
      variables: variables.map((each, at) => ({ ...each, id: `v${at}`, name: `V${at}` })),
      // So that it can be talked to once it is published.
      ...("publicId" in bot ? { publicId: `fuzz-${source.below(100)}` } : {}),
    },
  }
}

function arrangeBlock(block: Json, id: string): Json {
  const { outgoingEdgeId: _, items, ...rest } = block
  if (!Array.isArray(items)) return { ...rest, id }
  return {
    ...rest,
    id,
    items: items.map((item, at) => {
      if (!isObject(item)) return item
      const { outgoingEdgeId: _, ...kept } = item
      return { ...kept, id: `${id}i${at}` }
    }),
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
