/** The places that edges leave: blocks, their items and the paths of items, and events. */
import type { Block, Bot, CatalogueEntry } from "../editing.ts"
import { listAt, textAt } from "./reading.ts"

export type Edge = Bot["edges"][number]
export type BotEvent = NonNullable<Bot["events"]>[number]

export type Exit = {
  /** Unique in the bot; the id of its handle. */
  key: string
  from: Edge["from"]
  /** The edge that is named there, which may be missing. */
  edgeId: string | undefined
}

/** A row of a block that is chosen or tried on its own; `paths` are rows below it. */
export type ItemExits = { index: number; exit: Exit | undefined; paths: (Exit | undefined)[] }

export type BlockExits = { own: Exit | undefined; items: ItemExits[] }

/** An id as part of selectors and attributes, with all its characters escaped. */
function safeId(id: string): string {
  return id.replace(/[^\w-]/g, (letter) => `.${letter.charCodeAt(0).toString(16)}.`)
}

export const nodeIdOf = {
  group: (id: string) => `group-${safeId(id)}`,
  event: (id: string) => `event-${safeId(id)}`,
}

/** The handle that edges to a block reach. */
export const entryKey = (blockId: string) => `to-${safeId(blockId)}`

/** The edges that leave there, as findings name them. */
export const edgesAt = (...exits: readonly (Exit | undefined)[]) =>
  exits.flatMap((exit) => (exit?.edgeId === undefined ? [] : [`edge:${exit.edgeId}`]))

function exitAt(from: Edge["from"], holder: unknown): Exit {
  const ids = [from.eventId, from.blockId, from.itemId, from.pathId]
  return {
    key: ids.map((id) => safeId(id ?? "")).join("/"),
    from,
    edgeId: textAt(holder, "outgoingEdgeId") || undefined,
  }
}

export function exitOfEvent(event: BotEvent): Exit {
  return exitAt({ eventId: event.id }, event)
}

export function exitsOfBlock(block: Block, entry: CatalogueEntry | undefined): BlockExits {
  const { id: blockId } = block
  // What the catalogue does not know may have any of them.
  const exits = entry?.exits
  const own = exitAt({ blockId }, block)
  const items = listAt(block, "items").map((item, index): ItemExits => {
    const itemId = textAt(item, "id")
    const exit = itemId === "" ? undefined : exitAt({ blockId, itemId }, item)
    const isExit = exits !== "paths" && (exits === "items" || exit?.edgeId !== undefined || !exits)
    const paths = listAt(item, "paths").map((path) => {
      const pathId = textAt(path, "id")
      return pathId && itemId ? exitAt({ blockId, itemId, pathId }, path) : undefined
    })
    return { index, exit: isExit ? exit : undefined, paths }
  })
  const hasOwn = exits !== "none" || own.edgeId !== undefined
  return { own: hasOwn ? own : undefined, items }
}

/** All exits of a block, in the order in which they are drawn. */
export function allExits({ own, items }: BlockExits): Exit[] {
  return [...items.flatMap(({ exit, paths }) => [exit, ...paths]), own].filter(
    (exit): exit is Exit => exit !== undefined,
  )
}
