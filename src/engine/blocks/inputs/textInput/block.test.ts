/** A text input takes texts, attachments and clips. */
import { expect, test } from "vitest"
import { testScene } from "../../../../../test/support/context.ts"
import { type TextInputBlock, textInputBlock, textInputBlockSchema } from "./block.ts"

const blockWith = (options?: TextInputBlock["options"]): TextInputBlock =>
  textInputBlockSchema.parse({ id: "i", type: "text input", ...(options && { options }) })

const text = (words: string, attachedFileUrls?: string[]) => ({
  type: "text" as const,
  text: words,
  ...(attachedFileUrls && { attachedFileUrls }),
})

test.each(["hello", "", " spaced ", "{{Name}}", "fail"])("18.1 takes %j unchanged", (words) => {
  expect(textInputBlock.reply(blockWith(), text(words), testScene())).toEqual({ accept: words })
})

test("18.1 asks again without a message", () => {
  expect(textInputBlock.reply(blockWith(), undefined, testScene())).toBe("retry")
})

test.each([
  ["no list yet, one file", undefined, ["u1"], "u1"],
  ["no list yet, several files", undefined, ["u1", "u2"], ["u1", "u2"]],
  ["a text, one file", "old", ["u1"], "u1"],
  ["a list, one file", ["old"], ["u1"], ["old", "u1"]],
  ["a list, several files", ["old"], ["u1", "u2"], ["old", "u1", "u2"]],
])("18.1 stores attachments: %s", (_case, present, urls, value) => {
  const block = blockWith({ attachments: { isEnabled: true, saveVariableId: "vFiles" } })
  const context = testScene({ variables: { Files: present } })
  expect(textInputBlock.reply(block, text("see", urls), context)).toEqual({
    accept: "see",
    attachedFileUrls: urls,
    set: [{ variableId: "vFiles", value }],
  })
})

test.each([
  [undefined],
  [{ isEnabled: true }],
  [{ isEnabled: false, saveVariableId: "vFiles" }],
])("18.1 keeps attachments with the answer alone when the options are %j", (attachments) => {
  const block = blockWith({ attachments })
  expect(textInputBlock.reply(block, text("see", ["u1"]), testScene())).toEqual({
    accept: "see",
    attachedFileUrls: ["u1"],
    set: [],
  })
})

test.each([
  ["without options", undefined, []],
  ["with clips switched off", { isEnabled: false, saveVariableId: "vClip" }, []],
  [
    "with a variable for clips",
    { isEnabled: true, saveVariableId: "vClip" },
    [{ variableId: "vClip", value: "https://e.com/a.webm" }],
  ],
])("18.1 takes a clip %s and does not set the linked variable", (_case, audioClip, set) => {
  const block = blockWith({ variableId: "vAnswer", audioClip })
  const message = { type: "audio" as const, url: "https://e.com/a.webm" }
  expect(textInputBlock.reply(block, message, testScene())).toEqual({
    accept: "https://e.com/a.webm",
    set,
    isSavedElsewhere: true,
  })
})

test("18.1 asks with its options filled in", () => {
  const block = blockWith({
    variableId: "vAnswer",
    labels: { placeholder: "Dear {{Name}}", button: "Go" },
    isLong: true,
    inputMode: "search",
  })
  expect(textInputBlock.ask(block, testScene({ variables: { Name: "Ann" } }))).toEqual({
    options: {
      variableId: "vAnswer",
      labels: { placeholder: "Dear Ann", button: "Go" },
      isLong: true,
      inputMode: "search",
    },
  })
})

test.each([
  ["a text", "old", "old"],
  ["a text with a token", "for {{Name}}", "for Ann"],
  ["a text whose token is empty", "{{Nobody}}", undefined],
  ["an empty text", "", undefined],
  ["nothing", undefined, undefined],
  ["a list", ["old"], undefined],
])("18.1 starts from the present value when that is %s", (_case, Answer, prefilledValue) => {
  const context = testScene({ variables: { Name: "Ann", Answer } })
  const asked = textInputBlock.ask(blockWith({ variableId: "vAnswer" }), context)
  expect(asked).toEqual({
    options: { variableId: "vAnswer" },
    ...(prefilledValue && { prefilledValue }),
  })
})

test("18.1 asks without options too", () => {
  expect(textInputBlock.ask(blockWith(), testScene())).toEqual({})
})

test.each([
  [undefined, "png", undefined],
  [{ attachments: { isEnabled: true } }, "png", { isPrivate: false }],
  [{ attachments: { isEnabled: false }, audioClip: { isEnabled: true } }, "png", undefined],
  [{ audioClip: { isEnabled: true, visibility: "Private" as const } }, "webm", { isPrivate: true }],
  [
    { attachments: { isEnabled: true, visibility: "Private" as const }, audioClip: {} },
    "mp3",
    { isPrivate: true },
  ],
])("18.1 with the options %j takes an upload of .%s: %j", (options, extension, rules) => {
  const block = { id: "t", type: "text input" as const, ...(options && { options }) }
  expect(textInputBlock.uploads?.(block, extension)).toEqual(rules)
})
