/** Bots are rated at publish by the words and domains that the operator lists. */
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { beforeEach, describe, expect, test } from "vitest"
import { loadRiskWords } from "../../src/app/loadRiskWords.ts"
import { openDatabase } from "../../src/db/connection/openDatabase.ts"
import { createAccount } from "../../src/people/createAccount.ts"
import { ask, bot, group, say } from "../support/bots.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { untilLockWaits } from "../support/lockWaits.ts"
import { sendTo, testServer } from "../support/server.ts"
import { testFolder } from "../support/testFolder.ts"

const list = join(await testFolder(), "words.txt")
await writeFile(list, "# Phishing\npassword\nOur Bank\nevil.example\n")
const url = await testDatabaseUrl()
const rates = { DATABASE_URL: url, PARLEY_RATE_LIMITS: "off" }
/** The first user operates the service; Bea has a workspace, which is new. */
const server = await testServer({ ...rates, PARLEY_RISK_WORDS: list })
const unrated = await testServer(rates)
const database = await openDatabase({ url, poolSize: 3 })
const bea = await createAccount(database, { email: "bea@example.com", workspaceName: "Bea's" })
const asBea = sendTo(server.address, bea.token)
const { workspaceId } = bea

const deceiving = bot(group("A", say("Our bank needs your Passwοrd."), ask.text()))
const harmless = bot(group("A", say("Hello"), ask.text()))

let botId = ""
beforeEach(async () => {
  await server.send("PATCH", `/api/v1/operator/workspaces/${workspaceId}`, {
    body: { isVerified: null },
  })
  await database.pool.query("delete from bots where workspace_id = $1", [workspaceId])
  const sent = { body: { workspaceId, bot: { name: "Test", ...deceiving } } }
  const { body } = await asBea("POST", "/api/v1/bots/import", sent)
  botId = (body.bot as { id: string }).id
})

const change = (body: object) => asBea("PATCH", `/api/v1/bots/${botId}`, { body: { bot: body } })
const publish = async (at = asBea) => {
  const { status, body } = await at("POST", `/api/v1/bots/${botId}/publish`)
  return status === 200 ? "published" : `${status} ${body.reason}`
}
const risk = async () => {
  const { body } = await asBea("GET", `/api/v1/bots/${botId}`)
  return (body.bot as { riskLevel: number | null }).riskLevel
}
const decideBot = (body: object) => server.send("PATCH", `/api/v1/operator/bots/${botId}`, { body })

describe("a bot that deceives", () => {
  test("waits for an operator, who sees what was found and lets it be published", async () => {
    expect(await publish()).toBe("403 BOT_UNREVIEWED")
    expect(await risk()).toBe(90)
    const { body } = await server.send("GET", "/api/v1/operator/workspaces?state=atRisk")
    const found = { id: botId, name: "Test", riskLevel: 90, riskFound: ["Our Bank", "password"] }
    expect(body.workspaces).toMatchObject([{ id: workspaceId, botsAtRisk: [found] }])
    const decided = await decideBot({ riskLevel: 10 })
    expect(decided.body.bot).toMatchObject({ riskLevel: 10, riskFound: ["Our Bank", "password"] })
    expect(await publish()).toBe("published")
    expect(await risk()).toBe(10)
  })

  test("is published in a workspace that an operator has verified, and is rated nevertheless", async () => {
    await server.send("PATCH", `/api/v1/operator/workspaces/${workspaceId}`, {
      body: { isVerified: true },
    })
    expect(await publish()).toBe("published")
    expect(await risk()).toBe(70)
    await change({ icon: null, variables: [{ id: "v", name: "v", value: "evil.example" }] })
    expect(await publish()).toBe("published")
    expect(await risk()).toBe(100)
    const { body } = await server.send("GET", "/api/v1/operator/workspaces?state=atRisk")
    expect(body.workspaces).toEqual([])
  })

  test("is published in a workspace that is not new", async () => {
    const age = "update workspaces set created_at = now() - $2::interval where id = $1"
    await database.pool.query(age, [workspaceId, "31 days"])
    expect(await publish()).toBe("published")
    expect(await risk()).toBe(70)
    await database.pool.query(age, [workspaceId, "0 days"])
  })

  test("is rated anew by the next publish, whose flow is the one that goes live", async () => {
    expect(await publish()).toBe("403 BOT_UNREVIEWED")
    await change(harmless)
    expect(await publish()).toBe("published")
    expect(await risk()).toBe(20)
    await change({ settings: { metadata: { title: "evil.example" } } })
    expect(await publish()).toBe("403 BOT_UNREVIEWED")
    expect(await risk()).toBe(100)
  })

  test("does not come back by a rollback", async () => {
    expect(await publish(sendTo(unrated.address, bea.token))).toBe("published")
    await change(harmless)
    expect(await publish()).toBe("published")
    const path = `/api/v1/bots/${botId}/rollback`
    const { body } = await asBea("POST", path, { body: { version: 1 } })
    expect(body.reason).toBe("BOT_UNREVIEWED")
    expect(await risk()).toBe(90)
  })
})

test("an operator's risk is replaced by no rating until the operator takes it back", async () => {
  await decideBot({ riskLevel: 95 })
  await change(harmless)
  expect(await publish()).toBe("403 BOT_UNREVIEWED")
  expect(await risk()).toBe(95)
  await decideBot({ riskLevel: null })
  expect(await publish()).toBe("published")
  expect(await risk()).toBe(20)
})

test("a risk that an operator sets during the rating counts", async () => {
  const locking = await database.pool.connect()
  await locking.query("begin")
  await locking.query("update bots set risk_level = 1, risk_level_by = 'operator' where id = $1", [
    botId,
  ])
  const publishing = publish()
  await untilLockWaits(database.pool)
  await locking.query("commit")
  locking.release()
  expect(await publishing).toBe("published")
  expect(await risk()).toBe(1)
})

test("a rating leaves the draft and the audit log as they are, and names the words to no author", async () => {
  const { body: before } = await asBea("GET", `/api/v1/bots/${botId}`)
  await asBea("POST", `/api/v1/bots/${botId}/publish`)
  const { body: after } = await asBea("GET", `/api/v1/bots/${botId}`)
  expect(after.bot).toEqual({ ...(before.bot as object), riskLevel: 90 })
  const { body: log } = await asBea("GET", `/api/v1/workspaces/${workspaceId}/auditLog?limit=1`)
  expect(log.entries).toMatchObject([{ operation: "importBot" }])
})

test("without a list, no bot is rated", async () => {
  expect(await publish(sendTo(unrated.address, bea.token))).toBe("published")
  expect(await risk()).toBeNull()
})

test("a list that is missing or cannot be used stops the start with a sentence", async () => {
  await expect(loadRiskWords(`${list}.missing`)).rejects.toThrow("ENOENT")
  await writeFile(list, "***")
  await expect(loadRiskWords(list)).rejects.toThrow(
    "The file of PARLEY_RISK_WORDS cannot be used: line 1 has no letters.",
  )
})
