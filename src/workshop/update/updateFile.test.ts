/** An update makes a test file pass and keeps all text besides the bot's messages. */
import { describe, expect, it } from "vitest"
import { runScripts } from "../../../test/support/outside.ts"
import { flowOf, text } from "../../../test/support/workshopBots.ts"
import { createSuite } from "../suite.ts"

const shop = flowOf({
  variables: ["Name"],
  blocks: [
    text("Good day."),
    { type: "image", content: { url: "https://shop.example/new.png" } },
    text("Your name?"),
    { type: "text input", options: { variableId: "Name" } },
    text("Hello {{Name}}: # or -?"),
    text("One\nTwo"),
    {
      type: "choice input",
      items: [
        { id: "a", content: "Yes" },
        { id: "b", content: "No" },
      ],
    },
    text("Bye"),
  ],
})

async function update(written: string, path = "shop.test.yaml", bot = shop) {
  let file = written
  const suite = createSuite({
    readText: async () => file,
    resolve: (_, bot) => bot,
    readBot: async () => bot,
    runScripts: async (scripts) => runScripts({ kind: "script", scripts: [...scripts] }).results,
  })
  const first = await suite.update(path)
  file = first?.text ?? written
  const again = await suite.update(path)
  const { tests } = await suite.run(path)
  return { ...first, file, again, failures: tests.map(({ failure }) => failure?.message) }
}

const old = `# Of the shop.
bot:   ./shop.json
start: {  variables: {   x: 1  } }   # kept

conversation:
  # It greets.
  - bot: "Good morning."     # by day
  - bot: { image: https://shop.example/old.png }
  - bot: { contains: name }
  - input: { type: email input }

  # Ann is known.
  - user:   Ann
  - { bot: Hi Ann }
  # Gone.
  - bot: 'We are closed'
  - bot: Ask again
  - input: { choices: ["*", Maybe] }
  - user: 'Yes'
`

describe("an update", () => {
  it("rewrites the bot's messages, and no other character", async () => {
    const { file, again, failures } = await update(old)
    expect(file).toBe(`# Of the shop.
bot:   ./shop.json
start: {  variables: {   x: 1  } }   # kept

conversation:
  # It greets.
  - bot: "Good day."     # by day
  - bot: { image: https://shop.example/new.png }
  - bot: { contains: name }
  - input: { type: text input }

  # Ann is known.
  - user:   Ann
  - { bot: "Hello Ann: # or -?" }
  # Gone.
  - bot: "One\\nTwo"
  - input: { choices: [ Yes, No ] }
  - user: 'Yes'
  - bot: Bye
`)
    expect(failures).toEqual([undefined])
    expect(again).toMatchObject({ changes: [] })
    expect(again?.text).toBeUndefined()
  })

  it("reports every change by its former position", async () => {
    const { changes } = await update(old)
    expect(changes?.slice(0, 3)).toEqual([
      { line: 7, column: 5, before: "Good morning.", after: "Good day." },
      expect.objectContaining({ line: 8, column: 5 }),
      { line: 10, column: 5, before: "email input", after: "text input" },
    ])
    expect(changes?.at(-1)).toEqual({ line: 19, column: 5, after: "Bye" })
  })

  it.each([
    ['{"bot":"b","conversation":[]}'],
    ['{"bot":"b","conversation":[{"user":"Ann"},{"user":"Yes"}]}'],
    [
      JSON.stringify(
        {
          bot: "b",
          tests: [
            { name: "1", conversation: [{ bot: "x" }, { bot: "y" }, { user: "Ann" }] },
            {
              name: "2",
              conversation: [{ user: "Ann" }, { user: "Yes" }, { bot: "x" }, { bot: "Bye" }],
            },
          ],
        },
        null,
        2,
      ),
    ],
  ])("leaves JSON in its own form: %s", async (json) => {
    const { file, again, failures } = await update(json, "shop.test.json")
    expect(JSON.parse(file)).toMatchObject({ bot: "b" })
    expect(file.split("\n").length > 1).toBe(json.includes("\n"))
    expect(failures.filter(Boolean)).toEqual([])
    expect(again).toMatchObject({ changes: [] })
  })

  it("keeps the line breaks of Windows, and a last line without one", async () => {
    const { file, failures } = await update("bot: b\r\nconversation:\r\n- user: Ann\r\n- user: Yes")
    expect(failures).toEqual([undefined])
    expect(file.split("\r\n")).toEqual([
      "bot: b",
      "conversation:",
      "- bot: Good day.",
      "- bot: { image: https://shop.example/new.png }",
      "- bot: Your name?",
      "- user: Ann",
      '- bot: "Hello Ann: # or -?"',
      "- bot: |-",
      "    One",
      "    Two",
      "- user: Yes",
      "- bot: Bye",
      "",
    ])
  })

  it("treats no line of a message as a comment", async () => {
    const bot = flowOf({ blocks: [{ type: "text input" }, text("Bye")] })
    const said = "bot: b\nconversation:\n  - user: |-\n      Ann\n      # 1\n"
    const inserted = await update(`${said}  # Who?\n  - input: text input\n`, "", bot)
    expect(inserted.file).toBe(`${said}  - bot: Bye\n  # Who?\n`)
    const gone = "  - bot: |-\n      Hi\n      # Ann\n  - bot: Bye\n"
    expect((await update(`${said}${gone}`, "", bot)).file).toBe(`${said}  - bot: Bye\n`)
  })

  it("puts messages before the question, at any former position", async () => {
    const bot = flowOf({ blocks: [text("Your name?"), { type: "text input" }] })
    for (const steps of ["{ input: email input }, { bot: Hi }", "{ input: email input }"]) {
      const { file, failures } = await update(`bot: b\nconversation: [${steps}]`, "", bot)
      expect({ file, failures }).toEqual({
        file: expect.stringMatching(/bot: "?Your name\?"?.*text input/),
        failures: [undefined],
      })
    }
  })

  it("matches a long text by its beginning, like a recording", async () => {
    const bot = flowOf({ blocks: [text(`${"word ".repeat(3_000)}!`)] })
    const { file, again, failures } = await update("bot: b\nconversation: [{ bot: x }]", "", bot)
    expect(file).toMatch(/"contains":"word .{9995}"/)
    expect(file.length).toBeLessThan(10_100)
    expect([again?.changes, failures]).toEqual([[], [undefined]])
  })

  it("does not wait for a bot that pauses repeatedly", async () => {
    const pause = { secondsToWaitFor: "5", shouldPause: true }
    const bot = flowOf({
      groups: [
        { id: "main", blocks: [text("Paid?"), { type: "text input", outgoingEdgeId: "on" }] },
        { id: "look", blocks: [{ type: "Wait", options: pause, outgoingEdgeId: "on" }] },
      ],
      edges: [{ id: "on", from: { blockId: "main1" }, to: { groupId: "look" } }],
    })
    const written = "bot: b\nconversation:\n- bot: Pay\n- user: Yes\n"
    const { file, problems, failures } = await update(written, "pay.test.yaml", bot)
    expect({ problems, failures }).toEqual({ problems: [], failures: [undefined] })
    expect(file).toBe(written.replace("Pay", "Paid?"))
  })

  it.each([
    ["conversation: [{ user: Ann }, { user: Yes }, { user: More }]", /is not read/],
    ["conversation: &c\n  - &a { bot: x }\n  - *a\n  - user: Ann", /by hand/],
  ])("keeps a test that it cannot update: %s", async (conversation, message) => {
    const written = `bot: b\n${conversation}`
    const { file, problems } = await update(written)
    expect(file).toBe(written)
    expect(problems).toEqual([expect.objectContaining({ message: expect.stringMatching(message) })])
  })
})
