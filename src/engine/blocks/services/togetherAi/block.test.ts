/** Together AI. */
import { expect, it } from "vitest"
import { testScene } from "../../../../../test/support/scene.ts"
import { callOf } from "../service.ts"
import { togetherAiBlock } from "./block.ts"

it("asks Together AI with its credential, and keeps the text and the tokens", () => {
  const block = togetherAiBlock.schema.parse({
    id: "b",
    type: "together-ai",
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
  expect(callOf(togetherAiBlock.run(block, scene))).toEqual({
    kind: "model",
    protocol: "chatCompletions",
    credential: { id: "c", type: "together-ai" },
    baseUrl: "https://api.together.xyz/v1",
    model: "m1",
    messages: [{ role: "user", content: "Hi Ann" }],
    temperature: 0.5,
    maxSteps: 6,
  })
  const answer = { text: "Hello", usage: { total: 7 } }
  expect(togetherAiBlock.resume.model(block, answer, scene).set).toEqual([
    { variableId: "vA", value: "Hello" },
    { variableId: "vB", value: "7" },
  ])
})

it("does nothing but log without options", () => {
  const step = togetherAiBlock.run({ id: "b", type: "together-ai" }, testScene())
  expect(step).toEqual({ log: [{ description: "together-ai is not configured" }] })
})
