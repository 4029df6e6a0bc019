/** OpenRouter. */
import { expect, it } from "vitest"
import { testScene } from "../../../../../test/support/scene.ts"
import { callOf } from "../service.ts"
import { openRouterBlock } from "./block.ts"

it("asks OpenRouter with its credential, and keeps the text and the tokens", () => {
  const block = openRouterBlock.schema.parse({
    id: "b",
    type: "open-router",
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
  expect(callOf(openRouterBlock.run(block, scene))).toEqual({
    kind: "model",
    protocol: "chatCompletions",
    credential: { id: "c", type: "open-router" },
    baseUrl: "https://openrouter.ai/api/v1",
    model: "m1",
    messages: [{ role: "user", content: "Hi Ann" }],
    temperature: 0.5,
    maxSteps: 6,
  })
  const answer = { text: "Hello", usage: { total: 7 } }
  expect(openRouterBlock.resume.model(block, answer, scene).set).toEqual([
    { variableId: "vA", value: "Hello" },
    { variableId: "vB", value: "7" },
  ])
})

it("does nothing but log without options", () => {
  const step = openRouterBlock.run({ id: "b", type: "open-router" }, testScene())
  expect(step).toEqual({ log: [{ description: "open-router is not configured" }] })
})
