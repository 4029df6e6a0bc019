/** Dify: apps and knowledge. */
import { describe, expect, it } from "vitest"
import { type BlockOf, type OptionsOf, testScene } from "../../../../../test/support/context.ts"
import { callOf } from "../serviceBlock.ts"
import { difyAiBlock } from "./block.ts"

type DifyAiBlock = BlockOf<typeof difyAiBlock>
type DifyOptions = OptionsOf<typeof difyAiBlock>

const blockOf = (options: DifyOptions): DifyAiBlock =>
  difyAiBlock.schema.parse({
    id: "b",
    type: "dify-ai",
    options: { credentialsId: "c", ...options },
  })

const chat: DifyOptions = {
  action: "Create Chat Message",
  query: "Hi {{N}}",
  conversationVariableId: "vC",
  inputs: [{ key: "k", value: "{{N}}" }],
  responseMapping: [
    { item: "Answer", variableId: "vA" },
    { item: "Total Tokens", variableId: "vT" },
  ],
}
const variables = { N: "Ann", C: "conv", A: undefined, T: undefined }

describe("21.9 a chat message", () => {
  it("continues the conversation", () => {
    expect(callOf(difyAiBlock.run(blockOf(chat), testScene({ variables })))).toEqual({
      kind: "model",
      protocol: "difyChat",
      credential: { id: "c", type: "dify-ai" },
      baseUrl: "https://api.dify.ai",
      messages: [{ role: "user", content: "Hi Ann" }],
      conversationId: "conv",
      app: { user: "parley", inputs: { k: "Ann" } },
      maxSteps: 1,
    })
  })

  it("keeps answer, tokens and conversation under old and new names", () => {
    const answer = { text: "Hello", usage: { total: 3 }, conversationId: "next" }
    expect(difyAiBlock.resume.model(blockOf(chat), answer, testScene({ variables })).set).toEqual([
      { variableId: "vA", value: "Hello" },
      { variableId: "vT", value: "3" },
      { variableId: "vC", value: "next" },
    ])
  })

  it("streams only into a variable mapped by the content's own name", () => {
    const parts = { chat: { isStreamEnabled: true }, nextSpoken: "vA", variables }
    expect(difyAiBlock.run(blockOf(chat), testScene(parts)).next).not.toBe("waitForClient")
    const named = { ...chat, responseMapping: [{ item: "Message content", variableId: "vA" }] }
    expect(difyAiBlock.run(blockOf(named), testScene(parts)).next).toBe("waitForClient")
    expect(difyAiBlock.stream?.(blockOf(named), testScene(parts))?.kind).toBe("model")
    const answer = { text: "Hello", conversationId: "next" }
    expect(difyAiBlock.streamed?.(blockOf(named), answer, testScene(parts))).toEqual({
      set: [{ variableId: "vC", value: "next" }],
    })
  })

  it("needs a query", () => {
    const step = difyAiBlock.run(blockOf({ ...chat, query: "" }), testScene())
    expect(step.log?.[0]?.description).toBe("No query is given")
  })
})

it("21.9 finds chunks in a knowledge base", () => {
  const block = blockOf({
    action: "Query Knowledge Base",
    datasetId: "d1",
    query: "q",
    responseMapping: [{ variableId: "vA" }],
  })
  const call = callOf(difyAiBlock.run(block, testScene()))
  expect(call?.kind === "http" ? call.request : undefined).toEqual({
    method: "POST",
    url: [
      { secret: "apiEndpoint", fallback: "https://api.dify.ai", as: "origin" },
      "/v1/datasets/d1/retrieve",
    ],
    headers: [["Authorization", ["Bearer ", { secret: "knowledgeApiKey" }]]],
    body: { text: '{"query":"q"}', contentType: "application/json" },
  })
  const text = '{"records":[{"segment":{"content":"one"}},{"segment":{"content":"two"}}]}'
  expect(difyAiBlock.resume.http(block, { status: 200, text }, testScene()).set).toEqual([
    { variableId: "vA", value: ["one", "two"] },
  ])
})
