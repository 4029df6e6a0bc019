/** Times are understood and stored. */
import { expect, test } from "vitest"
import { type BlockOf, testScene } from "../../../../../test/support/context.ts"
import type { Language } from "../../../../lib/languages.ts"
import { timeInputBlock } from "./block.ts"

type TimeInputBlock = BlockOf<typeof timeInputBlock>

const blockWith = (options?: TimeInputBlock["options"]): TimeInputBlock => ({
  id: "i",
  type: "time input",
  ...(options && { options }),
})

const reply = (text: string, options?: TimeInputBlock["options"], language?: Language) =>
  timeInputBlock.reply(
    blockWith(options),
    { type: "text", text },
    testScene({ chat: { language } }),
  )

test.each([
  ["10:30", undefined, "10:30"],
  ["5pm", undefined, "17:00"],
  ["noon", undefined, "12:00"],
  ["at 9:05 am please", undefined, "09:05"],
  ["14h30", undefined, "14:30"],
  ["9.05", undefined, "09:05"],
  ["１４：３０", undefined, "14:30"],
  ["17:30", "h:mm a", "5:30 PM"],
  ["17:30", "{{Format}}", "17:30"],
  ["17:30", "", "17:30"],
])("18.7 stores %j in format %j as %s", (text, format, stored) => {
  expect(reply(text, { format })).toEqual({ accept: stored })
})

test.each([
  ["de", "17 Uhr", "17:00"],
  ["de", "14.30 Uhr", "14:30"],
  ["fr", "14 h 30", "14:30"],
  ["zh", "下午3点", "15:00"],
] as const)("18.7 stores in a chat of the language %s the text %j as %s", (language, text, stored) => {
  expect(reply(text, {}, language)).toEqual({ accept: stored })
})

test.each(["17", "1030", "25:00", "25h00", "", "soon"])("18.7 asks again after %j", (text) => {
  expect(reply(text)).toBe("retry")
})

test("18.7 asks again without a text", () => {
  expect(timeInputBlock.reply(blockWith(), undefined, testScene())).toBe("retry")
})

test("18.7 asks with its options filled in and the present value", () => {
  const block = blockWith({ variableId: "vAt", labels: { button: "{{At}}?" } })
  expect(timeInputBlock.ask(block, testScene({ variables: { At: "10:30" } }))).toEqual({
    options: { variableId: "vAt", labels: { button: "10:30?" } },
    prefilledValue: "10:30",
  })
})
