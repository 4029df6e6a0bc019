/** Blocks that only complete chats and differ in type and address. */
import { describe, expect, it } from "vitest"
import { testScene } from "../../../../../test/support/context.ts"
import { blockSchema, typeOf } from "../../registry.ts"
import { callOf } from "../serviceBlock.ts"
import type { providerBlocks } from "./providers.ts"

const addresses = {
  groq: "https://api.groq.com/openai/v1",
  deepseek: "https://api.deepseek.com/v1",
  "open-router": "https://openrouter.ai/api/v1",
  "together-ai": "https://api.together.xyz/v1",
  perplexity: "https://api.perplexity.ai",
} satisfies Partial<Record<keyof typeof providerBlocks, string>>

describe.each(Object.entries(addresses))("21.2 %s", (type, baseUrl) => {
  const read = (options?: object) => {
    const block = blockSchema.parse({ id: "b", type, ...(options ? { options } : {}) })
    const action = typeOf(block)
    if (action.kind !== "action") throw new Error(`${type} is not an action`)
    return { block, action }
  }

  it("asks the provider with its credential, and keeps the text and the tokens", () => {
    const { block, action } = read({
      action: "Create chat completion",
      credentialsId: "c",
      model: " m1 ",
      messages: [{ role: "user", content: "Hi {{N}}" }],
      temperature: "{{T}}",
      responseMapping: [{ variableId: "vA" }, { item: "Total tokens", variableId: "vB" }],
    })
    const context = testScene({ variables: { N: "Ann", T: "0,5" } })
    expect(callOf(action.run(block, context))).toEqual({
      kind: "model",
      protocol: "chatCompletions",
      credential: { id: "c", type },
      baseUrl,
      model: "m1",
      messages: [{ role: "user", content: "Hi Ann" }],
      temperature: 0.5,
      maxSteps: 6,
    })
    const answer = { text: "Hello", usage: { total: 7 } }
    expect(action.resume?.model?.(block, answer, context).set).toEqual([
      { variableId: "vA", value: "Hello" },
      { variableId: "vB", value: "7" },
    ])
  })

  it("only logs without options", () => {
    const { block, action } = read()
    const log = [{ description: `${type} is not configured` }]
    expect(action.run(block, testScene())).toEqual({ log })
  })
})
