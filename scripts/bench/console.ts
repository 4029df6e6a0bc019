/**
 * How soon the console can be used: its first view, tables of a million results and 5,000 conversations, and edits in
 * another page.
 */
import type { Locator, Page } from "playwright-core"
import { openConnectionPool } from "../../src/db/connection/connectionPool.ts"
import { ask, bot, group, say } from "../../test/support/bots.ts"
import type { Api, PublishedBot } from "../drills/api.ts"
import { withConsolePage } from "../drills/consolePage.ts"
import { type Service, withService } from "../drills/stack.ts"

const results = Number(process.env.BENCH_RESULTS ?? 1_000_000)
const conversations = 5_000
const rounds = 5

/** Prints medians of five, each in the page and by the API. */
export function run(): Promise<void> {
  return withService((service) => withConsolePage(service, (page) => measure(service, page)), {
    PARLEY_RATE_LIMITS: "off",
  })
}

async function measure(service: Service, page: Page): Promise<void> {
  const address = `${service.address}/console`
  await report("first view, until its button works", () => firstView(page, address))

  const made = await service.api.publish(bot(group("Start", say("Your name?"), ask.text())))
  await fill(service, made)
  const { id } = made
  await report("results, by the API", () => call(service, `/bots/${id}/results?limit=50`))
  await report("results, until the table shows them", () =>
    view(page, `${address}/bots/${id}/results`, page.locator("tbody tr[aria-rowindex]").nth(9)),
  )
  await report("conversations, by the API", () =>
    call(service, `/bots/${id}/conversations?chats=all&limit=40`),
  )
  await report("conversations, until the list shows them", () =>
    view(page, `${address}/bots/${id}/conversations`, page.locator("aside li a").nth(9)),
  )
  const other = await page.context().newPage()
  for (const each of [page, other])
    await view(each, `${address}/bots/${id}`, each.locator("[data-group]"))
  await report("an edit, until another page shows it", () => edit(page, other))
}

async function firstView(page: Page, address: string): Promise<void> {
  await page.goto(address, { waitUntil: "commit" })
  await page.getByRole("button", { name: "New bot" }).first().click()
  await page.getByRole("dialog").waitFor()
}

async function view(page: Page, address: string, last: Locator): Promise<void> {
  await page.goto(address, { waitUntil: "commit" })
  await last.waitFor()
}

/** Adds a block in one page, and waits for it in the other. */
async function edit(page: Page, other: Page): Promise<void> {
  const blocks = await other.locator("[data-block]").count()
  const palette = page.getByRole("complementary", { name: "Blocks to add" })
  await palette.getByRole("button", { name: "Text", exact: true }).click()
  await other.locator("[data-block]").nth(blocks).waitFor()
}

async function call({ api }: Service, path: string): Promise<void> {
  await api.call("GET", path)
}

/** Chats that were only started, one a second, and those with an answer. */
async function fill({ api, databaseUrl }: Service, { id, publicId }: PublishedBot): Promise<void> {
  const pool = openConnectionPool({ url: databaseUrl, size: 1, statementTimeoutMs: 600_000 })
  await pool.query(
    `insert into results (result_id, bot_id, version_id, has_started)
     select (lpad(to_hex((extract(epoch from now()) * 1000)::bigint - n * 1000), 12, '0') || '7'
       || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid, $1,
       (select id from bot_versions where bot_id = $1), true from generate_series(1, $2) n`,
    [id, results],
  )
  await pool.query("vacuum analyze results")
  await pool.end()
  for (let started = 0; started < conversations; started += 20)
    await Promise.all(Array.from({ length: 20 }, () => chat(api, publicId)))
}

async function chat(api: Api, publicId: string): Promise<void> {
  const { sessionId } = await api.start(publicId)
  const message = { type: "text", text: "Ann" }
  await api.call("POST", `/sessions/${sessionId}/continueChat`, { message })
}

async function report(what: string, act: () => Promise<void>): Promise<void> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const start = performance.now()
    await act()
    times.push(performance.now() - start)
  }
  const [median = 0] = times.toSorted((one, other) => one - other).slice(Math.floor(rounds / 2))
  console.log(`${what}: ${Math.round(median)} ms`)
}
