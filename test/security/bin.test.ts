/** A bot in the bin is there for nobody: every operation that names a bot, with one in the bin in its place. */
import { expect, test } from "vitest"
import { callsWith, places } from "./ownCalls.ts"
import { document, type Place, routesOf } from "./places.ts"
import { callAs, makeThings, serverFor, type Tenant } from "./tenantThings.ts"
import { database, foreignWorkspaceId, tokens } from "./twoTenants.ts"

const caller: Tenant = {
  ...{ workspaceId: foreignWorkspaceId, token: tokens.stranger, word: "Mine", versions: 1 },
}
const own = await makeThings(caller)
const binned = await makeThings({ ...caller, word: "Withered" })
const path = `/api/v1/bots/${binned.botId}`
const as = serverFor(caller)
expect((await as.send("DELETE", path)).status).toBe(200)

const routes = new Map(routesOf(document).map((route) => [route.id, route]))
const named = places.filter(({ kind }) => ["botId", "botIds", "publicId"].includes(kind))

/** As if nothing had been named: links in flows are text, and whoever is forgotten is so in the bin, too. */
const passedOver = [
  /^(importBot|createBot|updateBot|startPreviewChat) bot\.(groups|id)/,
  /^(checkPublicId publicId|eraseData botIds)$/,
]

/** Everything of the bot that is stored. */
async function kept(): Promise<unknown[]> {
  const tables = ["bots where id", "published_bots where bot_id", "bot_versions where bot_id"]
  const more = ["publications where bot_id", "results where bot_id", "keyed_results where bot_id"]
  const rows = [...tables, ...more].map(async (table) => {
    const text = `select * from ${table} = $1 order by 1, 2`
    return (await database.pool.query(text, [binned.botId])).rows
  })
  return await Promise.all(rows)
}

const nameOf = ({ operation, way }: Place) => `${operation} ${way.join(".")}`

test.each(
  named.map((place) => [nameOf(place), place] as const),
)("%s leads to no bot in the bin", async (name, place) => {
  const route = routes.get(place.operation)
  if (!route) throw new Error(`There is no ${place.operation}`)
  const before = await kept()
  const id = place.kind === "publicId" ? binned.publicId : binned.botId
  for (const asked of callsWith(route, own, { place, id })) {
    const { status, text } = await callAs(caller, route, asked)
    const told = `${asked.path}: ${status} ${text}`
    const isPassedOver = passedOver.some((each) => each.test(name))
    expect(status, told).toBeLessThan(500)
    expect(status >= 400, told).toBe(!isPassedOver)
    if (place.in === "path") expect(status, told).toBe(404)
    expect(text, told).not.toContain("Withered")
  }
  expect(await kept()).toEqual(before)
})

test("its chats are over, and none can be started at its address", async () => {
  const { publicId, openSessionId, blockId, resultId } = binned
  for (const [method, at] of [
    ["POST", `/bots/${publicId}/startChat`],
    ["POST", `/sessions/${openSessionId}/continueChat`],
    ["GET", `/sessions/${openSessionId}`],
    ["GET", `/sessions/${openSessionId}/events`],
    ["POST", `/bots/${binned.botId}/blocks/${blockId}/results/${resultId}/executeWebhook`],
  ] as const) {
    const { status } = await as.send(method, `/api/v1${at}`, method === "POST" ? { body: {} } : {})
    expect(status, at).toBe(404)
  }
  expect((await fetch(`${as.address}/${publicId}`)).status).toBe(404)
})

test("it is listed there, restored and deleted for good, only within its workspace", async () => {
  const list = async () =>
    (await as.send("GET", `/api/v1/bots?workspaceId=${caller.workspaceId}&deleted=true`)).body.bots
  expect(await list()).toContainEqual(expect.objectContaining({ id: binned.botId }))
  const stranger = { token: tokens.admin }
  expect((await as.send("POST", `${path}/restore`, stranger)).status).toBe(404)
  expect((await as.send("DELETE", `${path}?permanently=true`, stranger)).status).toBe(404)
  expect((await as.send("POST", `${path}/restore`)).status).toBe(200)
  expect((await as.send("POST", `${path}/restore`)).status).toBe(404)
  expect((await as.send("GET", path)).status).toBe(200)
  await as.send("DELETE", path)
  expect((await as.send("DELETE", `${path}?permanently=true`)).status).toBe(200)
  expect((await as.send("POST", `${path}/restore`)).status).toBe(404)
  expect(await list()).not.toContainEqual(expect.objectContaining({ id: binned.botId }))
})
