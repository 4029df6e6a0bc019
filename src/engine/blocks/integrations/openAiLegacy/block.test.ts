/** OpenAI in older bots. */
import { describe, expect, it } from "vitest"
import { type SceneParts, testScene } from "../../../../../test/support/context.ts"
import { callOf } from "../../services/serviceBlock.ts"
import { openAiLegacyBlock } from "./block.ts"
import type { LegacyOptions, OpenAiLegacyBlock } from "./schema.ts"

const blockOf = (options: LegacyOptions): OpenAiLegacyBlock =>
  openAiLegacyBlock.schema.parse({ id: "b", type: "OpenAI", options })

const chat: LegacyOptions = {
  task: "Create chat completion",
  credentialsId: "c",
  messages: [
    { role: "system", content: "Be kind" },
    {
      role: "Messages sequence ✨",
      content: { assistantMessagesVariableId: "vBot", userMessagesVariableId: "vMe" },
    },
  ],
  advancedSettings: { temperature: "{{T}}" },
  responseMapping: [
    { id: "1", valueToExtract: "Message content", variableId: "vBot" },
    { id: "2", valueToExtract: "Total tokens", variableId: "vN" },
  ],
}
const variables = { Bot: ["hello"], Me: "hi", T: "1", N: undefined }
const context = (parts: SceneParts = {}) => testScene({ variables, ...parts })

describe("20.11 a chat completion", () => {
  it("turns the variables of a sequence into lists and interleaves them", () => {
    const step = openAiLegacyBlock.run(blockOf(chat), context())
    expect(step.set).toEqual([{ variableId: "vMe", value: ["hi"] }])
    expect(callOf(step)).toMatchObject({
      model: "gpt-3.5-turbo",
      temperature: 1,
      messages: [
        { role: "system", content: "Be kind" },
        { role: "assistant", content: "hello" },
        { role: "user", content: "hi" },
      ],
    })
    const more = context({ variables: { Bot: ["a1"], Me: ["u1", "u2"] } })
    expect(callOf(openAiLegacyBlock.run(blockOf(chat), more))).toMatchObject({
      messages: [
        { content: "Be kind" },
        { role: "user", content: "u1" },
        { role: "assistant", content: "a1" },
        { role: "user", content: "u2" },
      ],
    })
  })

  it("appends the text to a list and keeps the tokens", () => {
    const answer = { text: "fine", usage: { total: 9 } }
    expect(openAiLegacyBlock.resume.model(blockOf(chat), answer, context()).set).toEqual([
      { variableId: "vBot", value: ["hello", "fine"] },
      { variableId: "vN", value: "9" },
    ])
  })

  it("asks without the first message when the provider refuses, until none is left", () => {
    const refused = { failed: true as const, description: "too long", status: 400 }
    const { carry } = callOf(openAiLegacyBlock.run(blockOf(chat), context())) ?? {}
    const first = openAiLegacyBlock.resume.model(blockOf(chat), refused, { ...context(), carry })
    expect(first.log?.[0]?.status).toBe("info")
    expect(callOf(first)).toMatchObject({ messages: [{ content: "hello" }, { content: "hi" }] })
    const atLast = { ...context(), carry: { asked: 1, dropped: 2, hasWaited: false } }
    const last = openAiLegacyBlock.resume.model(blockOf(chat), refused, atLast)
    expect(last.next).toBeUndefined()
    expect(last.log?.[0]).toMatchObject({ status: "error", description: "too long" })
  })

  it("drops more messages each time, so a long conversation is retried only a few times", () => {
    const long = context({
      variables: { Bot: Array(500).fill("hello"), Me: Array(500).fill("hi") },
    })
    const refused = { failed: true as const, description: "no such voice", status: 400 }
    const asked: number[] = []
    let step = openAiLegacyBlock.run(blockOf(chat), long)
    for (let call = callOf(step); call?.kind === "model"; call = callOf(step)) {
      asked.push(call.messages.length)
      const { carry } = call
      step = openAiLegacyBlock.resume.model(blockOf(chat), refused, { ...long, carry })
    }
    expect(asked.slice(0, 5)).toEqual([1001, 1000, 998, 994, 986])
    expect(asked.slice(9)).toEqual([490, 245, 122, 61, 30, 15, 7, 3, 1])
    expect(step.log?.[0]).toMatchObject({ status: "error", description: "no such voice" })
  })

  it("asks a busy provider once more after three seconds", () => {
    const down = { failed: true as const, description: "down", status: 503 }
    const again = callOf(openAiLegacyBlock.resume.model(blockOf(chat), down, context()))
    expect(again).toMatchObject({ delayMs: 3000 })
    const after = { ...context(), carry: again?.carry }
    expect(openAiLegacyBlock.resume.model(blockOf(chat), down, after).next).toBeUndefined()
  })

  it("streams into the next bubble", () => {
    const parts = { chat: { isStreamEnabled: true }, nextSpoken: "vBot" }
    expect(openAiLegacyBlock.run(blockOf(chat), context(parts))).toMatchObject({
      act: [{ type: "stream", stream: true }],
      next: "waitForClient",
    })
    expect(openAiLegacyBlock.stream?.(blockOf(chat), context(parts))?.kind).toBe("model")
    expect(openAiLegacyBlock.receive?.(blockOf(chat), "fine", context())).toEqual({
      set: [{ variableId: "vBot", value: ["hello", "fine"] }],
      skipsNextBubble: true,
    })
  })
})

it("20.11 needs an account and a task, and makes no images", () => {
  expect(openAiLegacyBlock.run({ id: "b", type: "OpenAI" }, context())).toEqual({})
  expect(openAiLegacyBlock.run(blockOf({ task: "Create image" }), context())).toEqual({})
  const step = openAiLegacyBlock.run(blockOf({ ...chat, credentialsId: "" }), context())
  expect(step.log?.[0]?.status).toBe("error")
})

it("20.11 keeps speech as a file, once model, text, voice and variable are given", () => {
  const speech: LegacyOptions = {
    task: "Create speech",
    credentialsId: "c",
    model: "tts-1",
    input: "Hi",
    voice: "alloy",
    saveUrlInVariableId: "vN",
  }
  expect(callOf(openAiLegacyBlock.run(blockOf(speech), context()))?.kind).toBe("http")
  const { voice, ...mute } = speech
  expect(openAiLegacyBlock.run(blockOf(mute), context()).log?.[0]?.status).toBe("error")
  const answer = { status: 200, text: "", fileUrl: "https://f.test/a.mp3" }
  expect(openAiLegacyBlock.resume.http(blockOf(speech), answer, context()).set).toEqual([
    { variableId: "vN", value: "https://f.test/a.mp3" },
  ])
})
