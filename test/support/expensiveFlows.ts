/** Random flows that try to cost as much as they can: long values, long lists, loops, bad patterns. */
import fc from "fast-check"
import type { Flow } from "../../src/engine/bot.ts"
import { ask, block, bot, type Draft, group, idOf, jump, link, say, show, when } from "./bots.ts"

/** What long texts are made of: plain, Markdown, JSON, code, patterns, dates, numbers, scripts. */
const fragments = [
  "a",
  "word ",
  "é",
  "ﬁ",
  "😀",
  "\n",
  " ",
  "**b** ",
  "[a](b) ",
  "> ",
  "- ",
  "`",
  "<a>",
  "\\",
  "[[",
  "{}",
  '["a"],',
  "1,",
  "http://a.co/",
  "a@b.co ",
  "2026-01-01 ",
  "+1 ",
  "{{V}}",
  "{{=1=}}",
]
const patterns = [
  "(a?){40}b$",
  "(a|a)*b",
  "(.*)*x",
  "/(\\p{L}|é)+$/u",
  "(?=(a+)+b)a",
  "(?:a{20}){20}",
  ".*.*.*.*=.*",
]
const operators = [
  "Equal to",
  "Not equal",
  "Contains",
  "Does not contain",
  "Greater than",
  "Starts with",
  "Matches regex",
  "Does not match regex",
]

const longText = fc
  .tuple(fc.array(fc.constantFrom(...fragments), { minLength: 1, maxLength: 4 }), sizes(400_000))
  .map(([parts, length]) => repeated(parts.join(""), length))
const longList = fc
  .tuple(fc.array(fc.constantFrom(...fragments), { minLength: 1, maxLength: 3 }), sizes(50_000))
  .map(([parts, count]) => Array.from({ length: count }, (_, n) => parts[n % parts.length] ?? ""))

/** Sizes spread over the orders of magnitude, the largest ones among them. */
function sizes(max: number): fc.Arbitrary<number> {
  return fc.double({ min: 0, max: 1, noNaN: true }).map((at) => Math.ceil(max ** at))
}

function repeated(text: string, length: number): string {
  return text.repeat(Math.ceil(length / text.length)).slice(0, length)
}

/** A text with many tokens; `{{L}}` is a list, `{{V}}` and `{{W}}` are texts, `{{P}}` a pattern. */
const tokens = fc
  .tuple(fc.constantFrom("{{V}}", "{{W}}", "{{L}}", "{{unknown}}", "a{{V}} "), sizes(2_000))
  .map(([token, times]) => token.repeat(times))

const withText: ((text: string) => Draft)[] = [
  (text) => say(text),
  (text) => show("image", { url: text, clickLink: { url: text, alt: text } }),
  (text) => show("embed", { url: text, height: text }),
  (text) => show("video", { url: text, queryParamsStr: text, aspectRatio: text }),
  (text) => show("audio", { url: text }),
  (text) => ask.text({ labels: { placeholder: text, button: text }, saves: "V" }),
  (text) => ask.phone({ labels: { placeholder: text }, retryMessageContent: text }),
  (text) => ask.email({ retryMessageContent: text }),
  (text) => ask.date({ format: text, labels: { separator: text } }),
  (text) => ask.rating({ labels: { left: text, right: text } }),
  (text) => ask.number({ min: text, max: text }),
  (text) => ask.choice(Array.from({ length: 50 }, () => text)),
  (text) => ask.choice([text, "b"], { isMultipleChoice: true }),
  (text) => ask.cards({ items: [{ id: "i", title: text, description: "{{L}}" }] }),
  (text) => ask.picture({ items: [{ id: "i", pictureSrc: text, title: text }] }),
  (text) => block("Redirect", { url: text }),
  (text) => block("Code", { content: text }),
  (text) => block("Wait", { secondsToWaitFor: text }),
  (text) => block("Set variable", { variableId: idOf("W"), expressionToEvaluate: text }),
  (text) => block("Set variable", { variableId: idOf("V"), type: "Now", timeZone: `Z${text}` }),
  (text) => block("Set variable", { variableId: idOf("L"), type: "Append value(s)", item: text }),
  (text) => block("Webhook", { webhook: { url: `http://a.co/${text}` } }),
  (text) =>
    block("Webhook", {
      isCustomBody: true,
      webhook: { url: "http://a.co", body: text, headers: [{ id: "h", key: "X", value: text }] },
    }),
  (text) => block("Webhook", { isExecutedOnClient: true, webhook: { url: text } }),
  (text) =>
    block("Email", { credentialsId: "default", recipients: ["a@b.co"], body: text, replyTo: text }),
  (text) => block("Chatwoot", { task: "Show widget", websiteToken: text, user: { id: text } }),
  (text) =>
    block("Pixel", {
      pixelId: "1",
      eventType: "Custom",
      name: text,
      params: [{ key: "a", value: text }],
    }),
  (text) => block("Jump", { groupId: text.slice(0, 5) }),
  (text) =>
    block(
      "Condition",
      {},
      {
        items: [
          {
            id: "c",
            content: {
              comparisons: [
                { id: "1", variableId: idOf("V"), comparisonOperator: "Equal to", value: text },
              ],
            },
          },
        ],
      },
    ),
]

const lists: Draft[] = [
  block("Set variable", { variableId: idOf("L"), type: "Pop", saveItemInVariableId: idOf("W") }),
  block("Set variable", { variableId: idOf("L"), type: "Shift" }),
  block("Set variable", { variableId: idOf("T"), type: "Transcript" }),
  block("Set variable", {
    variableId: idOf("W"),
    type: "Map item with same index",
    mapListItemParams: {
      baseItemVariableId: idOf("V"),
      baseListVariableId: idOf("L"),
      targetListVariableId: idOf("L"),
    },
  }),
  block("Webhook", { webhook: { url: "http://a.co" } }),
  block("Google Sheets", {
    credentialsId: "c",
    spreadsheetId: "s",
    sheetId: "0",
    action: "Get data from sheet",
    filter: {
      comparisons: Array.from({ length: 40 }, (_, n) => ({
        id: `${n}`,
        column: "a",
        comparisonOperator: "Contains",
        value: "{{W}}",
      })),
    },
    cellsToExtract: [{ id: "x", column: "a", variableId: idOf("W") }],
  }),
  ask.choice([], { dynamicVariableId: idOf("L"), isMultipleChoice: true }),
  ask.cards({
    items: [
      {
        id: "i",
        title: "{{L}}",
        paths: Array.from({ length: 30 }, (_, n) => ({ id: `p${n}`, text: "{{V}}" })),
      },
    ],
  }),
  ask.picture({
    dynamicItems: {
      isEnabled: true,
      pictureSrcsVariableId: idOf("L"),
      titlesVariableId: idOf("V"),
    },
  }),
  link("current"),
  jump("A"),
]

const comparison = fc.tuple(
  fc.constantFrom("V", "L", "W"),
  fc.constantFrom(...operators),
  fc.constantFrom("{{V}}", "{{L}}", "{{P}}", "{{W}}", "é{{V}}"),
)
const condition = fc
  .array(comparison, { minLength: 1, maxLength: 40 })
  .map((comparisons): Draft => when(comparisons, { to: "A", otherwise: "B" }))

const anyDraft = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.tuple(fc.constantFrom(...withText), tokens).map(([make, text]) => make(text)),
  },
  { weight: 3, arbitrary: fc.constantFrom(...lists) },
  { weight: 2, arbitrary: condition },
)

/** A flow whose two groups lead to one another, so that whatever does not ask begins again. */
export const expensiveFlow: fc.Arbitrary<Flow> = fc
  .record({
    first: fc.array(anyDraft, { minLength: 1, maxLength: 5 }),
    second: fc.array(anyDraft, { maxLength: 4 }),
    V: longText,
    W: longText,
    L: longList,
    P: fc.constantFrom(...patterns),
    avatar: tokens,
    css: longText,
  })
  .map(({ first, second, avatar, css, ...variables }) =>
    bot(
      {
        variables,
        theme: {
          chat: { hostAvatar: { url: `{{V}}${avatar}` } },
          customCss: `${css.slice(0, 50_000)} lite-badge {{{V}}}`,
        },
      },
      group("A", ...first),
      group("B", ...second, say("on", { to: "A" })),
    ),
  )
