/** A fake provider of models, for tests of every protocol. */
import { beforeEach } from "vitest"
import type { ReadFile } from "../../src/effects/files/readFile.ts"
import { createMcpTools } from "../../src/effects/mcp/mcpTools.ts"
import { createModels } from "../../src/effects/models/models.ts"
import type { GuardedFetch } from "../../src/effects/network/guardedFetch.ts"
import type { Performer } from "../../src/effects/perform.ts"
import type { Call, ModelTool, Outcome } from "../../src/engine/calls.ts"
import { runScripts } from "../support/outside.ts"
import { callContext, plainFetch, startPeer } from "./peer.ts"
import { wallet } from "./wallet.ts"

/** The provider. */
export const provider = await startPeer()

/** The key that must never be revealed. */
export const apiKey = "sk-top-secret-0123456789"

/** The content of addresses that end in `.png`. */
export const picture = Buffer.from("a picture")

/** A number in such an address is how many bytes there are. */
const readFile: ReadFile = async (url, _, { maxBytes }) => {
  const size = Number(/(\d+)\.png$/.exec(url)?.[1] ?? picture.length)
  if (size > maxBytes) return { failed: true, description: "The file is too large" }
  return url.endsWith(".png")
    ? { bytes: bytesOf(size), contentType: "image/png", name: "a.png" }
    : { bytes: picture, contentType: "text/html", name: "a.html" }
}

const bytesOf = (size: number) => (size === picture.length ? picture : Buffer.alloc(size))

const script: Performer<"script"> = async (call) => runScripts(call)

/** The provider's address, those of other protocols, and one where nothing listens. */
const allowedHosts = [
  new URL(provider.url).host,
  "api.mistral.ai",
  "api.groq.com",
  "api.deepseek.com",
  "127.0.0.1:2",
]

const credentials = wallet({
  ai: { type: "openai", data: { apiKey }, allowedHosts },
  dify: { type: "dify-ai", data: { apiKey, apiEndpoint: `${provider.url}/ignored/path` } },
  empty: { type: "openai", data: {} },
  moved: { type: "openai", data: { apiKey, baseUrl: `${provider.url}/own/` } },
})

/** Models that use this `fetch`. */
export const modelsOver = (fetch: GuardedFetch) =>
  createModels({
    credentials,
    readFile,
    fetch,
    script,
    mcp: createMcpTools({ credentials, fetch }),
  })

/** Models that make requests without the guard. */
export const models = modelsOver(plainFetch)

beforeEach(() => provider.answers())

/** A function of the author. */
export const weather: ModelTool = {
  name: "weather",
  description: "Tells the weather",
  parameters: { type: "object", properties: { city: { type: "string" } } },
  script: {
    code: 'setVariable("Seen", city); return { sunny: true, city }',
    globals: {},
    mode: "program",
  },
}

/** A question, by default for chat completions. */
export function ask(parts: Partial<Call<"model">> = {}): Call<"model"> {
  return {
    kind: "model",
    protocol: "chatCompletions",
    credential: { id: "ai", type: "openai" },
    baseUrl: `${provider.url}/v1`,
    model: "m-1",
    messages: [
      { role: "system", content: "Be brief" },
      { role: "user", content: "Hello" },
    ],
    maxSteps: 6,
    ...parts,
  }
}

/** The whole answer. */
export const perform = (parts?: Partial<Call<"model">>, context = callContext()) =>
  models.performer(ask(parts), context)

/** The texts and the outcome of a streamed answer; `onText` is called for each text. */
export async function stream(
  parts?: Partial<Call<"model">>,
  context = callContext(),
  onText = () => {},
) {
  const seen: string[] = []
  const answer = models.stream(ask(parts), context)
  for (;;) {
    const { done, value } = await answer.next()
    if (done) return { seen, outcome: value as Outcome<"model"> }
    seen.push(value)
    onText()
  }
}
