/** A misspelt command is named with the one that was meant. */
import { expect, test } from "vitest"
import { unknownCommand } from "./unknownCommand.ts"

const commands = {
  history: {},
  list: {},
  results: {},
  token: { subCommands: { create: {}, revoke: {} } },
}

test.each([
  ["hsitory demo", "There is no command `parley hsitory`: did you mean `parley history`?"],
  ["lst", "There is no command `parley lst`: did you mean `parley list`?"],
  ["token revok", "There is no command `parley token revok`: did you mean `parley token revoke`?"],
  ["token fetch", "There is no command `parley token fetch`: see `parley token --help`."],
  ["login --help", "There is no command `parley login`: see `parley --help`."],
  ["constructor", "There is no command `parley constructor`: see `parley --help`."],
])("%s", async (line, sentence) => {
  expect(await unknownCommand(commands, line.split(" "))).toBe(sentence)
})

test.each([
  "",
  "--help",
  "history hsitory",
  "token",
  "token --email x",
  "token revoke revok",
])("`%s` has no unknown command", async (line) => {
  expect(await unknownCommand(commands, line.split(" ").filter(Boolean))).toBeUndefined()
})
