/** Help and completions of every command. */
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { stripVTControlCharacters } from "node:util"
import { renderUsage } from "citty"
import { afterAll, describe, expect, test } from "vitest"
import { commands } from "../../src/cli/commands.ts"
import { commandTable } from "../../src/cli/commandTable.ts"
import { completionOf } from "../../src/cli/completion.ts"
import { calledAs, fitUsage, maxColumns, withName } from "../../src/cli/usage.ts"
import { run } from "../support/runCommand.ts"

const completionCommand = completionOf(commands)
const table = await commandTable(commands)
const folder = mkdtempSync(join(tmpdir(), "parley-help-"))
afterAll(() => rmSync(folder, { recursive: true }))

const words = (text: string) => stripVTControlCharacters(text).split(/\s+/).filter(Boolean)

describe("the help of", () => {
  test.each(
    table.flatMap(({ words: name, command }) =>
      command ? [[name.join(" "), command] as const] : [],
    ),
  )("`parley %s` has at most 80 columns, and says all of it", async (_, command) => {
    const usage = await renderUsage(command)
    const fitted = fitUsage(usage)
    const long = fitted
      .split("\n")
      .filter((line) => stripVTControlCharacters(line).length > maxColumns)
    expect(long).toEqual([])
    expect(words(fitted)).toEqual(words(usage))
  })

  test("a program that npx runs names npx, in its hints, too", () => {
    expect(calledAs({ npm_command: "exec" })).toBe("npx parley")
    expect(calledAs({ npm_command: "run-script" })).toBe("parley")
    expect(withName("see `parley lint --help`", "npx parley")).toBe("see `npx parley lint --help`")
    expect(withName("see `parley lint --help`", "parley")).toBe("see `parley lint --help`")
  })
})

describe("completions", () => {
  test.each([
    "bash",
    "zsh",
    "fish",
  ])("for %s name every command and every option", async (shell) => {
    const { out, code } = await run(completionCommand, shell)
    expect(code).toBe(0)
    expect(table.length).toBeGreaterThan(40)
    for (const { words: name, options, commands: below } of table) {
      for (const each of [...below, ...options.map((option) => option.name)]) {
        expect(out, `${name.join(" ")} ${each}`).toContain(each)
      }
    }
  })

  test.each([
    [["ex"], ["explore", "export"]],
    [["token", "cre"], ["create"]],
    [["lint", "--ma"], ["--max-warnings"]],
    [["lint", "--linked", "kid=kid.json", "--sa"], ["--sarif"]],
  ])("of %j are %j", async (typed, offered) => {
    const script = join(folder, "completions.bash")
    writeFileSync(script, (await run(completionCommand, "bash")).out)
    const quoted = typed.map((word) => `'${word}'`).join(" ")
    const program = `. ${script}; COMP_WORDS=(parley ${quoted}); COMP_CWORD=${typed.length}; _parley; printf '%s\\n' "\${COMPREPLY[@]}"`
    const { stdout, stderr } = spawnSync("bash", ["-c", program], { encoding: "utf8" })
    expect({ stderr, offered: stdout.trim().split("\n").toSorted() }).toEqual({
      stderr: "",
      offered,
    })
  })

  test("of other shells are refused", async () => {
    const { err, code } = await run(completionCommand, "tcsh")
    expect(code).toBe(1)
    expect(err).toContain('not for "tcsh"')
  })
})
