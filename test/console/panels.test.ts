/** The options of blocks beside the canvas: a form for every type of the catalogue. */
import { describe, expect, test } from "vitest"
import { typeOf } from "../../src/engine/blocks/registry.ts"
import { expectNoComplaints } from "../pages/browser.ts"
import { fullBlocks } from "../support/fullBlocks.ts"
import { openConsole, viewer } from "./openConsole.ts"
import { changeSomething, changesBetween, closePanel, openPanel } from "./panelHands.ts"

type Entry = { type: string; kind: string; label: string; defaults: object }
type Block = { id: string; type: string }

describe.skipIf(!viewer)("the panel of a block", async () => {
  const { open, server } = await openConsole()
  const { send, workspaceId } = server

  async function importBot(blocks: readonly object[], more: object = {}): Promise<string> {
    const graphCoordinates = { x: 0, y: 0 }
    const bot = {
      version: "6.1",
      name: "Blocks",
      events: [{ id: "start", type: "start", graphCoordinates, outgoingEdgeId: "e" }],
      edges: [{ id: "e", from: { eventId: "start" }, to: { groupId: "g" } }],
      groups: [{ id: "g", title: "All", graphCoordinates, blocks }],
      variables: [{ id: "v1", name: "Name" }],
      ...more,
    }
    const { body } = await send("POST", "/api/v1/bots/import", { body: { workspaceId, bot } })
    return (body as { bot: { id: string } }).bot.id
  }

  async function blocksOf(botId: string): Promise<Block[]> {
    const { body } = await send("GET", `/api/v1/bots/${botId}`)
    return (body as { bot: { groups: { blocks: Block[] }[] } }).bot.groups[0]?.blocks ?? []
  }

  const { body: catalogue } = await send("GET", "/api/v1/blocks")
  const { blocks: types } = catalogue as { blocks: Entry[] }
  const entries = types.filter(({ kind }) => kind !== "event")

  for (const [name, blockOf] of [
    ["a new block", ({ type, defaults }: Entry) => ({ ...defaults, id: type })],
    ["a block with all members", fullBlock],
  ] as const) {
    test(`opens for ${name} of each type, and saves the member that changes and no other`, async () => {
      const botId = await importBot(entries.map(blockOf))
      const before = await blocksOf(botId)
      const page = await open("/")
      const changed: string[] = []
      for (const { type, label } of entries) {
        await openPanel(page, botId, type)
        expect(await page.getByRole("heading", { name: label, exact: true }).count()).toBe(1)
        if (await changeSomething(page)) changed.push(type)
      }
      await closePanel(page, botId)
      const after = await blocksOf(botId)
      const members = before.map(
        (block, at) => [block.id, changesBetween(block, after[at])] as const,
      )
      const differing = members.filter(([, { length }]) => length > 0)
      expect(differing.map(([type]) => type)).toEqual(changed)
      expect(differing.filter(([, { length }]) => length !== 1)).toEqual([])
      // Those with nothing to set, and those that only name what a new bot does not have.
      expect(entries.length - changed.length).toBeLessThan(6)
      expectNoComplaints(page)
    })
  }
})

function fullBlock({ type }: Entry): object {
  const [block] = fullBlocks(type, typeOf({ id: "", type }).schema)
  return { ...block, id: type }
}
