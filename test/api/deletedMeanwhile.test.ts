/** Calls that wait for somebody who deletes what they are about find nothing, as those do that come later. */
import { expect, test } from "vitest"
import { bot, group, say } from "../support/bots.ts"
import { testDatabase } from "../support/database.ts"
import { countLockWaits } from "../support/lockWaits.ts"
import { publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"
import { until } from "../support/waiting.ts"

const { pool, url } = await testDatabase()
const server = await testServer({ DATABASE_URL: url })
const { body: listed } = await server.send("GET", "/api/v1/workspaces")
const [workspace] = listed.workspaces as { id: string }[]
const workspaceId = workspace?.id ?? ""

/** Sends a request while somebody deletes what it is about, and returns the reason of its refusal. */
async function reasonWhile(deletion: string, id: string, [method, path, body]: Call) {
  const other = await pool.connect()
  await other.query("begin")
  await other.query(deletion, [id])
  let isAnswered = false
  const reply = server.send(method, `/api/v1${path}`, body && { body }).finally(() => {
    isAnswered = true
  })
  await until(async () => isAnswered || (await countLockWaits(pool)) === 1)
  await other.query("commit")
  other.release()
  return (await reply).body.reason
}

type Call = [method: string, path: string, body?: object]

test("a webhook endpoint is deleted once", async () => {
  const path = `/workspaces/${workspaceId}/webhookEndpoints`
  const body = { url: "https://example.com/hook", types: ["bot.published"] }
  const { endpoint } = (await server.send("POST", `/api/v1${path}`, { body })).body
  const { id } = endpoint as { id: string }
  const deletion = "delete from webhook_endpoints where id = $1"
  expect(await reasonWhile(deletion, id, ["DELETE", `${path}/${id}`])).toBe("NOT_FOUND")
})

test("a credential is deleted once", async () => {
  const credentials = { type: "openai", name: "Key", data: { apiKey: "sk-1" } }
  const created = await server.send("POST", "/api/v1/credentials", {
    body: { workspaceId, credentials },
  })
  const id = created.body.credentialsId as string
  const deletion = "delete from credentials where id = $1"
  expect(await reasonWhile(deletion, id, ["DELETE", `/credentials/${id}`])).toBe("NOT_FOUND")
})

test.each<Call>([
  ["PATCH", "", { bot: { name: "Other" } }],
  ["PATCH", "?dryRun=true", { bot: { name: "Other" } }],
  ["POST", "/applyTheme", { templateId: "light-or-dark" }],
  ["POST", "/restoreDraft", { version: 1 }],
])("a deleted bot is reported as missing, not as changed: %s %s", async (method, at, body) => {
  const { botId } = await publishBot(server, bot(group("A", say("Hi"))))
  const deletion =
    "update bots set is_archived = true, is_in_bin = true, archived_at = now() where id = $1"
  expect(await reasonWhile(deletion, botId, [method, `/bots/${botId}${at}`, body])).toBe(
    "NOT_FOUND",
  )
})
