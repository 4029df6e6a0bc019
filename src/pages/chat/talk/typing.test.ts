/** Tests how long the bot seems to type. */
import { expect, test } from "vitest"
import type { ChatMessage, Settings } from "../payload.ts"
import { typingMs } from "./typing.ts"

const text = (words: string): ChatMessage => ({
  id: "m",
  type: "text",
  content: { type: "richText", richText: [{ type: "p", children: [{ text: words }] }] },
})
const ten = text("one two three four five six seven eight nine ten")
const picture: ChatMessage = { id: "i", type: "image", content: { url: "https://e.com/a.png" } }

const cases: [string, ChatMessage, Settings, boolean, number][] = [
  ["400 words a minute", ten, {}, false, 1_500],
  ["at most three seconds", text("word ".repeat(100)), {}, false, 3_000],
  ["nothing before the first message", ten, {}, true, 0],
  ["nothing before a picture", picture, {}, false, 0],
  ["the author's speed", ten, { typingEmulation: { speed: 100, maxDelay: 10 } }, false, 6_000],
  ["the author's limit", ten, { typingEmulation: { maxDelay: 0.5 } }, false, 500],
  ["no limit of speed", ten, { typingEmulation: { speed: 0 } }, false, 3_000],
  [
    "the first message too",
    ten,
    { typingEmulation: { isDisabledOnFirstMessage: false } },
    true,
    1_500,
  ],
  ["a pause between messages", ten, { typingEmulation: { delayBetweenBubbles: 2 } }, false, 3_500],
  [
    "the pause alone",
    ten,
    { typingEmulation: { enabled: false, delayBetweenBubbles: 2 } },
    false,
    2_000,
  ],
  [
    "a pause before pictures",
    picture,
    { typingEmulation: { delayBetweenBubbles: 2 } },
    false,
    2_000,
  ],
  ["nothing where it is off", ten, { typingEmulation: { enabled: false } }, false, 0],
  [
    "nothing where old bots switch it off",
    ten,
    { general: { isTypingEmulationEnabled: false } },
    false,
    0,
  ],
]

test.each(cases)("it takes %s", (_, message, settings, isFirst, ms) => {
  expect(typingMs(message, settings, isFirst)).toBe(ms)
})
