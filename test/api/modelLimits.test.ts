/** Tokens that a workspace may use in a month: what happens when they are used up, and what flows can do then. */
import { beforeEach, expect, test } from "vitest"
import { type Db, openDatabase } from "../../src/db/connection/openDatabase.ts"
import { openTokenCounts } from "../../src/effects/models/tokenCounts.ts"
import { monthOf, usualPlanLimits } from "../../src/lib/plans.ts"
import { json, startPeer } from "../effects/peer.ts"
import { ask, block, bot, group, idOf, say } from "../support/bots.ts"
import { testDatabase, testDatabaseUrl } from "../support/database.ts"
import { insertTeam } from "../support/people.ts"
import { chatOver, publishBot, textsOf } from "../support/publish.ts"
import { testServer } from "../support/server.ts"
import { until } from "../support/waiting.ts"

const provider = await startPeer()
const usage = { prompt_tokens: 12, completion_tokens: 5, total_tokens: 17 }
beforeEach(() => provider.answers(json({ choices: [{ message: { content: "Hi" } }], usage })))

/** A service, and a bot whose flow says how its call of a model ended. */
async function limited(settings: Record<string, string>) {
  const databaseUrl = await testDatabaseUrl()
  const environment = {
    PARLEY_ALLOW_HOSTS: "127.0.0.1",
    PARLEY_SECRET: "a secret that only these tests know of",
    DATABASE_URL: databaseUrl,
    ...settings,
  }
  const server = await testServer(environment)
  const { body } = await server.send("GET", "/api/v1/workspaces")
  const [workspace] = body.workspaces as { id: string }[]
  const data = { apiKey: "sk-1", baseUrl: `${provider.url}/v1` }
  const credentials = { type: "openai", name: "AI", data }
  const made = await server.send("POST", "/api/v1/credentials", {
    body: { workspaceId: workspace?.id, credentials },
  })
  const model = block("openai", {
    credentialsId: made.body.credentialsId,
    action: "Create chat completion",
    model: "gpt-4o",
    messages: [{ role: "user", content: "Hi" }],
    responseMapping: [
      { item: "Message content", variableId: idOf("Reply") },
      { item: "Outcome", variableId: idOf("Outcome") },
    ],
  })
  const flow = bot(group("A", ask.text(), model, say("{{Reply}}"), say("{{Outcome}}"), ask.text()))
  const { publicId } = await publishBot(server, flow)
  const outcome = async (on = server) => {
    const { body } = await (await chatOver(on, publicId)).say("Ann")
    return textsOf(body).at(-1)
  }
  const db = await openDatabase({ url: databaseUrl, poolSize: 2 })
  return { server, environment, publicId, outcome, db }
}

test("21.20 no call is made beyond the tokens of the month, and the flow goes on with the outcome", async () => {
  const { server, publicId, outcome } = await limited({ PARLEY_MODEL_TOKENS_PER_MONTH: "20" })
  expect([await outcome(), await outcome(), await outcome()]).toEqual(["ok", "ok", "limit"])
  const chat = await chatOver(server, publicId, { isStreamEnabled: true })
  await chat.say("Ann")
  const path = `/api/v1/sessions/${chat.step.sessionId}/streamMessage`
  const stream = await fetch(server.address + path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  })
  expect(await stream.text()).toContain("The workspace has used its 20 tokens")
  expect(textsOf((await chat.say("")).body).at(-1)).toBe("limit")
  expect(provider.received).toHaveLength(2)
})

test("what was used is known after a restart and to other processes, and forgotten with the month", async () => {
  provider.received.length = 0
  const { environment, outcome, db } = await limited({
    PARLEY_PLAN_LIMITS: "UNLIMITED=-/-/10",
    PARLEY_MODEL_TOKENS_PER_MONTH: "1000",
  })
  expect(await outcome()).toBe("ok")
  await until(async () => (await db.pool.query("select from model_usage")).rowCount === 1)
  expect(await outcome(await testServer(environment))).toBe("limit")
  await db.pool.query("update model_usage set period_start = period_start - interval '1 month'")
  expect(await outcome(await testServer(environment))).toBe("ok")
})

test("without a limit nothing is read", async () => {
  const db = { kysely: undefined } as never
  const log = { warn: () => {} }
  const counts = openTokenCounts({ db, log, planLimits: usualPlanLimits, perMonth: 0 })
  expect(await counts.refusalFor("w")).toBeUndefined()
  await counts.close()
})

test("what could not be stored is stored later, once, and that of a deleted workspace never", async () => {
  const db = await testDatabase()
  const workspaceId = await insertTeam(db, [])
  let isDown = true
  const failing: Db = {
    ...db,
    get kysely() {
      if (isDown) throw new Error("down")
      return db.kysely
    },
  }
  const counts = openTokenCounts({
    db: failing,
    log: { warn: () => {} },
    planLimits: usualPlanLimits,
    perMonth: 0,
  })
  counts.add(workspaceId, { provider: "other", inputTokens: 3, outputTokens: 4 })
  counts.add("gone", { provider: "other", inputTokens: 3 })
  await counts.close()
  isDown = false
  counts.add(workspaceId, { provider: "other", inputTokens: 10 })
  await counts.close()
  await counts.close()
  const { rows } = await db.pool.query("select *, period_start::text as month from model_usage")
  expect(rows).toMatchObject([
    { workspace_id: workspaceId, calls: 2, input_tokens: 13, output_tokens: 4 },
  ])
  expect(rows[0].month).toBe(monthOf(Date.now()).start)
})
