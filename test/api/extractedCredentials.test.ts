/** Secrets of a draft become credentials of its workspace. */
import { expect, test } from "vitest"
import { ask, block, bot, group } from "../support/bots.ts"
import { newUser, refusalOf } from "../support/callers.ts"
import { testDatabase } from "../support/database.ts"

const db = await testDatabase()

type Pairs = Record<string, string>
const pairs = (members: Pairs) => Object.entries(members).map(([key, value]) => ({ key, value }))

const request = (url: string, headers: Pairs, queryParams: Pairs = {}, more: object = {}) =>
  block("Webhook", {
    webhook: { url, headers: pairs(headers), queryParams: pairs(queryParams) },
    ...more,
  })

const login = Buffer.from("ann:passw0rd").toString("base64")

/** A bot of a workspace, with the calls of its owner. */
async function shop(...blocks: ReturnType<typeof request>[]) {
  const owner = await newUser(db, { defaultPlan: "PRO" })
  const { workspace } = await owner.call.workspace.create({ name: "W" })
  const flow = { ...bot(group("A", ask.text(), ...blocks)), name: "Shop" }
  const { bot: made } = await owner.call.bot.import({ workspaceId: workspace.id, bot: flow })
  const read = async () => (await owner.call.bot.get({ botId: made.id })).bot
  const stored = async () =>
    (await owner.call.credentials.list({ workspaceId: workspace.id })).credentials
  return { ...owner, botId: made.id, read, stored }
}

const optionsOf = async ({ read }: Awaited<ReturnType<typeof shop>>) =>
  (await read()).groups[0]?.blocks.slice(1).map((each) => (each as { options: object }).options)

test("equal secrets become one credential for the hosts of all their blocks", async () => {
  const shared = { Authorization: "Bearer abc123def456", Accept: "text/plain" }
  const made = await shop(
    request("https://a.example/x", shared),
    request("https://b.example:8443/{{Path}}", shared),
    request("https://a.example", { Authorization: `Basic ${login}` }),
    request("https://a.example", { "X-Api-Key": "abc123" }),
    request("https://a.example", {}, { api_key: "abc 123", page: "2" }),
  )
  const { credentials, skipped, revision } = await made.call.credentials.extract({
    botId: made.botId,
  })
  expect(skipped).toEqual([])
  expect(revision).toBe(2)
  const path = "/groups/0/blocks/1/options/webhook/headers/0/value"
  expect(credentials[0]).toMatchObject({
    ...{ name: "Authorization for a.example", auth: "bearer" },
    allowedHosts: ["a.example", "b.example:8443"],
    pointers: [path, path.replace("1", "2")],
  })
  expect(credentials.map(({ auth }) => auth)).toEqual(["bearer", "basic", "header", "query"])
  const ids = credentials.map(({ credentialsId }) => credentialsId)
  expect(await optionsOf(made)).toMatchObject(
    [ids[0], ids[0], ids[1], ids[2], ids[3]].map((credentialsId) => ({ credentialsId })),
  )
  expect((await stored(made)).map(({ id }) => id)).toEqual(expect.arrayContaining(ids))
  const [first, , , , last] = (await optionsOf(made)) as { webhook: object }[]
  expect(first?.webhook).toMatchObject({ headers: [{ key: "Accept" }] })
  expect(last?.webhook).toMatchObject({ queryParams: [{ key: "page" }] })
  const { findings } = await made.call.bot.lint({ botId: made.botId })
  expect(findings.filter(({ rule }) => /secret|host|credential/.test(rule))).toEqual([])
  expect(JSON.stringify([credentials, await made.read()])).not.toMatch(/abc|passw0rd/)
})

const stored = (made: Awaited<ReturnType<typeof shop>>) => made.stored()

test.each([
  [
    "another secret of the block",
    request("https://a.example", { Cookie: "id=abc123" }, { token: "abc123" }),
    "The block has one credential already",
  ],
  [
    "a variable in the value",
    request("https://a.example", { "X-Api-Key": "a1b2c3d4e5f6{{X}}" }),
    "A part of the value is a variable",
  ],
  [
    "a variable in the host",
    request("https://{{Host}}/", { "X-Api-Key": "abc123" }),
    "The host of the address is a variable, or none",
  ],
  [
    "a request of the browser",
    request("https://a.example", { "X-Api-Key": "abc123" }, {}, { isExecutedOnClient: true }),
    "The request is made by the browser, which gets no secret",
  ],
  [
    "a header of the connection",
    request("https://a.example", { "Proxy-Authorization": "Basic abc123" }),
    "No credential can hold this name or value",
  ],
])("%s stays, with the reason", async (_, each, reason) => {
  const made = await shop(each)
  const { skipped } = await made.call.credentials.extract({ botId: made.botId })
  expect(skipped.map((secret) => secret.reason)).toEqual([reason])
  expect(skipped[0]).toMatchObject({ place: 'Group "A" › block 2 "Webhook"' })
})

test("a dry run and a refusal change nothing", async () => {
  const made = await shop(request("https://a.example", { "X-Api-Key": "abc123" }))
  const { botId, call } = made
  const before = await made.read()
  const planned = await call.credentials.extract({ botId, dryRun: true })
  expect(planned.credentials).toMatchObject([{ name: "X-Api-Key for a.example" }])
  expect(planned.credentials[0]).not.toHaveProperty("credentialsId")
  expect([await made.read(), await made.stored()]).toEqual([before, []])
  const { groups } = before
  const [block] = groups[0]?.blocks.slice(1) ?? []
  const edits = [
    { type: "block.put" as const, groupId: groups[0]?.id ?? "", block: block as never },
  ]
  const other = await newUser(db)
  await db.pool.query(
    "insert into bot_collaborators (bot_id, user_id, type) values ($1, $2, 'WRITE')",
    [botId, other.id],
  )
  await other.call.bot.edit({ botId, revision: 1, edits })
  const stale = await refusalOf(call.credentials.extract({ botId, revision: 1 }))
  expect(stale).toMatchObject({ code: "CONFLICT" })
  expect(await made.stored()).toEqual([])
})
