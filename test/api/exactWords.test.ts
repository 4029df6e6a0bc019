/** Words of people arrive everywhere as they were sent: stored, shown, exported, in requests and in code. */
import { parse } from "csv-parse/sync"
import fc from "fast-check"
import { expect, test } from "vitest"
import { plainCell } from "../../src/engine/recorded/csv.ts"
import { guessType } from "../../src/engine/variables/code.ts"
import { startPeer } from "../effects/peer.ts"
import { ask, block, bot, group, idOf, say, set } from "../support/bots.ts"
import { chatOver, publishBot } from "../support/publish.ts"
import { decoded, pagesOf } from "../support/rendered.ts"
import { testServer } from "../support/server.ts"

const peer = await startPeer()
const server = await testServer({ PARLEY_ALLOW_HOSTS: "127.0.0.1" })

/** A visitor answers A; P is prefilled, S set by the author's code from A. */
const echo = bot(
  { variables: { P: null, A: null, S: null, Read: null } },
  group(
    "g",
    say("{{P}}"),
    ask.text({ id: "ask", saves: "A" }),
    say("{{A}}"),
    set("S", "{{A}}"),
    block("Code", {
      content: `setVariable("Read", JSON.stringify([{{A}}, {{P}}, {{S}}].map(String)))`,
      isExecutedOnClient: false,
    }),
    block("Webhook", {
      isCustomBody: true,
      webhook: {
        url: peer.url,
        method: "POST",
        body: '{"a":"{{A}}","p":"{{P}}","s":"{{S}}"}',
      },
    }),
  ),
)

const pieces = fc.constantFrom(
  ...[
    "\\",
    "\\\\",
    "\\n",
    "\\u0041",
    "C:\\dir\\new",
    '"',
    "'",
    "`",
    "$1",
    "$&",
    "{{A}}",
    "{{=1=}}",
  ],
  ...[
    "n",
    "a b",
    "\n",
    "\n\n",
    "\t",
    "<b>",
    "&lt;",
    "&",
    "**x**",
    "_",
    "[t](u)",
    "![i](u)",
    "# ",
    "- ",
  ],
  ...["1. ", "> ", "|", "~~", "---", "👋", "é", "e\u0301", "\u202e", "%00", "null", "+1", "="],
)
const words = fc
  .array(pieces, { minLength: 1, maxLength: 8 })
  .map((all) => all.join(""))
  .filter((text) => text.trim() === text && typeof guessType(text) === "string")

/** What a bubble says, its paragraphs on lines of their own. */
type Shown = { richText: { type: string; children: { text: string }[] }[] }
const linesOf = (richText: Shown["richText"]) =>
  richText.map(({ children }) => children.map(({ text }) => text).join("")).join("\n")

/** What a page shows of a Markdown text, by two libraries; line breaks and runs of spaces count as one. */
const flat = (text: string) => text.replace(/\s+/g, " ").trim()
const seenIn = (markdown: string) =>
  Object.values(pagesOf(markdown)).map((page) => flat(decoded(page.replace(/<[^>]*>/g, " "))))

test("7.1 answered, prefilled and copied texts stay as they were sent", async () => {
  const { botId, publicId } = await publishBot(server, echo)
  await fc.assert(
    fc.asyncProperty(words, words, async (answer, prefilled) => {
      const chat = await chatOver(server, publicId, {
        textBubbleContentFormat: "richText",
        prefilledVariables: { P: prefilled },
      })
      const { richText } = chat.step.messages[0]?.content as unknown as Shown
      expect(richText.map(({ type }) => type)).toEqual(richText.map(() => "p"))
      expect(flat(linesOf(richText))).toBe(flat(prefilled))

      const { body } = await chat.say(answer)
      const markdown = body.messages[0]?.content.markdown ?? ""
      for (const seen of seenIn(markdown)) expect(seen).toBe(flat(answer))

      expect(peer.received.at(-1)?.json).toEqual({ a: answer, p: prefilled, s: answer })

      const found = await server.send("GET", `/api/v1/bots/${botId}/results/${chat.step.resultId}`)
      const result = found.body.result as {
        answers: { content: string }[]
        variables: { id: string; value: string }[]
      }
      const kept = (name: string) => result.variables.find(({ id }) => id === idOf(name))?.value
      expect(result.answers.map(({ content }) => content)).toEqual([answer])
      expect([kept("A"), kept("P"), kept("S")]).toEqual([answer, prefilled, answer])
      expect(JSON.parse(kept("Read") ?? "[]")).toEqual([answer, prefilled, answer])

      const exported = await fetch(
        `${server.address}/api/v1/bots/${botId}/results/export?limit=1`,
        {
          headers: { authorization: `Bearer ${server.token}` },
        },
      )
      const rows = parse(Buffer.from(await exported.arrayBuffer()), {
        bom: true,
        recordDelimiter: "\r\n",
      }) as string[][]
      const row = rows.find(([id]) => id === chat.step.resultId) ?? []
      expect(row).toEqual(expect.arrayContaining([plainCell(answer), plainCell(prefilled)]))
    }),
    { numRuns: 25 },
  )
})
