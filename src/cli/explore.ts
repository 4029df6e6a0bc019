/** parley explore */
import { exploreRules } from "../workshop/explore/exploreRules.ts"
import { command, countIn, fileArg, flag, jsonArg, option } from "./command.ts"
import { linkedArg, linkedFiles } from "./linkedBots.ts"
import { printRules } from "./lintReport.ts"
import { hasStyles } from "./output.ts"

export const exploreCommand = command({
  name: "explore",
  description:
    "Try everything that people can say to the bot in a file; exits with code 1 if something is " +
    "wrong, 2 if less than --min is reached, 3 if the budget ends before everything is reached",
  args: {
    file: { ...fileArg, required: false },
    linked: linkedArg,
    budget: option("How long to explore, such as 30s or 5m (30s)"),
    min: option("Percent of groups, blocks, edges and conditions to reach"),
    seed: option("Determines what is tried at random (1)"),
    output: { ...option("Folder to write a test of each finding to"), alias: "o" },
    json: jsonArg,
    sarif: flag("Print SARIF 2.1.0"),
    rules: flag("List the rules"),
  },
  run: async (
    { file, linked, budget = "30s", min, seed = "1", output, json, sarif, rules },
    environment,
  ) => {
    if (rules) return printRules(exploreRules, json)
    if (file === undefined) throw new Error("Name the file of the bot: `parley explore bot.json`.")
    const { runExplore } = await import("./exploring/runExplore.ts")
    const least = min === undefined ? undefined : countIn("--min", min)
    if (least !== undefined && least > 100) throw new Error("--min is a percentage: at most 100.")
    const code = await runExplore(file, {
      budgetMs: millisecondsIn(budget),
      least,
      seed: countIn("--seed", seed),
      linked: linkedFiles(linked),
      folder: output,
      format: sarif ? "sarif" : json ? "json" : "pretty",
      hasColours: hasStyles(environment),
    })
    if (code > 0) process.exitCode = code
  },
})

function millisecondsIn(text: string): number {
  const [, number, unit] = /^([1-9]\d{0,4})(s|m)$/.exec(text) ?? []
  if (number === undefined) throw new Error(`--budget must be like 30s or 5m, not "${text}".`)
  return Number(number) * (unit === "m" ? 60_000 : 1_000)
}
