/** parley test */
import { command, countIn, flag, option, word } from "./command.ts"
import { hasStyles } from "./output.ts"
import { fetchBots } from "./testing/botOnService.ts"
import { serviceArgs, withService } from "./withService.ts"

export const testCommand = command({
  name: "test",
  description:
    "Test bots in files with conversations in files. Exits with code 1 if a test fails, and with 2 " +
    "if a file has mistakes or less than --min is reached",
  args: {
    files: {
      ...word("Test files, or folders with files named like *.test.yaml or *.test.json (.)"),
      required: false,
    },
    reporter: option("pretty, junit, tap, json or github (pretty)"),
    coverage: flag("Show what no test reaches"),
    min: option("Percent of groups, blocks, edges and conditions that tests must reach"),
    update: flag("Change the files to what the bots say; what the person says stays"),
    watch: flag("Run again what a change of a test or a bot concerns"),
    against: option(
      "Bot of a running service to play instead: its id or public id; shop@3: version 3",
    ),
    ...serviceArgs,
  },
  takesMoreWords: true,
  errorCode: 2,
  run: async ({ _: files, reporter: named = "pretty", min, against, ...args }, environment) => {
    const { reporters, runTests } = await import("./testing/runTests.ts")
    const fetched = (bot: string) =>
      withService(environment, args, ({ client }) => fetchBots(client, bot))
    const reporter = reporters.find((each) => each === named)
    if (!reporter) throw new Error(`--reporter must be one of ${reporters.join(", ")}.`)
    const least = min === undefined ? undefined : countIn("--min", min)
    if (least !== undefined && least > 100) throw new Error("--min is a percentage: at most 100.")
    process.exitCode = await runTests({
      files,
      reporter,
      hasCoverage: args.coverage || least !== undefined,
      updates: args.update,
      least,
      hasColours: hasStyles(environment),
      against: against === undefined ? undefined : await fetched(against),
      until: args.watch ? untilInterrupted() : undefined,
    })
  },
})

function untilInterrupted(): AbortSignal {
  const ending = new AbortController()
  process.once("SIGINT", () => ending.abort())
  return ending.signal
}
