/** Bots in the editor, and what their service has of them. */
import type { Locator, Page } from "playwright-core"
import { expect } from "vitest"
import { ask, bot, group, say } from "../support/bots.ts"
import { type Console, openConsole } from "./openConsole.ts"

export type Stored = {
  revision: number
  groups: {
    id: string
    title: string
    graphCoordinates: { x: number; y: number }
    blocks: {
      id: string
      type: string
      outgoingEdgeId?: string
      items?: { outgoingEdgeId?: string }[]
      content?: { richText?: unknown }
    }[]
  }[]
  edges: { id: string; from: { blockId?: string; itemId?: string }; to: { groupId: string } }[]
  variables: { id: string; name: string }[]
}

export type Canvas = Console & {
  /** Imports a bot, which is that of `greeting` by default, and returns its id. */
  makeBot(drawn?: object): Promise<string>
  draftOf(botId: string): Promise<Stored>
  /** Waits until the service has a draft that fulfils what is expected of it. */
  becomes(botId: string, judge: (draft: Stored) => void): Promise<void>
  /** Opens the editor of a bot with a group "Welcome". */
  openBot(botId: string, options?: Parameters<Console["open"]>[1]): Promise<Page>
}

/** Starts the console; to be called at the top level of a file. */
export async function openCanvas(variables: Record<string, string> = {}): Promise<Canvas> {
  const running = await openConsole(variables)
  const { open, server } = running
  const draftOf = async (botId: string) => {
    const { body } = await server.send("GET", `/api/v1/bots/${botId}`)
    return body.bot as Stored
  }
  return {
    ...running,
    draftOf,
    async makeBot(drawn = greeting()) {
      const { body } = await server.send("POST", "/api/v1/bots/import", {
        body: { workspaceId: server.workspaceId, bot: { name: "Canvas", ...drawn } },
      })
      return (body.bot as { id: string }).id
    },
    becomes: (botId, judge) =>
      expect
        .poll(
          async () => {
            try {
              judge(await draftOf(botId))
              return "as expected"
            } catch (error) {
              return String(error)
            }
          },
          { timeout: 15_000 },
        )
        .toBe("as expected"),
    async openBot(botId, options = {}) {
      const viewport = { width: 1400, height: 900 }
      const page = await open(`/bots/${botId}`, { viewport, ...options })
      await page.getByRole("heading", { name: "Welcome" }).waitFor()
      return page
    },
  }
}

/** A flow of two groups side by side. */
export function greeting() {
  const made = bot(
    group(
      "Welcome",
      say("Hello there", { id: "hello" }),
      ask.text({ id: "name", saves: "Name" }),
      ask.choice(["Yes", "No"], { id: "pick" }),
    ),
    group("Goodbye", say("See you, {{Name}}", { id: "bye" })),
  )
  const [first, second] = made.groups
  if (first) first.graphCoordinates = { x: 300, y: 40 }
  if (second) second.graphCoordinates = { x: 720, y: 40 }
  return made
}

export const groupAt = (page: Page, title: string) =>
  page.locator("[data-group]").filter({ has: page.getByRole("heading", { name: title }) })

export async function centre(what: Locator): Promise<{ x: number; y: number }> {
  const box = await what.boundingBox()
  if (!box) throw new Error("It is not in view")
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

export async function drag(page: Page, from: Locator, to: { x: number; y: number }): Promise<void> {
  // Waits until it has come to rest.
  await from.hover()
  const start = await centre(from)
  await page.mouse.move(start.x, start.y)
  await page.mouse.down()
  await page.mouse.move((start.x + to.x) / 2, (start.y + to.y) / 2, { steps: 4 })
  await page.mouse.move(to.x, to.y, { steps: 4 })
  await page.mouse.up()
}
