/** Messages about wrong options, and the origin of the script. */
import { expect, test, vi } from "vitest"
import { checkSettings } from "./checkSettings.ts"
import { scriptOrigin } from "./scriptOrigin.ts"

test.each([
  [
    undefined,
    'Parley.initBubble takes an object of options, such as Parley.initBubble({ bot: "newsletter" })',
  ],
  [{}, "Parley.initBubble needs the option bot, the public id of a bot"],
  [{ bot: "a", typo: 1 }, 'Parley.initBubble has no option "typo": it takes bot, host, '],
  [{ bot: "a", toString: 1 }, 'Parley.initBubble has no option "toString": it takes bot, host, '],
  [
    { bot: 7 },
    'the option bot of Parley.initBubble takes a value of the type string, such as "newsletter"',
  ],
  [
    { bot: "a", theme: null },
    "the option theme of Parley.initBubble takes a value of the type object, such as",
  ],
  [
    { bot: "a", onEvent: "x" },
    "the option onEvent of Parley.initBubble takes a value of the type function, such as",
  ],
])("%j is answered with a sentence", (given, sentence) => {
  const problems = checkSettings("initBubble", given)
  expect(problems).toEqual([expect.stringContaining(sentence)])
})

test("right options are answered with nothing", () => {
  const given = { bot: "a", host: undefined, isTrusted: false, onEvent: () => {} }
  expect(checkSettings("initBubble", given)).toEqual([])
})

test.each([
  ["Error\n    at scriptOrigin (https://chat.test/embed.js?v=1:3:17)", "https://chat.test"],
  ["x@http://127.0.0.1:3000/embed.js:1:2\nmodule code@", "http://127.0.0.1:3000"],
  ["Error\n    at https://shop.test/index.html:3:17", undefined],
  ["Error\n    at https://shop.test/bundle.js:3:17", undefined],
  ["", undefined],
])("the stack %j of a module means the origin %j", (stack, origin) => {
  vi.stubGlobal("document", { currentScript: null })
  vi.stubGlobal("HTMLScriptElement", class {})
  expect(scriptOrigin(stack)).toBe(origin)
})
