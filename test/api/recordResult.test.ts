/** parley record --result: a conversation on a service becomes a test that passes. */
import { readFileSync } from "node:fs"
import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { recordCommand } from "../../src/cli/record.ts"
import { testCommand } from "../../src/cli/test.ts"
import { ask, bot, group, say } from "../support/bots.ts"
import { chatOver, publishBot } from "../support/publish.ts"
import { run } from "../support/runCommand.ts"
import { testServer } from "../support/server.ts"

test("the bot is written beside it, and what the person said is made up", async () => {
  const server = await testServer()
  const flow = bot(
    group(
      "Start",
      say("Who are you?"),
      ask.text({ saves: "Name" }),
      ask.email({ saves: "Email" }),
      say("Thanks {{Name}}, we write to {{Email}}"),
    ),
  )
  const { botId, publicId } = await publishBot(server, flow)
  const chat = await chatOver(server, publicId)
  const { resultId } = chat.step
  for (const text of ["Zora Quistgard", "no mail", "zora@quistgard.fr"]) await chat.say(text)
  const folder = await mkdtemp(join(tmpdir(), "parley-record-"))
  const file = join(folder, "zora.test.yaml")
  const service = ["--url", server.address, "--token", server.token]
  const { err, code } = await run(
    recordCommand,
    ...[file, "--bot", publicId, "--result", resultId, ...service],
  )
  expect(err).toBe(
    `The conversation is in ${file} and its bot in ${join(folder, `${botId}.v1.json`)}.\n`,
  )
  expect(code).toBe(0)
  const written = readFileSync(file, "utf8")
  expect(written).not.toMatch(/zora|quistgard/i)
  expect(written).toContain(`bot: ./${botId}.v1.json`)
  const name = /- user: (.*)\n/.exec(written)?.[1]
  expect(name).toMatch(/^[A-Z][a-z]{3} [A-Z][a-z]{8}$/)
  expect(written).toContain(`Thanks ${name}, we write to `)
  expect((await run(testCommand, file)).code).toBe(0)
  const again = join(folder, "verbatim.test.yaml")
  await run(
    recordCommand,
    ...[again, "--bot", botId, "--result", resultId, "--verbatim", ...service],
  )
  expect(readFileSync(again, "utf8")).toContain("- user: zora@quistgard.fr\n")
})
