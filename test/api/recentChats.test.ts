/** Lists of bots say how many chats each had lately, at a cost that does not grow with them. */
import { expect, test } from "vitest"
import { openDatabase } from "../../src/db/connection/openDatabase.ts"
import { maxUncounted } from "../../src/db/results/recentChats.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { runJob } from "../support/jobs.ts"
import { publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"
import { threeQuestionFlow } from "../support/threeQuestions.ts"

const dayMs = 86_400_000
const databaseUrl = await testDatabaseUrl()
const server = await testServer({ DATABASE_URL: databaseUrl })
const db = await openDatabase({ url: databaseUrl, poolSize: 1 })
const today = Math.floor(Date.now() / dayMs) * dayMs

/** Results that began on a day. */
async function addResults(botId: string, daysAgo: number, count: number): Promise<void> {
  await db.pool.query(
    `insert into results (result_id, bot_id, version_id, has_started)
    select (lpad(to_hex($2::bigint + n), 12, '0') || '7'
        || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid, $1,
      (select id from bot_versions where bot_id = $1), true
    from generate_series(1, $3::int) n`,
    [botId, today - daysAgo * dayMs, count],
  )
}

async function chatsOf(botId: string): Promise<number | undefined> {
  const path = `/api/v1/bots?workspaceId=${server.workspaceId}&withChats=true`
  const { bots } = (await server.send("GET", path)).body as {
    bots: { id: string; recentChats?: number }[]
  }
  return bots.find(({ id }) => id === botId)?.recentChats
}

test("the chats of seven days count, before their days are counted ahead and after", async () => {
  const { botId } = await publishBot(server, threeQuestionFlow)
  expect(await chatsOf(botId)).toBe(0)
  for (const daysAgo of [0, 1, 6, 7]) await addResults(botId, daysAgo, 10 ** (daysAgo % 4))
  expect(await chatsOf(botId)).toBe(1 + 10 + 100)
  await runJob(db, "count_analytics")
  expect(await chatsOf(botId)).toBe(1 + 10 + 100)
  // Days that were counted ahead are not counted now.
  await db.pool.query("update results set is_archived = true where bot_id = $1", [botId])
  expect(await chatsOf(botId)).toBe(10 + 100)
})

test("a page counts no more than its bound of the days that are not counted ahead", async () => {
  const { botId } = await publishBot(server, threeQuestionFlow)
  await addResults(botId, 0, maxUncounted + 100)
  expect(await chatsOf(botId)).toBe(maxUncounted)
})

test("a list without chats leaves them out, and one with them has at most 100 bots a page", async () => {
  const { workspaceId } = server
  await db.pool.query(
    `insert into bots (id, workspace_id, version, name)
    select 'many' || n, $1, version, 'Many' from (select version from bots limit 1) one, generate_series(1, 120) n`,
    [workspaceId],
  )
  const page = async (query: string) =>
    (await server.send("GET", `/api/v1/bots?workspaceId=${workspaceId}${query}`)).body as {
      bots: object[]
      nextCursor?: string
    }
  const plain = await page("")
  expect(plain.bots[0]).not.toHaveProperty("recentChats")
  expect(plain.bots.length).toBeGreaterThan(120)
  for (const query of ["&withChats=true", "&withChats=true&limit=500"]) {
    const counted = await page(query)
    expect(counted.bots).toHaveLength(100)
    expect(counted.nextCursor).toBeDefined()
  }
})
