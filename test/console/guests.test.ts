/** People outside of the team, who are let into bots: each view asks only for what they may have. */
import type { Page } from "playwright-core"
import { beforeAll, describe, expect, test } from "vitest"
import { type Examples, makeExamples } from "../../scripts/consoleExamples.ts"
import { addressOf, type View, views, watchLoads } from "../../scripts/consoleViews.ts"
import { openApi } from "../../scripts/drills/api.ts"
import { complaintsOf } from "../pages/browser.ts"
import { enterView } from "./enterView.ts"
import { openConsole, viewer } from "./openConsole.ts"

const ofBots = views.filter(({ path }) => path.startsWith("/bots/"))

describe.skipIf(!viewer)("a guest of a bot", async () => {
  const { open, server, addGuest } = await openConsole()

  let examples: Examples
  beforeAll(async () => {
    examples = await makeExamples(openApi(server.address, server.token), { chats: 8 })
  })

  describe.each([
    { email: "reader@example.com", right: "READ", isGuest: false },
    { email: "author@example.com", right: "WRITE", isGuest: false },
    { email: "guest@example.com", right: "WRITE", isGuest: true },
  ] as const)("$email", ({ email, right, isGuest }) => {
    const refused: string[] = []
    let page: Page
    let complete: ReturnType<typeof watchLoads>
    beforeAll(async () => {
      const { botId, everyBlockId, workspaceId } = examples
      const rights = { [botId]: right, [everyBlockId]: right }
      await addGuest(email, rights, isGuest ? workspaceId : undefined)
      page = await open("/", { email, forAll: true })
      complete = watchLoads(page)
      page.on("response", (answer) => {
        if (answer.status() >= 207) refused.push(`${answer.status()} ${answer.url()}`)
      })
    })

    test.each(ofBots)("opens $name without a refusal", async (view: View) => {
      const before = complaintsOf(page).length
      await enterView(page, addressOf(view, examples))
      await complete({ ...view, prepare: async () => {} })
      expect(refused.splice(0)).toEqual([])
      expect(await page.getByRole("alert").allInnerTexts()).toEqual([])
      expect(complaintsOf(page).slice(before)).toEqual([])
    })
  })
})
