/** `parley replay`: what a draft would have changed in recorded conversations, and for whom. */
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterEach, expect, test, vi } from "vitest"
import { replayCommand } from "../../src/cli/replay.ts"
import { ask, bot, group, say } from "../support/bots.ts"
import { chatOver, publishBot } from "../support/publish.ts"
import { run } from "../support/runCommand.ts"
import { testServer } from "../support/server.ts"
import { testFolder } from "../support/testFolder.ts"

const server = await testServer()
vi.stubEnv("PARLEY_PUBLIC_URL", server.address)
vi.stubEnv("PARLEY_TOKEN", server.token)
const folder = await testFolder()
afterEach(() => {
  process.exitCode = undefined
})

const saying = (thanks: string) =>
  bot(group("Start", say("Your name?"), ask.text({ saves: "Name" }), say(thanks)))

const { publicId } = await publishBot(server, saying("Thanks {{Name}}"))
const chat = await chatOver(server, publicId)
await chat.say("Ann\u001b[2J")

test("a draft that shows the same is silent", async () => {
  expect(await run(replayCommand, publicId, "--exit-code")).toEqual({
    out: "",
    err: "0 of 1 conversations would differ, 1 would not.\n",
    code: 0,
  })
})

test("a file is compared, what differs is a table, and CI fails", async () => {
  const path = join(folder, "bot.json")
  await writeFile(path, JSON.stringify({ name: "File", ...saying("Thank you, {{Name}}") }))
  const { out, err, code } = await run(
    replayCommand,
    ...[publicId, "--against", path, "--since", "1h", "--exit-code"],
  )
  const [, line = ""] = out.split("\n")
  expect(line.split(/ {2,}/).slice(0, 4)).toEqual(["1", "0", "text", "Start"])
  expect(line).toContain('"Thanks Ann')
  expect(line).toContain(chat.step.resultId)
  expect(line).not.toContain("\u001b")
  expect({ err, code }).toEqual({
    err: "1 of 1 conversations would differ, 0 would not.\n",
    code: 1,
  })
})

test("JSON has the whole report; a time that is none is refused", async () => {
  const { out } = await run(replayCommand, publicId, "--json")
  expect(JSON.parse(out)).toEqual({
    conversations: 1,
    unchanged: 1,
    differences: [],
    notReplayed: [],
  })
  const { err, code } = await run(replayCommand, publicId, "--since", "soon")
  expect({ err, code }).toEqual({
    err: '--since must be a time such as 7d, 12h or 30m, not "soon".\n',
    code: 1,
  })
})
