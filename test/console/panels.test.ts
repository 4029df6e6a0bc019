/** The options of blocks beside the canvas: a form for every type of the catalogue. */
import type { Page } from "playwright-core"
import { describe, expect, test } from "vitest"
import { typeOf } from "../../src/engine/blocks/registry.ts"
import { expectNoComplaints } from "../pages/browser.ts"
import { fullBlocks } from "../support/fullBlocks.ts"
import { openConsole, viewer } from "./openConsole.ts"

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
    test(`opens for ${name} of each type, and saves the member that changes and no other`, {
      retry: 2,
    }, async () => {
      const botId = await importBot(entries.map(blockOf))
      const before = await blocksOf(botId)
      const page = await open(`/bots/${botId}?block=${encodeURIComponent(entries[0]?.type ?? "")}`)
      const changed: string[] = []
      for (const { type, label } of entries) {
        await show(page, `?block=${encodeURIComponent(type)}`)
        await page.getByRole("heading", { name: label, exact: true }).waitFor()
        if (await changeSomething(page)) changed.push(type)
      }
      await show(page, "")
      const differing = async () => changesBetween(before, await blocksOf(botId))
      await expect.poll(async () => Object.keys(await differing())).toEqual(changed)
      for (const [type, members] of Object.entries(await differing()))
        expect(members, `changed members of ${type}`).toHaveLength(1)
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

/** Changes the address as a link of the console does. */
async function show(page: Page, search: string): Promise<void> {
  await page.evaluate(`history.pushState({}, "", location.pathname + ${JSON.stringify(search)})`)
}

/** Changes the first field that takes text, or else a switch; false: there is none. */
async function changeSomething(page: Page): Promise<boolean> {
  // What stands below the form does not belong to the block.
  const panel = page.getByRole("complementary").locator("fieldset").first()
  const fields = panel.locator(
    "input:not([readonly], [aria-haspopup], [type=checkbox], [type=radio], [type=hidden]), textarea, [role=textbox]",
  )
  const [field] = await fields.all()
  if (field) {
    if (await field.evaluate((node) => node.isContentEditable)) {
      await field.press("ControlOrMeta+End")
      await field.pressSequentially("7")
    } else await field.fill("7")
    return true
  }
  const [toggle] = await panel.getByRole("switch").all()
  await toggle?.click({ force: true })
  return toggle !== undefined
}

/** The paths of the members in which blocks differ, by the ids of the blocks. */
function changesBetween(before: readonly Block[], after: readonly Block[]) {
  const changes = before.map((block, index): [string, string[]] => {
    const [was, is] = [leavesOf(block), leavesOf(after[index])]
    const paths = new Set([...was.keys(), ...is.keys()])
    return [block.id, [...paths].filter((path) => was.get(path) !== is.get(path))]
  })
  return Object.fromEntries(changes.filter(([, paths]) => paths.length > 0))
}

function leavesOf(value: unknown, path = ""): Map<string, string> {
  if (typeof value !== "object" || value === null || Object.keys(value).length === 0)
    return new Map([[path, JSON.stringify(value)]])
  const entries = Object.entries(value)
  return new Map(entries.flatMap(([name, part]) => [...leavesOf(part, `${path}/${name}`)]))
}
