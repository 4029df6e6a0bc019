/** Ratings that a rating input takes. */
import { expect, test } from "vitest"
import { type BlockOf, testScene } from "../../../../../test/support/context.ts"
import { ratingInputBlock, ratingInputBlockSchema } from "./block.ts"

type RatingInputBlock = BlockOf<typeof ratingInputBlock>

const blockWith = (options?: RatingInputBlock["options"]): RatingInputBlock =>
  ratingInputBlockSchema.parse({ id: "i", type: "rating input", ...(options && { options }) })

const reply = (text: string, length?: number) =>
  ratingInputBlock.reply(blockWith({ length }), { type: "text", text }, testScene())

test.each([
  ["10", undefined],
  ["0", undefined],
  ["-4", undefined],
  ["3.5", 5],
  ["", 5],
  [" 5 ", 5],
  ["1e0", 5],
])("18.11 takes %j of %s unchanged", (text, length) => {
  expect(reply(text, length)).toEqual({ accept: text })
})

test.each([
  ["11", undefined],
  ["6", 5],
  ["five", undefined],
  ["5 stars", undefined],
  ["3,5", 5],
  ["Infinity", 5],
])("18.11 asks again after %j of %s", (text, length) => {
  expect(reply(text, length)).toBe("retry")
})

test("18.11 asks again without a text", () => {
  expect(ratingInputBlock.reply(blockWith(), undefined, testScene())).toBe("retry")
})

test.each([
  [0, { startsAt: 0 }],
  ["{{From}}", { startsAt: 1 }],
  ["{{Nothing}}", {}],
])("18.11 asks with startsAt %j as %j", (startsAt, filled) => {
  const context = testScene({ variables: { From: "1" } })
  expect(ratingInputBlock.ask(blockWith({ length: 5, startsAt }), context)).toEqual({
    options: { length: 5, ...filled },
  })
})

test("18.11 asks with its labels filled in and the present value", () => {
  const block = blockWith({
    variableId: "vStars",
    labels: { left: "{{Stars}}" },
    customIcon: { isEnabled: true, svg: "<svg/>" },
  })
  expect(ratingInputBlock.ask(block, testScene({ variables: { Stars: "3" } }))).toEqual({
    options: {
      variableId: "vStars",
      labels: { left: "3" },
      customIcon: { isEnabled: true, svg: "<svg/>" },
    },
    prefilledValue: "3",
  })
})
