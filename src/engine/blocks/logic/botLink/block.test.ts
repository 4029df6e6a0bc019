/** Links to bots under both names. */
import { describe, expect, test } from "vitest"
import { testScene } from "../../../../../test/support/context.ts"
import { type BotLinkBlock, botLinkBlock, typebotLinkBlock } from "./block.ts"

const block = (options: BotLinkBlock["options"]): BotLinkBlock => ({
  id: "l",
  type: "Bot link",
  options,
})
const context = testScene({ variables: { Where: "Contact" } })

test("19.9 both names ask for the bot that they name", () => {
  const call = { next: { call: { kind: "bot", botId: "b1" } } }
  expect(botLinkBlock.run(block({ botId: "b1" }), context)).toEqual(call)
  expect(
    typebotLinkBlock.run({ id: "l", type: "Typebot link", options: { typebotId: "b1" } }, context),
  ).toEqual(call)
})

test("19.9 neither name is rewritten", () => {
  const old = { id: "l", type: "Typebot link", options: { typebotId: "b", mergeResults: true } }
  const own = { id: "l", type: "Bot link", options: { botId: "b", groupId: "g" } }
  expect(typebotLinkBlock.schema.parse(old)).toEqual(old)
  expect(botLinkBlock.schema.parse(own)).toEqual(own)
})

test("19.9 the current bot is entered without asking", () => {
  expect(botLinkBlock.run(block({ botId: "current", groupId: "g" }), context)).toEqual({
    next: { enter: { groupId: "g", mergesResults: false } },
  })
})

describe("19.9 a linked bot", () => {
  const enter = (options: BotLinkBlock["options"], chat = {}) =>
    botLinkBlock.resume.bot(
      block({ botId: "b1", ...options }),
      { version: "v7" },
      testScene({ variables: { Where: "Contact" }, chat }),
    )

  test("is entered at its start, at a group, or at a title that a variable holds", () => {
    expect(enter({})).toEqual({ next: { enter: { version: "v7", mergesResults: false } } })
    expect(enter({ groupId: "g" })).toEqual({
      next: { enter: { version: "v7", groupId: "g", mergesResults: false } },
    })
    expect(enter({ groupId: "{{Where}}" })).toEqual({
      next: { enter: { version: "v7", groupTitle: "Contact", mergesResults: false } },
    })
  })

  test("merges results as its option says, else as the flow's version does", () => {
    const merges = (step: ReturnType<typeof enter>) =>
      typeof step.next === "object" && "enter" in step.next && step.next.enter.mergesResults
    expect(merges(enter({ mergeResults: true }))).toBe(true)
    expect(merges(enter({}, { mergesLinks: true }))).toBe(true)
    expect(merges(enter({ mergeResults: false }, { mergesLinks: true }))).toBe(false)
  })
})

test("19.9 a link that leads nowhere leaves a log and passes", () => {
  expect(botLinkBlock.run(block(undefined), context)).toEqual({
    log: [
      {
        status: "error",
        description: "Failed to link to the bot",
        details: "No bot was chosen",
      },
    ],
  })
  const outcome = { failed: true as const, description: "The bot is not published" }
  expect(botLinkBlock.resume.bot(block({ botId: "b1" }), outcome, context)).toEqual({
    log: [
      {
        status: "error",
        description: "Failed to link to the bot",
        details: "The bot is not published",
      },
    ],
  })
})
