/** Values that are Markdown: very much of it, very deep, and what tries to break out of it. */

import { hostileMarkdown } from "../../hostileMarkdown.ts"
import { bounded, holding, tooExpensive } from "../attack.ts"
import type { FlowAttack } from "../doors.ts"
import { block, many, say } from "../flow.ts"
import { harmlessLinks } from "../links.ts"

const markdown = { textBubbleContentFormat: "markdown" }
const tokens = (count: number) => say("{{V}} ".repeat(count))

const deep: FlowAttack[] = Object.entries(hostileMarkdown).map(([name, { text }]) => ({
  name: `Markdown: ${name}`,
  blocks: () => [say("{{V}}"), tokens(20)],
  values: () => ({ V: text }),
  judge: bounded,
}))

/** What tries to become a link that runs code, or an element of HTML. */
const breakOuts = [
  "](javascript:alert(1))[x",
  "[x](javascript:alert(1))",
  "[x](&#106;avascript:alert(1))",
  "[x](java\tscript:alert(1))",
  "[x](\u0001javascript:alert(1))",
  "[x](JaVaScRiPt&colon;alert(1))",
  "[x](data:text/html;base64,PHNjcmlwdD4=)",
  "[x](vbscript:msgbox(1))",
  "![x](javascript:alert(1))",
  "<javascript:alert(1)>",
  "[a]: javascript:alert(1)\n\n[a]",
  "<img src=x onerror=alert(1)>",
  "<script>alert(1)</script>",
  '<a href="javascript:alert(1)">x</a>',
  "<svg/onload=alert(1)>",
]

const breakingOut: Omit<FlowAttack, "name"> = {
  blocks: () => [
    ...breakOuts.map((_, index) => say(`Hello {{V${index}}}!`)),
    ...breakOuts.map((_, index) => say(`{{V${index}}}`)),
  ],
  values: () => Object.fromEntries(breakOuts.map((text, index) => [`V${index}`, text])),
  judge: harmlessLinks,
}

const escaping: FlowAttack[] = [
  { ...breakingOut, name: "links that run code, in rich text" },
  { ...breakingOut, name: "links that run code, in Markdown", start: markdown },
  {
    name: "address of a link in the flow",
    blocks: () => [
      {
        type: "text",
        content: {
          richText: [
            { type: "p", children: [{ type: "a", url: "{{V}}", children: [{ text: "x" }] }] },
            { type: "p", children: [{ type: "a", url: "&#106;{{W}}", children: [{ text: "x" }] }] },
          ],
        },
      },
    ],
    values: () => ({ V: "javascript:alert(1)", W: "avascript:alert(1)" }),
    start: markdown,
    judge: harmlessLinks,
  },
  {
    name: "rest of a link in Markdown",
    blocks: () => [say("Read [this]({{V}}) and ![that]({{V}})")],
    values: () => ({ V: "x) [y](javascript:alert(1)" }),
    start: markdown,
    judge: harmlessLinks,
  },
]

export const markup: FlowAttack[] = [
  ...deep,
  {
    name: "2,000 × Markdown of 5 kB",
    blocks: () => [tokens(2_000)],
    values: () => ({ V: "*a* **b** [c](https://d.e) ".repeat(200) }),
    judge: tooExpensive,
  },
  {
    name: "2,000 × Markdown of 5 kB, as Markdown",
    blocks: () => [tokens(2_000)],
    values: () => ({ V: "*a* **b** [c](https://d.e) ".repeat(200) }),
    start: markdown,
    judge: tooExpensive,
  },
  {
    name: "rich text of 1,000 levels",
    blocks: () => [
      { type: "text", content: { richText: [nested(1_000)] } },
      { type: "text", content: { richText: many(20_000, () => ({ type: "p", children: [] })) } },
    ],
    judge: bounded,
    doors: ["anonymous preview", "preview with token", "published bot"],
  },
  ...escaping,
  {
    name: "honest Markdown",
    blocks: () => [say("{{V}}"), block("text input")],
    values: () => ({ V: "See **our** [shop](https://example.com)" }),
    start: markdown,
    judge: holding("https://example.com"),
    isControl: true,
  },
]

function nested(levels: number): object {
  let node: object = { text: "x" }
  for (let level = 0; level < levels; level++) node = { type: "p", children: [node] }
  return node
}
