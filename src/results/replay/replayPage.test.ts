/** Tests what one request for replays may cost. */
import { expect, test } from "vitest"
import { replayPage } from "./replayPage.ts"
import type { Effort } from "./replaySide.ts"

const chats = Array.from({ length: 200 }, (_, index) => ({ resultId: `r${index}` }))
const spending = (units: number) => async (_: unknown, effort: Effort) => {
  effort.left -= units
  return units
}

test("a page ends once its conversations have used up the work of one request", async () => {
  const page = await replayPage(chats, spending(5_000_000))
  expect(page).toEqual({ reports: Array.from({ length: 4 }, () => 5_000_000), next: "r4" })
})

test("ordinary conversations fill a whole page", async () => {
  const { reports, next } = await replayPage(chats, spending(50_000))
  expect([reports.length, next]).toEqual([200, undefined])
})

test("a page has at least one conversation of any cost", async () => {
  const [first, second] = chats
  if (!first || !second) throw new Error("Too few conversations")
  expect(await replayPage([first, second], spending(25_000_000))).toEqual({
    reports: [25_000_000],
    next: "r1",
  })
})
