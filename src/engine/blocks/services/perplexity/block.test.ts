/** Perplexity. */
import { expect, it } from "vitest"
import { testScene } from "../../../../../test/support/scene.ts"
import { callOf } from "../service.ts"
import { perplexityBlock } from "./block.ts"

it("asks Perplexity with its credential, and keeps the text and the tokens", () => {
  const block = perplexityBlock.schema.parse({
    id: "b",
    type: "perplexity",
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
  expect(callOf(perplexityBlock.run(block, scene))).toEqual({
    kind: "model",
    protocol: "chatCompletions",
    credential: { id: "c", type: "perplexity" },
    baseUrl: "https://api.perplexity.ai",
    model: "m1",
    messages: [{ role: "user", content: "Hi Ann" }],
    temperature: 0.5,
    maxSteps: 6,
  })
  const answer = { text: "Hello", usage: { total: 7 } }
  expect(perplexityBlock.resume.model(block, answer, scene).set).toEqual([
    { variableId: "vA", value: "Hello" },
    { variableId: "vB", value: "7" },
  ])
})

it("does nothing but log without options", () => {
  const step = perplexityBlock.run({ id: "b", type: "perplexity" }, testScene())
  expect(step).toEqual({ log: [{ description: "perplexity is not configured" }] })
})
