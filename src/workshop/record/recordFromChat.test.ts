/** A recorded conversation becomes a passing test without personal data. */
import fc from "fast-check"
import { parsePhoneNumberFromString } from "libphonenumber-js/min"
import { describe, expect, it } from "vitest"
import { runScripts as runInNode } from "../../../test/support/outside.ts"
import { flowOf, text } from "../../../test/support/workshopBots.ts"
import { hasMistakes, readTestFile } from "../files/readTestFile.ts"
import { testsIn } from "../files/testFileSchema.ts"
import { writeTestFile } from "../files/writeTestFile.ts"
import type { RunScripts } from "../play/play.ts"
import { runTest } from "../runTest.ts"
import { createMadeUp, textsOf } from "./madeUp.ts"
import { type ChatRecord, recordFromChat } from "./recordFromChat.ts"

const runScripts: RunScripts = async (scripts) =>
  runInNode({ kind: "script", scripts: [...scripts] }).results

const flow = flowOf({
  variables: ["Name", "Email", "Phone", "Born", "Income", "Site", "About", "Plan", "Agent"],
  blocks: [
    { type: "text input", options: { variableId: "Name" } },
    text("Welcome {{Name}}!"),
    { type: "email input", options: { variableId: "Email" } },
    { type: "phone number input", options: { variableId: "Phone" } },
    { type: "date input", options: { variableId: "Born" } },
    { type: "number input", options: { variableId: "Income" } },
    { type: "url input", options: { variableId: "Site" } },
    {
      type: "choice input",
      items: [
        { id: "item-free", content: "Free" },
        { id: "item-paid", content: "Paid" },
      ],
      options: { variableId: "Plan" },
    },
    {
      type: "Webhook",
      options: {
        responseVariableMapping: [{ id: "m", bodyPath: "data.agent.name", variableId: "Agent" }],
        webhook: { method: "POST", url: "https://crm.test/{{Email}}" },
      },
    },
    { type: "text input", options: { variableId: "About" } },
    text("So {{About}} ({{Phone}}, {{Born}}, {{Income}}, {{Site}}, {{Plan}}, {{Agent}})"),
  ],
})

/** Words that occur in no bot and no file by themselves. */
const anyWord = fc
  .array(fc.constantFrom(..."bdfgkmpqvwzBDGZéöñжд"), { minLength: 5, maxLength: 9 })
  .map((letters) => letters.join(""))
const anyDigits = fc.integer({ min: 10_000, max: 99_999_999 }).map(String)
const anyPerson = fc.record({
  name: fc.tuple(anyWord, anyWord).map((both) => both.join(" ")),
  email: fc.stringMatching(/^[bdfgkmpqvwz]{5,8}\.[bdfgkmpqvwz]{4}[0-9]{4}@[kqvwz]{6}\.fr$/),
  phone: fc.constantFrom<string[]>(
    "+33601020304",
    "+14155552671",
    "+447911123456",
    "+491701234567",
  ),
  born: fc
    .tuple(
      fc.integer({ min: 1950, max: 2009 }),
      fc.integer({ min: 10, max: 12 }),
      fc.integer({ min: 13, max: 28 }),
    )
    .map((parts) => parts.join("-")),
  income: anyDigits,
  site: anyWord.map((word) => `https://${word.replace(/[^a-z]/gi, "k")}.fr/${word}`),
  agent: anyWord,
})
type Person = typeof anyPerson extends fc.Arbitrary<infer P> ? P : never

function recordOf(person: Person): ChatRecord {
  const { name, email, phone, born, income, site, agent } = person
  const replies = [name, email, phone, born, income, site, "Paid", `${name}: ${email}, ${agent}`]
  const places = [0, 2, 3, 4, 5, 6, 7, 9]
  const lines = replies.map((text, index) => ({
    ...{ from: "person" as const, blockId: `main${places[index]}`, text },
  }))
  const welcome = { from: "bot" as const, blockId: "main1", text: `Welcome ${name}!` }
  const last = { from: "bot" as const, blockId: "main10", text: `So ${name}` }
  return {
    startedAt: Date.UTC(2026, 0, 5),
    lines: [...lines.slice(0, 1), welcome, ...lines.slice(1), last],
    turns: [
      {
        calls: [{ blockId: "main8", kind: "http", status: "done", httpStatus: 201, ms: 1 }],
        variables: [
          {
            ...{ blockId: "main8", variableId: "Agent", name: "Agent", value: agent },
            isSessionVariable: false,
          },
        ],
      },
    ],
  }
}

async function fileOf(person: Person, isVerbatim = false) {
  const record = recordOf(person)
  const said = record.lines.map((line) => line.text)
  const madeUp = createMadeUp({ random: Math.random, keeps: textsOf(flow), said })
  const parts = { flow, runScripts, madeUp: isVerbatim ? undefined : madeUp }
  const { test, head, remarks } = await recordFromChat(record, parts)
  const file = writeTestFile({ bot: "./b.json", ...test }, { head: head.join("\n"), remarks })
  const read = readTestFile(file)
  if (hasMistakes(read)) throw new Error(JSON.stringify(read))
  const [only] = testsIn(read.file, "made")
  if (!only) throw new Error("no test")
  const { failure } = await runTest(only, { flow, runScripts })
  const users = test.conversation.flatMap(({ user }) => (typeof user === "string" ? user : []))
  return { file, failure, users, head, remarks }
}

describe("a test of a recorded conversation", () => {
  it("contains no visitor input, and passes", async () => {
    const law = fc.asyncProperty(anyPerson, async (person) => {
      const { file, failure, users, head, remarks } = await fileOf(person)
      expect(failure, file).toBeUndefined()
      expect([head.slice(1), remarks], file).toEqual([[], []])
      const parts = Object.values(person).flatMap((value) => [value, ...value.split(/[\s@:/]+/)])
      const mine = parts.filter((part) => part.length > 4 && part !== "https")
      const left = mine.filter((part) => file.toLowerCase().includes(part.toLowerCase()))
      expect(left, file).toEqual([])
      const [name = "", email = "", phone = "", born = "", income = "", site = "", plan, about] =
        users
      expect(file).toContain(`Welcome ${name}!`)
      expect(about?.startsWith(`${name}: ${email}, `)).toBe(true)
      expect(formOf(name)).toBe(formOf(person.name))
      expect(email).toMatch(/^[a-z]+\.[a-z]{4}\d{4}@example\.com$/)
      const country = (number: string) => parsePhoneNumberFromString(number)?.country
      expect([country(phone), parsePhoneNumberFromString(phone)?.isValid()]).toEqual([
        country(person.phone),
        true,
      ])
      expect(new Date(born).toISOString().slice(0, 10)).toBe(born)
      expect(income).toHaveLength(person.income.length)
      expect(URL.canParse(site)).toBe(true)
      expect(plan).toBe("Paid")
    })
    await fc.assert(law, { numRuns: 40 })
  })

  it("is verbatim on request", async () => {
    const person = {
      ...{ name: "Zora Quist", email: "zora@quist.fr", phone: "+33601020304", born: "1987-11-23" },
      ...{ income: "52000", site: "https://quist.fr/me", agent: "Bodvar" },
    }
    const { file, users, failure } = await fileOf(person, true)
    expect(failure).toBeUndefined()
    expect(users).toEqual([
      ...["Zora Quist", "zora@quist.fr", "+33601020304", "1987-11-23", "52000"],
      ...["https://quist.fr/me", "Paid", "Zora Quist: zora@quist.fr, Bodvar"],
    ])
    expect(file).toContain("status: 201\n      json:\n        agent:\n          name: Bodvar\n")
  })

  it("marks data missing in the record, and where the bot deviates", async () => {
    const record: ChatRecord = {
      ...{ startedAt: 0, turns: [] },
      lines: [
        { from: "person", blockId: "main0", text: "Zora" },
        { from: "bot", blockId: "gone", text: "Welcome!" },
        ...["a@b.co", "+33601020304", "1987-11-23", "1", "https://a.co", "Free"].map((text) => {
          return { from: "person" as const, blockId: "any", text }
        }),
      ],
    }
    const { head, remarks } = await recordFromChat(record, { flow, runScripts, madeUp: undefined })
    expect(head.slice(1)).toEqual(["TODO: the bot deviated after 0 of its 1 messages."])
    expect(remarks).toEqual([{ path: ["http", 0], text: "TODO: the record has no such call" }])
  })
})

it("makes long replies up in linear time", () => {
  const said = ["a.", "1-", "+1 ", "a@", "http://"].map((each) =>
    each.repeat(500_000 / each.length),
  )
  const madeUp = createMadeUp({ random: Math.random, keeps: new Set(), said })
  for (const text of said) expect(madeUp.reply(text, undefined)).not.toContain("a.a")
})

/** Small and capital letters, digits and separators. */
function formOf(text: string): string {
  return text
    .replace(/\p{Lu}/gu, "A")
    .replace(/\p{Ll}/gu, "a")
    .replace(/\d/g, "0")
}
