/** Every bot of the fixtures through every panel: opening one changes nothing, and a change alters one member. */
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, test } from "vitest"
import { expectNoComplaints } from "../pages/browser.ts"
import { openConsole, viewer } from "./openConsole.ts"
import { changeSomething, changesBetween, closePanel, openPanel } from "./panelHands.ts"

type Element = { id: string; type: string }
type Bot = { id: string; events: Element[]; groups: { blocks: Element[] }[] }

/** `PANELS_OF`: a folder of other bots. */
const folder = process.env.PANELS_OF ?? fileURLToPath(new URL("../fixtures/bots", import.meta.url))
// Those in folders are what the import makes of these.
const files = readdirSync(folder).filter((name) => name.endsWith(".json"))

/** In how many bots the options of a type are changed. */
const maxPerType = process.env.PANELS_OF ? Number.POSITIVE_INFINITY : 2

describe.skipIf(!viewer)("the panels of a bot", async () => {
  const { open, server } = await openConsole()
  const { send, workspaceId } = server

  async function importBot(file: string): Promise<Bot> {
    const bot = JSON.parse(readFileSync(`${folder}/${file}`, "utf8"))
    const { body } = await send("POST", "/api/v1/bots/import", { body: { workspaceId, bot } })
    return await read((body as { bot: Bot }).bot.id)
  }

  async function read(botId: string): Promise<Bot> {
    return (await send("GET", `/api/v1/bots/${botId}`)).body.bot as Bot
  }

  test("change nothing when they open, and afterwards only what people change", async () => {
    const page = await open("/")
    const changes = new Map<string, number>()
    for (const file of files) {
      const before = await importBot(file)
      const elements = elementsOf(before)
      for (const { id } of elements.values()) await openPanel(page, before.id, id)
      await closePanel(page, before.id)
      // The revision, too.
      expect(await read(before.id), `${file}, after every panel was open`).toEqual(before)

      const changed: string[] = []
      for (const [path, { id, type }] of elements) {
        const count = changes.get(type) ?? 0
        if (count >= maxPerType) continue
        changes.set(type, count + 1)
        await openPanel(page, before.id, id)
        if (await changeSomething(page)) changed.push(path)
      }
      await closePanel(page, before.id)
      const differing = changesBetween(before, await read(before.id))
      const places = differing
        .filter((path) => path !== "/revision" && path !== "/updatedAt")
        .map((path) => changed.find((each) => path.startsWith(`${each}/`)) ?? path)
      expect(places.sort(), `${file}: ${differing}`).toEqual(changed.sort())
    }
    expect(changes.size).toBeGreaterThan(5)
    expectNoComplaints(page)
  })
})

/** Events and blocks, by their paths in the bot. */
function elementsOf({ events, groups }: Bot): Map<string, Element> {
  return new Map([
    ...events.map((event, at) => [`/events/${at}`, event] as const),
    ...groups.flatMap(({ blocks }, at) =>
      blocks.map((block, place) => [`/groups/${at}/blocks/${place}`, block] as const),
    ),
  ])
}
