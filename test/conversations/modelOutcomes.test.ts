/** Every block that asks a model says how that ended, so that flows can branch on it. */
import { describe, expect, it } from "vitest"
import type { Failure } from "../../src/engine/calls.ts"
import { block, bot, group, idOf, say } from "../support/bots.ts"
import { talk } from "../support/talk.ts"

const outcome = [{ item: "Outcome", variableId: idOf("Outcome") }]
const messages = [{ id: "m", role: "user", content: "Hi" }]
const asking = { credentialsId: "c", model: "m-1", messages, responseMapping: outcome }
const extracting = {
  ...asking,
  action: "Generate variables",
  prompt: "Hi",
  variablesToExtract: [{ variableId: idOf("Name") }],
}

const complete = "Create chat completion"
const blocks = [
  ["openai", { ...asking, action: complete }],
  ["openai", { ...asking, action: "Ask Model", message: "Hi" }],
  ["openai", extracting],
  ["mistral", { ...asking, action: complete }],
  ["mistral", extracting],
  ["anthropic", { ...asking, action: "Create Chat Message" }],
  ["anthropic", extracting],
  ["groq", { ...asking, action: complete }],
  ["deepseek", { ...asking, action: complete }],
  ["open-router", { ...asking, action: complete }],
  ["together-ai", { ...asking, action: complete }],
  ["perplexity", { ...asking, action: complete }],
  ["dify-ai", { ...asking, action: "Create Chat Message", query: "Hi" }],
  [
    "OpenAI",
    {
      credentialsId: "c",
      task: complete,
      messages,
      responseMapping: [{ valueToExtract: "Outcome", variableId: idOf("Outcome") }],
    },
  ],
] as const

const failure = (parts: Partial<Failure>): Failure => ({
  failed: true,
  description: "No",
  ...parts,
})

describe.each(blocks)("21.20 the outcome of %s %#", (type, options) => {
  const flow = bot(
    { variables: { Name: "", Outcome: "none yet" } },
    group("g", block(type, options), say("{{Outcome}}")),
  )
  const outcomeOf = (answer: Failure | { text: string }) =>
    talk(flow, { answers: { model: () => answer } })

  it("is ok after an answer", () => {
    outcomeOf({ text: '{"Name":"Ann"}' }).bot("ok")
  })

  it("is limit when the workspace has used its tokens", () => {
    outcomeOf(failure({ reason: "limit" })).bot("limit")
  })

  it("is failed after any other failure", () => {
    outcomeOf(failure({ reason: "timeout" })).bot("failed")
  })
})

describe("21.20 the outcome", () => {
  it("is failed when no call can be made, and of an answer without the values asked for", () => {
    const said = (options: Record<string, unknown>, text = "") => {
      const flow = bot(group("g", block("openai", options), say("{{Outcome}}")))
      return talk(flow, { answers: { model: () => ({ text }) } })
    }
    said({ ...asking, action: complete, credentialsId: undefined }).bot("failed")
    said({ ...asking, action: complete, messages: [] }).bot("failed")
    said({ ...extracting }, "no JSON").bot("failed")
  })

  it("changes nothing where no variable asks for it", () => {
    const options = { ...asking, action: complete, responseMapping: undefined }
    const { turn } = talk(bot(group("g", block("openai", options), say("Bye"))), {
      answers: { model: () => ({ text: "Hi" }) },
    })
    expect(turn.session.queue[0]?.values ?? []).toEqual([])
  })
})
