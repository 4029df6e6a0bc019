/** parley test */
import { command, countIn } from "./command.ts"
import { hasStyles } from "./output.ts"

/** Tests bots in files with conversations in files, without a server or a database. */
export const testCommand = command({
  name: "test",
  description:
    "Test bots in files with conversations in files. Exits with code 1 if a test fails, and with 2 " +
    "if a file has mistakes or less than --min is reached",
  args: {
    files: {
      type: "positional",
      description: "Test files, or folders with files named like *.test.yaml or *.test.json (.)",
      required: false,
    },
    reporter: { type: "string", description: "pretty, junit, tap, json or github (pretty)" },
    coverage: { type: "boolean", description: "Show what no test reaches", default: false },
    min: {
      type: "string",
      description: "Percent of groups, blocks, edges and conditions that tests must reach",
    },
    update: {
      type: "boolean",
      description: "Change the files to what the bots say; what the person says stays",
      default: false,
    },
  },
  takesMoreWords: true,
  errorCode: 2,
  run: async ({ _: files, reporter: named = "pretty", coverage, min, update }, environment) => {
    const { reporters, runTests } = await import("./testing/runTests.ts")
    const reporter = reporters.find((each) => each === named)
    if (!reporter) throw new Error(`--reporter must be one of ${reporters.join(", ")}.`)
    const least = min === undefined ? undefined : countIn("--min", min)
    process.exitCode = await runTests({
      files,
      reporter,
      hasCoverage: coverage || least !== undefined,
      updates: update,
      least,
      hasColours: hasStyles(environment),
    })
  },
})
