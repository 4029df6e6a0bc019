/** Titles of groups by the model that a workspace names. */
import { beforeEach, describe, expect, test } from "vitest"
import { json, startPeer } from "../effects/peer.ts"
import { bot, group, groupIdOf, say } from "../support/bots.ts"
import { testServer } from "../support/server.ts"
import { until } from "../support/waiting.ts"

const provider = await startPeer()
const usage = { prompt_tokens: 12, completion_tokens: 5, total_tokens: 17 }
const says = (content: string) => json({ choices: [{ message: { content } }], usage })

const server = await testServer({
  ...{ PARLEY_ALLOW_HOSTS: "127.0.0.1", PARLEY_RATE_LIMITS: "off" },
  PARLEY_MODEL_TOKENS_PER_MONTH: "200",
})
const { send, workspaceId } = server
const post = async (path: string, body: object) =>
  (await send("POST", `/api/v1${path}`, { body })).body

const { credentialsId } = await post("/credentials", {
  workspaceId,
  credentials: {
    type: "openai",
    name: "AI",
    data: { apiKey: "sk-1", baseUrl: `${provider.url}/v1` },
  },
})
const flow = bot(
  group("Group #1", say("Your e-mail?")),
  group("Contact", say("Hi")),
  group("Group #2"),
)
const imported = await post("/bots/import", { workspaceId, bot: { ...flow, name: "Test" } })
const { id: botId } = imported.bot as { id: string }

const titles = {
  isEnabled: true,
  provider: "openai",
  credentialsId,
  model: "gpt-4.1",
  prompt: "Name it",
}
const set = (groupTitlesAutoGeneration: object | undefined) =>
  send("PATCH", `/api/v1/workspaces/${workspaceId}`, {
    body: { settings: { groupTitlesAutoGeneration } },
  })
const choose = (title: string, body: object = {}) =>
  post(`/bots/${botId}/groups/${encodeURIComponent(groupIdOf(title))}/title`, body)

beforeEach(async () => {
  provider.answers(says('{"title":"Ask for the e-mail"}'))
  await set(titles)
})

test("a group without a title gets one by the model, prompt and credential of the workspace", async () => {
  const before = await send("GET", `/api/v1/bots/${botId}`)
  expect(await choose("Group #1")).toEqual({ title: "Ask for the e-mail" })
  const [request] = provider.received
  expect(request?.headers.authorization).toBe("Bearer sk-1")
  expect(request?.json).toMatchObject({
    model: "gpt-4.1",
    messages: [
      { role: "system", content: expect.stringContaining("Name it") },
      { role: "user", content: "1. text: Your e-mail?" },
    ],
  })
  expect((await send("GET", `/api/v1/bots/${botId}`)).body).toEqual(before.body)
})

test("a group with a title gets another one only when asked", async () => {
  expect(await choose("Contact")).toMatchObject({
    status: 400,
    message: expect.stringContaining("`overwrite`"),
  })
  expect(provider.received).toHaveLength(0)
  expect(await choose("Contact", { overwrite: true })).toEqual({ title: "Ask for the e-mail" })
})

test("no model is asked about a group that is empty or does not exist", async () => {
  expect(await choose("Group #2")).toMatchObject({
    status: 400,
    message: expect.stringContaining("no blocks"),
  })
  expect(await choose("Nothing")).toMatchObject({ status: 404, message: "Group not found" })
  expect(provider.received).toHaveLength(0)
})

describe("settings that name no model are refused:", () => {
  test.each<[string, object | undefined, string]>([
    ["none", undefined, "switch it on"],
    ["switched off", { ...titles, isEnabled: false }, "switch it on"],
    ["without a model", { ...titles, model: undefined }, "A model and its credential are missing"],
    ["without a credential", { ...titles, credentialsId: undefined }, "A model and its credential"],
    ["another provider", { ...titles, provider: "acme" }, "name one of openai, anthropic"],
  ])("%s", async (_, settings, message) => {
    await set(settings)
    expect(await choose("Group #1")).toMatchObject({
      status: 400,
      message: expect.stringContaining(message),
    })
    expect(provider.received).toHaveLength(0)
  })
})

test("a provider that refuses, and an answer without a title, are described without the key", async () => {
  provider.answers(json({ error: { message: "The key sk-1 is wrong" } }, 401))
  expect(await choose("Group #1")).toEqual({
    error: "The provider of the model refused with status 401: The key *** is wrong",
  })
  provider.answers(says("…"))
  expect(await choose("Group #1")).toEqual({ error: "The model gave no title" })
})

test("a credential of another type is not sent to the provider", async () => {
  await set({ ...titles, provider: "groq" })
  expect(await choose("Group #1")).toMatchObject({ error: expect.stringContaining("not found") })
  expect(provider.received).toHaveLength(0)
})

test("tokens count for the workspace, and none are spent beyond its bound", async () => {
  let last: Record<string, unknown> = {}
  for (let calls = 0; calls < 15 && !last.error; calls++) last = await choose("Group #1")
  expect(last.error).toContain("The workspace has used its 200 tokens")
  await until(async () => {
    const { body } = await send("GET", `/api/v1/billing/usage?workspaceId=${workspaceId}`)
    return Number(body.inputTokens) + Number(body.outputTokens) >= 200
  })
})
