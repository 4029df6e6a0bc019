/** Results as large as strangers can make them: no list and no export holds many of them at a time. */
import { expect, test } from "vitest"
import { newUuid } from "../../src/lib/ids.ts"
import { createAccount } from "../../src/people/createAccount.ts"
import { ask, bot, group } from "../support/bots.ts"
import { testDatabase } from "../support/database.ts"
import { publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"

const database = await testDatabase()
const server = await testServer({ DATABASE_URL: database.url })
const flow = bot(group("g", ask.text({ id: "said" })))

/** Records a result with so many answers of so many characters; a variable holds as many. */
async function record(botId: string, count: number, length: number): Promise<string> {
  const resultId = newUuid()
  const variables = [{ id: "v", name: "v", value: "v".repeat(length) }]
  await database.pool.query(
    `insert into results (result_id, bot_id, version_id, has_started, variables)
    select $1, $2, version_id, true, $3 from published_bots where bot_id = $2`,
    [resultId, botId, JSON.stringify(variables)],
  )
  await database.pool.query(
    `insert into answers (result_id, idx, block_id, content)
    select $1, n, 'said', repeat('a', $3) from generate_series(1, $2::int) n`,
    [resultId, count, length],
  )
  return resultId
}

type Listed = { results: { id: string; answers: { content: string }[] }[]; nextCursor?: string }

async function list(botId: string, query = ""): Promise<Listed & { bytes: number }> {
  const path = `/api/v1/bots/${botId}/results?timeFilter=allTime&limit=500${query}`
  const { status, body } = await server.send("GET", path)
  expect(status).toBe(200)
  return { ...(body as Listed), bytes: JSON.stringify(body).length }
}

async function exported(botId: string): Promise<string> {
  const path = `/api/v1/bots/${botId}/results/export?format=ndjson&timeFilter=allTime`
  const headers = { authorization: `Bearer ${server.token}` }
  return await (await fetch(server.address + path, { headers })).text()
}

test("a page ends before it is too long, and the next one goes on", async () => {
  const { botId } = await publishBot(server, flow)
  const ids: string[] = []
  for (let index = 0; index < 20; index++) ids.unshift(await record(botId, 1, 1_000_000))
  const first = await list(botId)
  expect(first.bytes).toBeLessThan(17_000_000)
  const second = await list(botId, `&cursor=${first.nextCursor}`)
  const third = await list(botId, `&cursor=${second.nextCursor}`)
  expect(third.nextCursor).toBeUndefined()
  const listed = [first, second, third].flatMap(({ results }) => results.map(({ id }) => id))
  expect(listed).toEqual(ids)
  const lines = (await exported(botId)).trim().split("\n")
  expect(lines.map((line) => JSON.parse(line).id)).toEqual(ids)
})

test("of a result that is too long alone, long answers are cut and the last ones left out", async () => {
  const { botId } = await publishBot(server, flow)
  const long = await record(botId, 40, 1_000_000)
  const many = await record(botId, 10_100, 300)
  const alone = await server.send("GET", `/api/v1/bots/${botId}/results/${long}`)
  const { answers } = alone.body.result as Listed["results"][number]
  expect(answers).toHaveLength(40)
  expect(answers[39]?.content).toBe(`${"a".repeat(100_000)}…`)
  const { results, bytes } = await list(botId)
  expect(bytes).toBeLessThan(17_000_000)
  expect(results.map(({ id, answers }) => [id, answers.length])).toEqual([[many, 10_000]])
  expect((await exported(botId)).length).toBeLessThan(20_000_000)
})

test("slow readers of exports take places of their own workspace and caller only", async () => {
  const slow = await publishBot(server, flow)
  for (let index = 0; index < 20; index++) await record(slow.botId, 1, 1_000_000)
  const stopping = new AbortController()
  const open = (botId: string, token: string) =>
    fetch(`${server.address}/api/v1/bots/${botId}/results/export?timeFilter=allTime`, {
      headers: { authorization: `Bearer ${token}` },
      signal: stopping.signal,
    })
  const unread = [await open(slow.botId, server.token), await open(slow.botId, server.token)]
  expect(unread.map(({ status }) => status)).toEqual([200, 200])
  const third = await open(slow.botId, server.token)
  expect(third.status).toBe(503)
  expect(await third.text()).toContain("Too many exports of this workspace are under way")
  // The same account in another workspace counts, too.
  const body = { name: "Second" }
  const second = await server.send("POST", "/api/v1/workspaces", { body })
  const { id: workspaceId } = second.body.workspace as { id: string }
  const made = await server.send("POST", "/api/v1/bots", { body: { workspaceId, bot: {} } })
  const fourth = await open((made.body.bot as { id: string }).id, server.token)
  expect(await fourth.text()).toContain("Too many exports of yours are under way")
  const other = await createAccount(database, { email: "other@example.com" })
  const ofOther = { token: other.token }
  const { body: listed } = await server.send("GET", "/api/v1/workspaces", ofOther)
  const [theirs] = listed.workspaces as { id: string }[]
  const own = await server.send("POST", "/api/v1/bots", {
    ...ofOther,
    body: { workspaceId: theirs?.id, bot: {} },
  })
  const fifth = await open((own.body.bot as { id: string }).id, other.token)
  expect(fifth.status).toBe(200)
  await fifth.text()
  stopping.abort()
})
