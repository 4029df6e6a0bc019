/** A chat in the terminal becomes a test: what the person types, also in place of the outside. */
import { readFileSync } from "node:fs"
import { mkdtemp, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PassThrough } from "node:stream"
import { expect, it, vi } from "vitest"
import { recordCommand } from "../../src/cli/record.ts"
import { testCommand } from "../../src/cli/test.ts"
import { fixtureNames } from "../support/fixtureBots.ts"
import { run } from "../support/runCommand.ts"
import { flowOf, text } from "../support/workshopBots.ts"

const folder = await mkdtemp(join(tmpdir(), "parley-record-"))
const bot = join(folder, "signup.json")
const signUp = flowOf({
  variables: ["Name", "Color", "plan", "Answer"],
  blocks: [
    text("Hi!\n\nWhat is your name?"),
    { type: "text input", options: { variableId: "Name" } },
    {
      type: "choice input",
      items: [
        { id: "red", content: "Red" },
        { id: "blue", content: "Blue" },
      ],
      options: { variableId: "Color" },
    },
    {
      type: "Webhook",
      options: {
        isCustomBody: true,
        responseVariableMapping: [{ id: "m", bodyPath: "data.id", variableId: "Answer" }],
        webhook: { method: "POST", url: "https://crm.example/people", body: '{"name":"{{Name}}"}' },
      },
    },
    {
      type: "Set variable",
      options: { variableId: "plan", type: "Custom", isCode: true, expressionToEvaluate: "6 * 7" },
    },
    text("{{Name}}, you are number {{Answer}} of {{plan}}."),
    { type: "Redirect", options: { url: "https://shop.example/" } },
  ],
})
await writeFile(bot, JSON.stringify({ name: "Sign up", ...signUp }))

/** Runs the command with lines from a pipe. */
async function record(lines: string[], ...words: string[]) {
  const stdin = new PassThrough()
  const pipe = vi.spyOn(process, "stdin", "get").mockReturnValue(stdin as never)
  stdin.end(lines.map((line) => `${line}\n`).join(""))
  try {
    return await run(recordCommand, ...words)
  } finally {
    pipe.mockRestore()
  }
}

it("writes the conversation, the answers of other systems and the outcome", async () => {
  const file = join(folder, "signup.test.yaml")
  const lines = ["007", "2", '201 {"id": 7}']
  const { out, err, code } = await record(lines, file, "--bot", bot, "--seed", "3", "plan=pro")
  expect(out).toContain('[outside] POST https://crm.example/people {"name":"007"}\n')
  expect(out.split("\n").at(-2)).toBe("(The chat is over.)")
  expect(err).toBe(`The conversation is in ${file}: \`parley test ${file}\` repeats it.\n`)
  expect(code).toBe(0)
  expect(readFileSync(file, "utf8")).toBe(`bot: ./signup.json
clock: 2026-01-05T09:00:00Z
seed: 3
start:
  variables:
    plan: pro
http:
  - when:
      method: POST
      url: https://crm.example/people
    answer:
      status: 201
      json:
        id: 7
    times: 1
conversation:
  - bot: |-
      Hi!

      What is your name?
  - input: text input
  - user: "007"
  - input:
      type: choice input
      choices:
        - Red
        - Blue
  - user: Blue
  - bot: 007, you are number 7 of 42.
  - action:
      type: redirect
      redirect:
        url: https://shop.example/
expect:
  completed: true
  variables:
    Name: "007"
    Color: Blue
    plan: "42"
    Answer: "7"
  answers:
    - "007"
    - Blue
  http:
    - method: POST
      url: https://crm.example/people
      json:
        name: "007"
`)
})

it("ends where the lines end, and replaces no file unasked", async () => {
  const file = join(folder, "short.test.json")
  const first = await record(["Ann"], file, "--bot", bot, "--name", "Half way")
  expect(first.code).toBe(0)
  const written = JSON.parse(readFileSync(file, "utf8"))
  expect(written).toMatchObject({
    name: "Half way",
    expect: { completed: false, answers: ["Ann"] },
  })
  const again = await record(["Bob"], file, "--bot", bot)
  expect(again.err).toBe(
    `${file} exists already: choose another name, or replace it with --force.\n`,
  )
  expect(again.code).toBe(1)
  expect((await record(["Bob"], file, "--bot", bot, "--force")).code).toBe(0)
  expect(JSON.parse(readFileSync(file, "utf8")).expect.answers).toEqual(["Bob"])
})

it.each([
  [["--clock", "noon"], "--clock must be a time such as 2026-01-05T09:00:00Z"],
  [["--seed", "-1"], "--seed must be a whole number from 0 to 2147483647"],
  [["plan"], '"plan" is no pair such as Name=Ann'],
])("refuses %j in a sentence", async (words, sentence) => {
  const { err, code } = await record([], join(folder, "none.yaml"), "--bot", bot, ...words)
  expect(err).toContain(sentence)
  expect(code).toBe(1)
})

it.each(
  fixtureNames,
)("plays a bot as an import stores it, which is how it is tested: %s", async (name) => {
  const old = join(import.meta.dirname, "../fixtures/bots", `${name}.json`)
  const file = join(folder, `${name}.test.yaml`)
  const { code } = await record(Array(20).fill(""), file, "--bot", old)
  expect(code).toBe(0)
  expect(await run(testCommand, file)).toMatchObject({ code: 0 })
})
