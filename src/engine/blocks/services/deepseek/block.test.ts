/** DeepSeek. */
import { expect, it } from "vitest"
import { testScene } from "../../../../../test/support/scene.ts"
import { callOf } from "../service.ts"
import { deepseekBlock } from "./block.ts"

it("asks DeepSeek with its credential, and keeps the text and the tokens", () => {
  const block = deepseekBlock.schema.parse({
    id: "b",
    type: "deepseek",
    options: {
      action: "Create chat completion",
      credentialsId: "c",
      model: " m1 ",
      messages: [{ role: "user", content: "Hi {{N}}" }],
      temperature: "{{T}}",
      responseMapping: [{ variableId: "vA" }, { item: "Total tokens", variableId: "vB" }],
    },
  })
  const scene = testScene({ variables: { N: "Ann", T: "0,5" } })
  expect(callOf(deepseekBlock.run(block, scene))).toEqual({
    kind: "model",
    protocol: "chatCompletions",
    credential: { id: "c", type: "deepseek" },
    baseUrl: "https://api.deepseek.com/v1",
    model: "m1",
    messages: [{ role: "user", content: "Hi Ann" }],
    temperature: 0.5,
    maxSteps: 6,
  })
  const answer = { text: "Hello", usage: { total: 7 } }
  expect(deepseekBlock.resume.model(block, answer, scene).set).toEqual([
    { variableId: "vA", value: "Hello" },
    { variableId: "vB", value: "7" },
  ])
})

it("does nothing but log without options", () => {
  const step = deepseekBlock.run({ id: "b", type: "deepseek" }, testScene())
  expect(step).toEqual({ log: [{ description: "deepseek is not configured" }] })
})
