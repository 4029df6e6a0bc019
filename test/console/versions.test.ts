/** Two versions of a bot in one drawing. */
import { describe, expect, test } from "vitest"
import { expectNoComplaints } from "../pages/browser.ts"
import { ask, bot, group, say } from "../support/bots.ts"
import { publishBot } from "../support/publish.ts"
import { expectAccessible } from "./expectAccessible.ts"
import { openConsole, viewer } from "./openConsole.ts"

const kinds = /^(?:Added|Removed|Changed|Leads)/

describe.skipIf(!viewer)("versions on the canvas", async () => {
  const { open, server } = await openConsole()
  const older = bot(
    { variables: { Name: null } },
    group(
      "Start",
      say("Hello", { id: "hello" }),
      say("An old hint", { id: "hint" }),
      ask.choice(
        [
          { id: "yes", content: "Yes", to: "Old <b>end</b>" },
          { id: "no", content: "No", to: "End" },
        ],
        { id: "pick" },
      ),
    ),
    group("Old <b>end</b>", say("Gone soon", { id: "gone" })),
    group("End", say("Bye", { id: "bye" })),
  )
  const redrawn = bot(
    { variables: { Name: null, Age: null } },
    group(
      "Start",
      say("Good day", { id: "hello" }),
      ask.choice([{ id: "no", content: "No", to: "New" }], { id: "pick" }),
    ),
    group("End", say("Bye", { id: "bye" })),
    group("New", say("Fresh", { id: "fresh", to: "End" })),
  )
  // Builders draw an edge anew when it is connected elsewhere.
  const newer: typeof redrawn = JSON.parse(
    JSON.stringify(redrawn).replaceAll(/"e(\d+)"/g, '"new$1"'),
  )
  const places: Record<string, { x: number; y: number }> = {
    Start: { x: 260, y: 0 },
    "Old <b>end</b>": { x: 620, y: 0 },
    New: { x: 620, y: 160 },
    End: { x: 620, y: 320 },
  }
  for (const each of [...older.groups, ...newer.groups])
    each.graphCoordinates = places[each.title] ?? { x: 0, y: 0 }

  test("show what was added, changed and removed, each with a sign, and in words when pressed", async () => {
    const { botId } = await publishBot(server, older)
    const { events, groups, edges, variables } = newer
    const { body } = await server.send("PATCH", `/api/v1/bots/${botId}`, {
      body: { bot: { events, groups, edges, variables }, overwrite: true },
    })
    expect(body).toHaveProperty("bot")
    const page = await open(`/bots/${botId}/versions`, { viewport: { width: 1400, height: 1000 } })
    await page.getByText("Canvas", { exact: true }).click()
    await page.locator("[data-group]").first().waitFor()
    expect(page.url()).toContain("view=canvas")
    const signsOf = async (title: string) => {
      const around = page.locator("[data-group]", { hasText: title })
      const marks = await around.getByRole("img", { name: kinds }).all()
      return await Promise.all(
        marks.map(
          async (each) => `${await each.getAttribute("aria-label")} ${await each.innerText()}`,
        ),
      )
    }
    expect(await signsOf("Good day")).toEqual(["Changed ~", "Removed −", "Changed ~", "Removed −"])
    expect(await signsOf("Old <b>end</b>")).toEqual(["Removed −"])
    expect(await signsOf("Fresh")).toEqual(["Added +"])
    expect(await signsOf("Bye")).toEqual([])
    const lines = page.locator(".react-flow__edge-path")
    expect(await lines.count()).toBe(4)
    for (const [look, count] of Object.entries({ added: 1, changed: 2, removed: 1 }))
      expect(await page.locator(`.react-flow__edge-path[data-look="${look}"]`).count()).toBe(count)
    await page.getByRole("button", { name: "Text: Good day" }).click()
    await page.locator("del", { hasText: "Hello" }).waitFor()
    await page.locator("ins", { hasText: "Good day" }).waitFor()
    await page.getByRole("region", { name: "Beside the flow" }).getByText("Age").waitFor()
    await expectAccessible(page)
    expectNoComplaints(page)
  })
})
