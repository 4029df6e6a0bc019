/** The report of a diff for a pull request. */
import { expect, it } from "vitest"
import { ask, bot, group, say } from "../../../test/support/bots.ts"
import { diffFlows } from "./diffFlows.ts"
import { diffMarkdown } from "./diffMarkdown.ts"

const flow = (hello: string, to: string, ...more: ReturnType<typeof say>[]) =>
  bot(
    group("Welcome", say(hello, { id: "hello" }), ask.text({ id: "ask", to })),
    group("Good", say("Good", { id: "good" })),
    group("Bad", say("Bad", { id: "bad" }), ...more),
  )
const report = (before: ReturnType<typeof flow>, after: ReturnType<typeof flow>) =>
  diffMarkdown(diffFlows(before, after))

it("counts come first, then a line for each change that marks new text", () => {
  const before = flow("Hello there, how are you?", "Good")
  const after = flow("Hello Ann, how are you?", "Bad", say("Sorry.", { id: "sorry" }))
  expect(report(before, after)).toBe(
    [
      "**3 changes**: 1 added, 1 changed, 1 rewired",
      "",
      '- changed `Group "Welcome" › block 1 (text)` (Formatted text): `Hello` ~~`there`~~ **`Ann`** `, how are you?`',
      '- rewired edge of `Group "Welcome" › block 2 (text input)`: `Group "Good"` → `Group "Bad"`',
      '- added `Group "Bad" › block 2 (text)`: `Sorry.`',
      "",
    ].join("\n"),
  )
})

it("equal flows need one sentence", () => {
  expect(report(flow("Hello", "Good"), flow("Hello", "Good"))).toBe("No changes.\n")
})

it("only whole words are marked, and no character is torn apart", () => {
  const line = (before: string, after: string) =>
    report(flow(before, "Good"), flow(after, "Good"))
      .split("\n")[2]
      ?.replace(/^[^:]*: /, "")
  expect(line("walked home", "walking home")).toBe("~~`walked`~~ **`walking`** `home`")
  expect(line("2", "2 and more")).toBe("`2` **`and more`**")
  expect(line("a a", "a a a")).toBe("`a a` **`a`**")
  expect(line("well 🙂", "well 🙃")).toBe("`well` ~~`🙂`~~ **`🙃`**")
})

it("long texts are cut around the change", () => {
  const long = "word ".repeat(200)
  const [, , line = ""] = report(
    flow(`${long}old ${long}`, "Good"),
    flow(`${long}new ${long}`, "Good"),
  ).split("\n")
  expect(line).toMatch(/`…[word ]+` ~~`old`~~ \*\*`new`\*\* `[word ]+…`$/)
  expect(line.length).toBeLessThan(400)
})

it("texts of the flow cannot leave their code spans", () => {
  const hostile = "a` ``b``` @everyone <img src=x>\n\n# title\u0000 [x](y)"
  const [, , line = "", ...rest] = report(flow("", "Good"), flow(hostile, "Good")).split("\n")
  expect(line).toContain("**````a` ``b``` @everyone <img src=x> # title [x](y)````**")
  expect(rest).toEqual([""])
})
