/** Replies that are hard to read as a number, a date, an address or a choice. */

import { bounded, type Judge, served } from "../attack.ts"
import type { FlowAttack } from "../doors.ts"
import { type Block, block, idOf, many, say } from "../flow.ts"

const longest = 99_000
const fill = (text: string) => text.repeat(Math.floor(longest / text.length))

/** What is asked, and a reply that costs. */
const replies: readonly (readonly [name: string, asks: Block, reply: unknown])[] = [
  ["number of digits", block("number input"), fill("9")],
  ["number of exponents", block("number input"), `1e${fill("9")}`],
  ["number of separators", block("number input", { locale: "de-DE" }), fill("1.")],
  [
    "number with currency",
    block("number input", { style: "currency", currency: "EUR" }),
    fill("€1 "),
  ],
  ["e-mail of one label", block("email input"), `${fill("a").slice(2)}@b`],
  ["e-mail of signs", block("email input"), fill("a@")],
  ["e-mail of dots", block("email input"), `a@${fill("b.")}`],
  ["e-mail in quotes", block("email input"), `"${fill("\\ ")}"@b.co`],
  ["address of slashes", block("url input"), `http://${fill("a/")}`],
  ["address of labels", block("url input"), `http://${fill("a.")}`],
  ["address of hyphens", block("url input"), `http://${fill("a-")}.b`],
  ["phone of digits", block("phone number input"), `+${fill("3")}`],
  ["phone of brackets", block("phone number input"), fill("(")],
  ["phone of extensions", block("phone number input"), `+33601020304${fill(" ext")}`],
  ["date of digits", block("date input"), fill("1/")],
  ["date in words", block("date input"), fill("next monday at ")],
  ["date of numbers in words", block("date input"), fill("twenty one ")],
  ["date range", block("date input", { isRange: true }), fill("1 to ")],
  ["date of a long format", block("date input", { format: fill("d") }), "1.1.2026"],
  ["time of digits", block("time input"), fill("1:")],
  ["time of a long format", block("time input", { format: fill("HH") }), "10:30"],
  ["rating of digits", block("rating input", { length: 1e9 }), fill("1")],
  ["file of 50 addresses", block("file input"), { type: "text", text: fill("http://a, ") }],
  [
    "50 attached addresses",
    block("text input", { attachments: { isEnabled: true, saveVariableId: idOf("V") } }),
    { type: "text", text: "a", attachedFileUrls: many(50, () => "x".repeat(8_000)) },
  ],
  ["command of nobody", block("text input"), { type: "command", command: "x".repeat(1_000) }],
  ["audio of nowhere", block("text input"), { type: "audio", url: "x".repeat(8_000) }],
  ["letters that grow", block("text input"), fill("\ufdfa")],
  ["marks upon marks", block("text input"), `a${fill("\u0316\u0300")}`],
  ["halves of letters", block("text input"), fill("\ud800")],
  ["text from right to left", block("text input"), fill("\u202e\u2066")],
  ["NUL characters", block("text input"), fill("\u0000")],
  ["tokens in a reply", block("text input"), fill("{{V}}")],
  ["code in a reply", block("text input"), fill("{{=1+1=}}")],
]

const notFive: Judge = bounded

export const replying: FlowAttack[] = [
  ...replies.map(
    ([name, asks, reply]): FlowAttack => ({
      name,
      blocks: () => [withVariable(asks), say("You said {{V}}"), block("text input")],
      parts: () => ({ names: ["V"] }),
      replies: [reply],
      judge: notFive,
      doors: ["anonymous preview", "published bot"],
    }),
  ),
  ...honest(),
]

function withVariable(asks: Block): Block {
  return { ...asks, options: { variableId: idOf("V"), ...(asks.options as object) } }
}

function honest(): FlowAttack[] {
  const asked: readonly (readonly [type: string, reply: string])[] = [
    ["number input", "1,234.5"],
    ["email input", "ann@example.com"],
    ["url input", "https://example.com/a?b=c"],
    ["phone number input", "+33601020304"],
    ["date input", "next monday"],
    ["time input", "10:30"],
  ]
  return asked.map(([type, reply]) => ({
    name: `honest ${type}`,
    blocks: () => [block(type, { variableId: idOf("V") }), say("You said {{V}}")],
    parts: () => ({ names: ["V"] }),
    replies: [reply],
    judge: (got) =>
      served(got) ?? (got.text.includes("You said") ? undefined : "the reply was not taken"),
    doors: ["published bot"],
    isControl: true,
  }))
}
