/** Groq. */
import { expect, it } from "vitest"
import { testScene } from "../../../../../test/support/scene.ts"
import { callOf } from "../service.ts"
import { groqBlock } from "./block.ts"

it("asks Groq with its credential, and keeps the text and the tokens", () => {
  const block = groqBlock.schema.parse({
    id: "b",
    type: "groq",
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
  expect(callOf(groqBlock.run(block, scene))).toEqual({
    kind: "model",
    protocol: "chatCompletions",
    credential: { id: "c", type: "groq" },
    baseUrl: "https://api.groq.com/openai/v1",
    model: "m1",
    messages: [{ role: "user", content: "Hi Ann" }],
    temperature: 0.5,
    maxSteps: 6,
  })
  const answer = { text: "Hello", usage: { total: 7 } }
  expect(groqBlock.resume.model(block, answer, scene).set).toEqual([
    { variableId: "vA", value: "Hello" },
    { variableId: "vB", value: "7" },
  ])
})

it("does nothing but log without options", () => {
  const step = groqBlock.run({ id: "b", type: "groq" }, testScene())
  expect(step).toEqual({ log: [{ description: "groq is not configured" }] })
})
