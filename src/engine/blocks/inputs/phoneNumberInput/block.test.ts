/** Phone numbers are found and stored. */
import { expect, test } from "vitest"
import { type BlockOf, testScene } from "../../../../../test/support/context.ts"
import { phoneNumberInputBlock } from "./block.ts"

type PhoneNumberInputBlock = BlockOf<typeof phoneNumberInputBlock>

const blockWith = (options?: PhoneNumberInputBlock["options"]): PhoneNumberInputBlock => ({
  id: "i",
  type: "phone number input",
  ...(options && { options }),
})

const reply = (text: string, defaultCountryCode?: string) =>
  phoneNumberInputBlock.reply(
    blockWith({ defaultCountryCode }),
    { type: "text", text },
    testScene(),
  )

test.each([
  ["+33 6 01 02 03 04", undefined, "+33601020304"],
  ["+33601020304", "US", "+33601020304"],
  ["06 01 02 03 04", "FR", "+33601020304"],
  ["0171 1234567", "DE", "+491711234567"],
  ["0171/12 345-67", "DE", "+491711234567"],
  ["٠١٧١ ١٢٣٤٥٦٧", "DE", "+491711234567"],
  ["０１７１ １２３４５６７", "DE", "+491711234567"],
  ["0049 171 1234567", "FR", "+491711234567"],
  ["00491711234567", undefined, "+491711234567"],
  ["＋４９ １７１ １２３４５６７", undefined, "+491711234567"],
  ["+49 (0)171 1234567", undefined, "+491711234567"],
  ["(213) 373-4253", "US", "+12133734253"],
  ["Call me at +33 6 01 02 03 04 or +1 213 373 4253", undefined, "+33601020304"],
])("18.5 finds in %j with country %s the number %s", (text, country, stored) => {
  expect(reply(text, country)).toEqual({ accept: stored })
})

test.each([
  ["06 01 02 03 04", undefined],
  ["06 01 02 03 04", "fr"],
  ["06 01 02 03 04", "XX"],
  ["06 01 02 03 04", ""],
  ["06 01 02 03 04", "International"],
  ["33601020304", undefined],
  ["+33 1", "FR"],
  ["none of your business", "FR"],
  ["", "FR"],
])("18.5 finds none in %j with country %j", (text, country) => {
  expect(reply(text, country)).toBe("retry")
})

test("18.5 skips a text that is too long to be a phone number", () => {
  const started = performance.now()
  expect(reply("1, ".repeat(33_000), "FR")).toBe("retry")
  expect(performance.now() - started).toBeLessThan(5_000)
})

test("18.5 asks again without a text", () => {
  expect(phoneNumberInputBlock.reply(blockWith(), undefined, testScene())).toBe("retry")
})

test("18.5 uses the bot's text for a bad reply", () => {
  expect(phoneNumberInputBlock.retryText).toBeUndefined()
})

test("18.5 asks with its options filled in and the present value", () => {
  const block = blockWith({ variableId: "vPhone", defaultCountryCode: "FR" })
  const context = testScene({ variables: { Phone: "+33601020304" } })
  expect(phoneNumberInputBlock.ask(block, context)).toEqual({
    options: { variableId: "vPhone", defaultCountryCode: "FR" },
    prefilledValue: "+33601020304",
  })
})
