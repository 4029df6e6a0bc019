/** parley record */
import type { RecordingParts } from "../workshop/record/openRecording.ts"
import { readStoredBot } from "./botFile.ts"
import { command, type Environment, flag, option, tell, word } from "./command.ts"
import { linkedArg, linkedFiles, pairsIn, readLinked } from "./linkedBots.ts"
import { openTerminal } from "./terminal/openTerminal.ts"
import { serviceArgs, withService } from "./withService.ts"
import { refuseToReplace, seenFrom, writeWhole } from "./writeWhole.ts"

export const recordCommand = command({
  name: "record",
  description:
    "Talk to a bot in a file and write the conversation as a test; Ctrl+D ends it. With --result: " +
    "make a test of a recorded conversation",
  args: {
    file: word("File to write: YAML, or .json"),
    bot: {
      ...option("File with the bot; with --result the id or public id of a bot on the service"),
      required: true,
    },
    result: option("Result on the service to make a test of instead"),
    "bot-file": option("With --result: where to write the bot"),
    verbatim: flag("With --result: keep what people said; else it is replaced by made-up values"),
    linked: linkedArg,
    name: option("What the test shows, for reports"),
    clock: { ...option("What clocks show"), default: "2026-01-05T09:00:00Z" },
    seed: { ...option("Number that determines all dice"), default: "0" },
    force: flag("Replace files that exist"),
    ...serviceArgs,
  },
  takesMoreWords: true,
  run: async ({ file, bot, linked, clock, seed, force, _: words, ...args }, environment) => {
    refuseToReplace(file, force)
    const { name, result: resultId, verbatim } = args
    if (resultId !== undefined) {
      const { recordResult } = await import("./recordResult.ts")
      const botFile = args["bot-file"]
      const wanted = { file, bot, resultId, botFile, name, verbatim, force }
      return await withService(environment, args, (service) => recordResult(service, wanted))
    }
    const begun = { clock: timeIn(clock), seed: seedIn(seed), variables: pairsIn(words.slice(1)) }
    const links = linkedFiles(linked)
    const { test, failure } = await recordTalk({ bot, links, ...begun }, environment)
    const files = {
      bot: seenFrom(file, bot),
      ...(linked !== undefined && { linked: mapped(links, (path) => seenFrom(file, path)) }),
    }
    const { writeTestFile } = await import("../workshop/files/writeTestFile.ts")
    const written = { ...files, ...(name !== undefined && { name }), ...test }
    await writeWhole(file, writeTestFile(written, { isJson: file.endsWith(".json") }), force)
    tell(`The conversation is in ${file}: \`parley test ${file}\` repeats it.`)
    if (failure === undefined) return
    tell(`It does not pass, because the bot does not do the same again: ${failure}.`)
    process.exitCode = 1
  },
})

/** What a conversation begins with. */
type Begun = Pick<RecordingParts, "clock" | "seed" | "variables"> & {
  bot: string
  links: Record<string, string>
}

/** Talks, and says why the test fails when it is run at once. */
async function recordTalk({ bot, links, ...begun }: Begun, environment: Environment) {
  const { flow } = await readStoredBot(bot)
  const linked = await readLinked(links)
  // Other commands need not wait for the sandbox.
  const { openSandbox } = await import("../effects/sandbox/sandbox.ts")
  const { recordChat } = await import("./terminal/recordChat.ts")
  const { runTest } = await import("../workshop/runTest.ts")
  const sandbox = openSandbox()
  const terminal = openTerminal(environment)
  try {
    const parts = { flow, linked, runScripts: sandbox.run }
    // Pauses only delay the recording of a test.
    const quick = { ...terminal, pause: async () => {} }
    const test = (await recordChat(quick, { ...parts, ...begun })).test()
    const { conversation: steps, ...world } = test
    const places = { path: ["conversation"], expectPath: ["expect"] }
    const { failure } = await runTest({ ...world, name: "", steps, ...places }, parts)
    return { test, failure: failure?.message }
  } finally {
    terminal.close()
    sandbox.close()
  }
}

function mapped(record: Record<string, string>, map: (value: string) => string) {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]))
}

function timeIn(text: string): number {
  const time = Date.parse(text)
  if (/^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(time)) return time
  throw new Error(`--clock must be a time such as 2026-01-05T09:00:00Z, not "${text}".`)
}

function seedIn(text: string): number {
  const seed = Number(text)
  if (/^\d{1,10}$/.test(text) && seed < 2 ** 31) return seed
  throw new Error(`--seed must be a whole number from 0 to ${2 ** 31 - 1}, not "${text}".`)
}
