/** How long the canvas of the editor takes to open a large flow, and how many frames it draws while it moves. */
import type { Page } from "playwright-core"
import { ask, bot, type DraftGroup, group, say, set } from "../../test/support/bots.ts"
import { withConsolePage } from "../drills/consolePage.ts"
import { type Service, withService } from "../drills/stack.ts"

const count = Number(process.env.BENCH_GROUPS ?? 500)
const perRow = 25
/** How long each movement lasts. */
const measuredMs = 3_000

/** Groups in rows, each led to the next and from its buttons to those below it. */
function largeFlow() {
  const made = bot(
    ...(Array.from({ length: count }, (_, n) =>
      group(
        `Group ${n}`,
        say(`Question ${n}: what would you like to know about it?`),
        ask.text({ id: `${n}-name`, saves: `Name ${n % 50}` }),
        say(`Thank you, {{Name ${n % 50}}}.`),
        set(`Seen ${n % 20}`, "yes"),
        ask.choice(
          ["One", "Two"].map((content, at) => ({
            content,
            to: `Group ${(n + perRow + at) % count}`,
          })),
          { id: `${n}-pick` },
        ),
        say("On to the next one.", { to: `Group ${(n + 1) % count}` }),
      ),
    ) as [DraftGroup, ...DraftGroup[]]),
  )
  for (const [index, each] of made.groups.entries())
    each.graphCoordinates = { x: (index % perRow) * 440, y: Math.floor(index / perRow) * 560 }
  return made
}

/** Prints both for a flow of 500 groups and 3,000 blocks. */
export function run(): Promise<void> {
  return withService((service) => withConsolePage(service, (page) => measure(service, page)))
}

async function measure(service: Service, page: Page): Promise<void> {
  const { bot: made } = await service.api.call("POST", "/bots/import", {
    workspaceId: await service.api.workspaceId(),
    bot: { name: "Large", ...largeFlow() },
  })
  await page.waitForLoadState("networkidle")
  const start = performance.now()
  await page.goto(`${service.address}/console/bots/${made.id}`)
  await page
    .locator("[data-group]")
    .nth(count - 1)
    .waitFor()
  // Two frames later, they are painted.
  await page.evaluate(
    "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))",
  )
  console.log(`opened in ${Math.round(performance.now() - start)} ms: ${count} groups`)

  await page.mouse.move(900, 450)
  await report(page, "pans from afar", () => page.mouse.wheel(12, 6))
  await report(page, "zooms from afar", (frame) => zoom(page, frame % 40 < 20 ? -20 : 20))
  await page.getByRole("button", { name: "Zoom to fit" }).click()
  for (let step = 0; step < 20; step++) await zoom(page, -100)
  await report(page, "pans over texts", () => page.mouse.wheel(12, 6))
  await report(page, "zooms over texts", (frame) => zoom(page, frame % 40 < 20 ? -8 : 8))
}

async function zoom(page: Page, by: number): Promise<void> {
  await page.keyboard.down("Control")
  await page.mouse.wheel(0, by)
  await page.keyboard.up("Control")
}

/** Resolves with the milliseconds between frames; a text, since tsx adds to functions what pages do not have. */
const countFrames = `new Promise((done) => {
  const gaps = []
  const start = performance.now()
  let last = start
  requestAnimationFrame(function next(at) {
    gaps.push(at - last)
    last = at
    if (at - start < ${measuredMs}) requestAnimationFrame(next)
    else done(gaps.slice(1))
  })
})`

/** Counts the frames that are drawn while something is done again and again. */
async function report(
  page: Page,
  what: string,
  act: (frame: number) => Promise<void>,
): Promise<void> {
  const counted = page.evaluate<number[]>(countFrames)
  let isOver = false
  void counted.finally(() => {
    isOver = true
  })
  for (let frame = 0; !isOver; frame++) await act(frame)
  const gaps = (await counted).toSorted((one, other) => one - other)
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length
  const slow = gaps[Math.floor(gaps.length * 0.95)] ?? 0
  console.log(`${what}: ${Math.round(1_000 / mean)} frames/s, 95% within ${Math.round(slow)} ms`)
}
