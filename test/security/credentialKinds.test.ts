/** Tests every type of block that sends a key over HTTP, and the hosts that it can be made to send it to. */
import { Headers, type HeadersInit, Response } from "undici"
import { beforeEach, describe, expect, test } from "vitest"
import { createMcpTools } from "../../src/effects/mcp/mcpTools.ts"
import { createModels } from "../../src/effects/models/models.ts"
import type { GuardedFetch } from "../../src/effects/network/guardedFetch.ts"
import { createHttp } from "../../src/effects/network/http.ts"
import { blockSchema, blockTypes, typeOf } from "../../src/engine/blocks/registry.ts"
import { callOf } from "../../src/engine/blocks/services/serviceBlock.ts"
import type { Call, CallKind } from "../../src/engine/calls.ts"
import { callContext } from "../effects/peer.ts"
import { wallet } from "../effects/wallet.ts"
import { testScene } from "../support/context.ts"

const key = "sk-the-key-of-the-workspace-0123456789"
const own = "https://own.example:8443"
const evil = "https://evil.example"

/** Where the key arrives without an address in the flow; `leads`: whether a flow may name another. */
type Row = { options: Record<string, unknown>; host: string; leads?: true }

const say = { messages: [{ role: "user", content: "Hi" }], model: "m" }
const chat = { ...say, action: "Create chat completion" }
const speech = { input: "Hi", voice: "alloy", saveUrlInVariableId: "vA", model: "tts-1" }
const openAi = { host: "api.openai.com", leads: true } as const
const records = { action: "Search Records", tableId: "t" }

/** By what it does: the block's type, and how it is set. */
const rows: Record<string, [type: string, row: Row]> = {
  "OpenAI chat": ["openai", { options: chat, ...openAi }],
  "OpenAI variables": [
    "openai",
    {
      options: {
        action: "Generate variables",
        model: "m",
        prompt: "Hi",
        variablesToExtract: [{ variableId: "vA", type: "string" }],
      },
      ...openAi,
    },
  ],
  "OpenAI responses": [
    "openai",
    { options: { action: "Ask Model", model: "m", message: "Hi" }, ...openAi },
  ],
  "OpenAI assistant": [
    "openai",
    { options: { action: "Ask Assistant", assistantId: "a", message: "Hi" }, ...openAi },
  ],
  "OpenAI speech": ["openai", { options: { action: "Create speech", ...speech }, ...openAi }],
  "OpenAI transcription": [
    "openai",
    { options: { action: "Create transcription", url: "https://f.example/a.mp3" }, ...openAi },
  ],
  "OpenAI on Azure": ["openai", { options: { ...chat, apiVersion: "2024-10-21" }, ...openAi }],
  "old OpenAI chat": ["OpenAI", { options: { ...say, task: "Create chat completion" }, ...openAi }],
  "old OpenAI speech": ["OpenAI", { options: { ...speech, task: "Create speech" }, ...openAi }],
  Anthropic: [
    "anthropic",
    {
      options: { ...chat, action: "Create Chat Message", maxTokens: 9 },
      host: "api.anthropic.com",
    },
  ],
  Mistral: ["mistral", { options: chat, host: "api.mistral.ai" }],
  Groq: ["groq", { options: chat, host: "api.groq.com" }],
  DeepSeek: ["deepseek", { options: chat, host: "api.deepseek.com" }],
  OpenRouter: ["open-router", { options: chat, host: "openrouter.ai" }],
  Together: ["together-ai", { options: chat, host: "api.together.xyz" }],
  Perplexity: ["perplexity", { options: chat, host: "api.perplexity.ai" }],
  "Dify chat": [
    "dify-ai",
    { options: { action: "Create Chat Message", query: "Hi" }, host: "api.dify.ai" },
  ],
  "Dify knowledge": [
    "dify-ai",
    {
      options: { action: "Query Knowledge Base", datasetId: "d", query: "Hi" },
      host: "api.dify.ai",
    },
  ],
  ChatNode: [
    "chat-node",
    {
      options: { action: "Send Message", botId: "b", message: "Hi" },
      host: "api.public.chatnode.ai",
    },
  ],
  ElevenLabs: [
    "elevenlabs",
    {
      options: {
        action: "Convert text to speech",
        text: "Hi",
        voiceId: "v",
        modelId: "m",
        saveUrlInVariableId: "vA",
      },
      host: "api.elevenlabs.io",
    },
  ],
  NocoDB: ["nocodb", { options: records, host: "app.nocodb.com" }],
  Segment: [
    "segment",
    { options: { action: "Track", userId: "u", eventName: "e" }, host: "api.segment.io" },
  ],
  PostHog: [
    "posthog",
    { options: { action: "Capture", event: "e", distinctId: "d" }, host: "us.i.posthog.com" },
  ],
  Gmail: [
    "gmail",
    {
      options: { action: "Send email", to: "a@b.example", from: "Ann" },
      host: "gmail.googleapis.com",
    },
  ],
  Blink: ["blink", { options: { action: "Get Users" }, host: "api.joinblink.com" }],
}

/** Types with an account that send it in other ways: see their own tests. */
const others = ["Email", "Google Sheets", "mcp", "payment input", "zendesk"]

const data = { apiKey: key, accessToken: key, knowledgeApiKey: key }
const asked: { host: string; hasKey: boolean }[] = []

beforeEach(() => {
  asked.length = 0
})

const fetch: GuardedFetch = async (url, init) => {
  const headers = [...new Headers(init?.headers as HeadersInit).values()].join(" ")
  const logins = /Basic (\S+)/.exec(headers)?.[1] ?? ""
  const sent = [url, headers, Buffer.from(logins, "base64"), init?.body].join(" ")
  asked.push({ host: new URL(url).host, hasKey: sent.includes(key) })
  return new Response("{}", { status: 401 })
}

type Place = { address?: string; allowedHosts?: string[] }

/** Lets a block ask the world: what it came to. */
async function ask(
  [type, { options }]: [string, Row],
  flowAddress: string | undefined,
  place: Place,
) {
  const { address, allowedHosts = [] } = place
  const addresses = address ? { baseUrl: address, apiEndpoint: address, host: address } : {}
  const credentialType = type === "OpenAI" ? "openai" : type
  const credentials = wallet({
    key: { type: credentialType, data: { ...data, ...addresses }, allowedHosts },
  })
  const led = flowAddress
    ? { baseUrl: flowAddress, host: flowAddress, apiEndpoint: flowAddress, url: flowAddress }
    : {}
  const block = blockSchema.parse({
    id: "b",
    type,
    options: { ...led, ...options, credentialsId: "key" },
  })
  const blockType = typeOf(block)
  if (blockType.kind !== "action") throw new Error(`${type} is no action`)
  const call = callOf(blockType.run(block, testScene({ variables: { A: "x" } }))) as
    | Call<CallKind>
    | undefined
  const readFile = async () => ({ bytes: new Uint8Array(1), contentType: "audio/mpeg", name: "a" })
  const files = { save: async () => "" }
  const script = async () => ({ results: [] })
  const mcp = createMcpTools({ credentials, fetch })
  if (call?.kind === "model") {
    return createModels({ credentials, readFile, fetch, script, mcp }).performer(
      call,
      callContext(),
    )
  }
  if (call?.kind !== "http") throw new Error(`${type} asks for ${call?.kind}`)
  const outbound = { fetch }
  const http = createHttp({ outbound, credentials, readFile, files, allowsRestricted: false })
  return http(call, callContext())
}

test("every type of block that needs an account has a row", () => {
  const withAccount = Object.keys(blockTypes).filter((type) => {
    const declared = typeOf(blockSchema.parse({ id: "b", type }))
    return declared.needsCredentials !== undefined
  })
  const listed = new Set([...Object.values(rows).map(([type]) => type), ...others])
  expect(withAccount.toSorted()).toEqual([...listed].toSorted())
})

describe.each(Object.entries(rows))("%s", (_, [type, row]) => {
  const reached = (host: string) => [{ host, hasKey: true }]

  test("sends the key to its provider", async () => {
    await ask([type, row], undefined, {})
    expect(asked).toEqual(reached(row.host))
  })

  test("sends it to no address that a flow names", async () => {
    const outcome = await ask([type, row], evil, {})
    expect(asked).toEqual(row.leads ? [] : reached(row.host))
    if (row.leads) expect(outcome).toMatchObject({ failed: true, reason: "credentials" })
  })

  test("sends it to such an address when the owner allows its host", async () => {
    await ask([type, row], evil, { allowedHosts: ["evil.example"] })
    expect(asked).toEqual(reached(row.leads ? "evil.example" : row.host))
  })
})

/** Types whose credentials may have an address of their own. */
const addressed = [
  "openai",
  "OpenAI",
  "groq",
  "deepseek",
  "perplexity",
  "dify-ai",
  "nocodb",
  "posthog",
]

test.each(
  Object.entries(rows).filter(([, [type]]) => addressed.includes(type)),
)("%s prefers the address in the data of its credential", async (_, row) => {
  await ask(row, evil, { address: own })
  expect(asked).toEqual([{ host: "own.example:8443", hasKey: true }])
})
