/** Sums the records of the flows that chats ran, one flow after the other. */
import { countFlow, type Recorded } from "../engine/analytics/flowCounts.ts"
import type { Block } from "../engine/blocks/registry.ts"
import { type Bot, blockAt } from "../engine/bot.ts"

/** Counts of a question; `botId` only for linked bots. */
export type BlockCounts = {
  blockId: string
  groupId: string
  botId?: string
  shown: number
  answered: number
  skipped: number
  open: number
}

/** The count of an edge; `botId` only for linked bots. */
type EdgeCount = { edgeId: string; botId?: string; count: number }

type RunFlow = { id: string; bot: Bot; recorded: Recorded }

/** Max questions, and max edges, listed: thousands of versions may have nothing in common. */
const maxListed = 50_000

export type FlowSums = ReturnType<typeof createFlowSums>

/** What flows are added up with. */
type SumsOptions = {
  botId: string
  /** Chats that wait, by version and block. */
  open: ReadonlyMap<string, number>
  /** The blocks whose choices are counted. */
  asked: ReadonlySet<string>
}

export function createFlowSums({ botId, open, asked }: SumsOptions) {
  const blocks = new Map<string, BlockCounts>()
  const edges = new Map<string, EdgeCount>()
  const noted = new Map<string, Block>()
  const ofBot = (id: string) => id !== botId && { botId: id }
  return {
    noted,
    /** Notes the blocks of a flow whose choices are counted, unless an earlier one has them. */
    note({ positions }: Bot) {
      for (const blockId of asked) {
        const block = noted.has(blockId) ? undefined : blockAt(positions.get(blockId))
        if (block) noted.set(blockId, block)
      }
    },
    /** Adds a flow. The first says in which group a block is; what is new in the last ones has no room. */
    add({ id, bot, recorded }: RunFlow) {
      const counts = countFlow(bot, recorded)
      for (const input of counts.inputs) {
        // Copies of a bot share the ids of their blocks.
        const key = JSON.stringify([bot.id, input.blockId])
        const known = blocks.get(key)
        if (!known && blocks.size >= maxListed) continue
        const waiting = open.get(`${id} ${input.blockId}`) ?? 0
        blocks.set(key, {
          blockId: input.blockId,
          groupId: known?.groupId ?? input.groupId,
          ...ofBot(bot.id),
          shown: (known?.shown ?? 0) + Math.max(input.shown, input.answered + waiting),
          answered: (known?.answered ?? 0) + input.answered,
          skipped: (known?.skipped ?? 0) + input.skipped,
          open: (known?.open ?? 0) + waiting,
        })
      }
      for (const [edgeId, count] of counts.edges) {
        const key = JSON.stringify([bot.id, edgeId])
        const known = edges.get(key)
        if (known) known.count += count
        else if (edges.size < maxListed) edges.set(key, { edgeId, ...ofBot(bot.id), count })
      }
    },
    blocks: () => [...blocks.values()],
    edges: () => [...edges.values()],
  }
}
