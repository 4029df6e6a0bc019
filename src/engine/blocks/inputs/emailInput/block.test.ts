/** Addresses that an email input takes. */
import { expect, test } from "vitest"
import { type BlockOf, testScene } from "../../../../../test/support/context.ts"
import { emailInputBlock } from "./block.ts"

type EmailInputBlock = BlockOf<typeof emailInputBlock>

const block: EmailInputBlock = { id: "i", type: "email input" }
const reply = (text: string) => emailInputBlock.reply(block, { type: "text", text }, testScene())

test.each([
  ["a@b.co", "a@b.co"],
  ["A@B.co", "a@b.co"],
  ["first.last+tag@sub.example.museum", "first.last+tag@sub.example.museum"],
  ["o'neil@my-host.org", "o'neil@my-host.org"],
  ['"two words"@b.co', '"two words"@b.co'],
  ['"a@b"@b.co', '"a@b"@b.co'],
  ["a@[127.0.0.1]", "a@[127.0.0.1]"],
  ["é@b.co", "é@b.co"],
  ["a@xn--bcher-kva.example", "a@xn--bcher-kva.example"],
])("18.3 stores %s as %s", (text, stored) => {
  expect(reply(text)).toEqual({ accept: stored })
})

test.each([
  "",
  "bad",
  " a@b.co",
  "a@b.co ",
  "a@b.co\n",
  "a@b",
  "a@b.c",
  "a@b.c0",
  "@b.co",
  "a@",
  ".a@b.co",
  "a.@b.co",
  "a..b@b.co",
  "a b@b.co",
  "a,b@b.co",
  "a;b@b.co",
  "a:b@b.co",
  "<a@b.co>",
  "(a)@b.co",
  "a@@b.co",
  "a@b@c.co",
  'a"b@b.co',
  '""@b.co',
  "a@.co",
  "a@b..co",
  "a@b_c.co",
  "a@bücher.example",
  "a@127.0.0.1",
  "a@[1.2.3]",
  "a@b.co, c@d.co",
])("18.3 asks again after %j", (text) => {
  expect(reply(text)).toBe("retry")
})

test.each([
  "a".repeat(100_000),
  "a.".repeat(50_000),
  `a@${"a.".repeat(50_000)}`,
  `a@${"a".repeat(100_000)}`,
  `a@b.${"c".repeat(100_000)}!`,
  '"@'.repeat(50_000),
  `"${"a@".repeat(50_000)}`,
  `"a"@${"-.".repeat(50_000)}`,
  '"a"@a.'.repeat(16_000),
])("18.3 judges a hostile text at once (%#)", (text) => {
  const started = performance.now()
  expect(reply(text)).toBe("retry")
  expect(performance.now() - started).toBeLessThan(5_000)
})

test("18.3 asks again without a text", () => {
  expect(emailInputBlock.reply(block, undefined, testScene())).toBe("retry")
  const clip = { type: "audio" as const, url: "https://e.com/a.webm" }
  expect(emailInputBlock.reply(block, clip, testScene())).toBe("retry")
})

test("18.3 has its own default text for a bad reply", () => {
  expect(emailInputBlock.retryText).toBe("invalidEmail")
})

test("18.3 asks with its options filled in and the present value", () => {
  const options = { variableId: "vMail", labels: { placeholder: "{{Name}}, please" } }
  const context = testScene({ variables: { Name: "Ann", Mail: "a@b.co" } })
  expect(emailInputBlock.ask({ ...block, options }, context)).toEqual({
    options: { variableId: "vMail", labels: { placeholder: "Ann, please" } },
    prefilledValue: "a@b.co",
  })
})
