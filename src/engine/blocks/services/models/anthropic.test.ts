/** Anthropic: chat messages. */
import { expect, it } from "vitest"
import { testScene } from "../../../../../test/support/context.ts"
import { callOf } from "../serviceBlock.ts"
import { providerBlocks } from "./providers.ts"

const { anthropic: anthropicBlock } = providerBlocks

const block = anthropicBlock.schema.parse({
  id: "b",
  type: "anthropic",
  options: {
    action: "Create Chat Message",
    credentialsId: "c",
    model: "claude-x",
    systemMessage: "Be kind to {{N}}",
    maxTokens: "{{Max}}",
    messages: [
      { role: "Dialogue", dialogueVariableId: "vTalk", startsBy: "assistant" },
      { role: "user", content: "Look\n\nhttps://p.test/a.png\n\nand\n\ntell" },
    ],
    responseMapping: [{ item: "Message Content", variableId: "vA" }],
  },
})
const context = testScene({
  variables: { N: "Ann", Max: "100", Talk: ["hello", "hi", "how?"], A: undefined },
})

it("21.3 sends the system message first, then a dialogue by turns, then pictures as parts", () => {
  expect(callOf(anthropicBlock.run(block, context))).toEqual({
    kind: "model",
    protocol: "anthropicMessages",
    credential: { id: "c", type: "anthropic" },
    baseUrl: "https://api.anthropic.com/v1",
    model: "claude-x",
    maxTokens: 100,
    maxSteps: 6,
    messages: [
      { role: "system", content: "Be kind to Ann" },
      { role: "assistant", content: "hello" },
      { role: "user", content: "hi" },
      { role: "assistant", content: "how?" },
      {
        role: "user",
        content: [{ text: "Look" }, { url: "https://p.test/a.png" }, { text: "and\n\ntell" }],
      },
    ],
  })
})

it("21.3 understands the older spelling of the content", () => {
  expect(anthropicBlock.resume.model(block, { text: "Hello" }, context).set).toEqual([
    { variableId: "vA", value: "Hello" },
  ])
})

it("21.3 drops blank messages, in dialogues too", () => {
  const options = {
    ...block.options,
    systemMessage: "{{N}}",
    messages: [
      { role: "Dialogue" as const, dialogueVariableId: "vTalk" },
      { role: "user" as const, content: "\n{{N}}" },
    ],
  }
  const scene = testScene({ variables: { N: " ", Talk: ["hello", " ", "\n", "hi"] } })
  expect(callOf(anthropicBlock.run({ ...block, options }, scene))).toMatchObject({
    messages: [
      { role: "user", content: "hello" },
      { role: "assistant", content: "hi" },
    ],
  })
})

it("21.5 numbers generated values whose names Anthropic refuses as keys", () => {
  const extraction = anthropicBlock.schema.parse({
    ...block,
    options: {
      action: "Generate variables",
      credentialsId: "c",
      model: "claude-x",
      prompt: "p",
      variablesToExtract: [
        { variableId: "vPrénom", description: "Who" },
        { variableId: "vAge", type: "number" },
      ],
    },
  })
  const scene = testScene({ variables: { Prénom: undefined, Age: undefined } })
  expect(callOf(anthropicBlock.run(extraction, scene))).toMatchObject({
    answerSchema: {
      properties: {
        value1: { type: "string", description: "Prénom: Who" },
        value2: { type: "number", description: "Age" },
      },
      required: ["value1", "value2"],
    },
  })
  const text = '{"value1":"Zoé","value2":41}'
  expect(anthropicBlock.resume.model(extraction, { text }, scene).set).toEqual([
    { variableId: "vPrénom", value: "Zoé" },
    { variableId: "vAge", value: 41 },
  ])
})
