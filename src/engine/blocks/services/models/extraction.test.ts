/** Generated variables at Mistral, which also completes chats. */
import { describe, expect, it } from "vitest"
import { testScene } from "../../../../../test/support/context.ts"
import { callOf } from "../serviceBlock.ts"
import { providerBlocks } from "./providers.ts"

const { mistral: mistralBlock } = providerBlocks
type MistralBlock = ReturnType<typeof mistralBlock.schema.parse>

const blockOf = (options: NonNullable<MistralBlock["options"]>): MistralBlock =>
  mistralBlock.schema.parse({
    id: "b",
    type: "mistral",
    options: { credentialsId: "c", ...options },
  })

it("21.2 completes chats", () => {
  const block = blockOf({
    action: "Create chat completion",
    model: "m",
    messages: [{ role: "user", content: "Hi" }],
  })
  expect(callOf(mistralBlock.run(block, testScene()))).toMatchObject({
    baseUrl: "https://api.mistral.ai/v1",
    messages: [{ role: "user", content: "Hi" }],
  })
})

describe("21.5 generating variables", () => {
  const block = blockOf({
    action: "Generate variables",
    model: "m",
    prompt: "From {{Text}}",
    variablesToExtract: [
      { type: "string", variableId: "vName", description: "Who" },
      { type: "array", variableId: "vTags", isRequired: false },
      { type: "enum", variableId: "vMood", values: ["good", "bad"], isRequired: false },
      { type: "number", variableId: "gone" },
    ],
  })
  const context = testScene({
    variables: { Text: "T", Name: undefined, Tags: undefined, Mood: undefined },
  })

  it("asks for an object with the names of the variables", () => {
    expect(callOf(mistralBlock.run(block, context))).toMatchObject({
      kind: "model",
      messages: [{ role: "user", content: "From T" }],
      maxSteps: 1,
      answerSchema: {
        type: "object",
        properties: {
          Name: { type: "string", description: "Who" },
          Tags: { type: ["array", "null"], items: { type: "string" } },
          Mood: { type: ["string", "null"], enum: ["good", "bad", null] },
        },
        required: ["Name", "Tags", "Mood"],
      },
    })
  })

  it("stores every value that is not null", () => {
    const text = '{"Name":"Ann","Tags":["a","b"],"Mood":null}'
    expect(mistralBlock.resume.model(block, { text }, context).set).toEqual([
      { variableId: "vName", value: "Ann" },
      { variableId: "vTags", value: ["a", "b"] },
    ])
  })

  it("logs an answer that is not an object, and missing options", () => {
    const step = mistralBlock.resume.model(block, { text: "Sorry" }, context)
    expect(step.log?.[0]).toMatchObject({ status: "error", details: "Sorry" })
    const logOf = (options: NonNullable<MistralBlock["options"]>) =>
      mistralBlock.run(blockOf({ action: "Generate variables", ...options }), context).log?.[0]
    expect(logOf({})?.description).toBe("No model is given")
    expect(logOf({ model: "m" })?.description).toBe("No prompt is given")
    expect(logOf({ model: "m", prompt: "p" })?.description).toBe(
      "No variables to generate are given",
    )
  })

  it("is never streamed", () => {
    const chat = { isStreamEnabled: true }
    expect(mistralBlock.stream?.(block, testScene({ chat, nextSpoken: "vName" }))).toBeUndefined()
  })
})
