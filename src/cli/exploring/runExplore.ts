/** Explores the bot in a file and reports faults. */
import { mkdir, writeFile } from "node:fs/promises"
import { join, relative, resolve } from "node:path"
import manifest from "../../../package.json" with { type: "json" }
import { openSandbox } from "../../effects/sandbox/sandbox.ts"
import type { Flow } from "../../engine/bot.ts"
import { pick, pickList } from "../../lib/foreignJson.ts"
import { describeSteps } from "../../workshop/explore/describeSteps.ts"
import { type Exploration, type ExploreFinding, explore } from "../../workshop/explore/explore.ts"
import { exploreRules } from "../../workshop/explore/exploreRules.ts"
import { writeTestFile } from "../../workshop/files/writeTestFile.ts"
import { usualClock } from "../../workshop/testConversation.ts"
import { readStoredBot } from "../botFile.ts"
import { print, printJson, tell } from "../command.ts"
import { readLinked } from "../linkedBots.ts"
import { type FileReport, prettyLines } from "../lintReport.ts"
import { withPositions } from "../position.ts"
import { sarifOf } from "../sarif.ts"

type ExploreOptions = {
  budgetMs: number
  /** Share of each measure, in percent, that must be reached; absent: any will do. */
  least: number | undefined
  seed: number
  /** Files of the bots that it links to, by the ids in its blocks. */
  linked: Record<string, string>
  /** Where tests are written to; absent: nowhere. */
  folder: string | undefined
  format: "pretty" | "json" | "sarif"
  hasColours: boolean
}

/** Codes of the process: something is wrong; less is reached than was asked for; the budget has ended before. */
const codes = { wrong: 1, tooLittle: 2, unfinished: 3 }

/** Explores, prints and writes. Returns the code with which the process ends. */
export async function runExplore(file: string, options: ExploreOptions): Promise<number> {
  const { budgetMs, least, seed, linked: files, folder, format, hasColours } = options
  const { raw, text, flow } = await readStoredBot(file)
  const linked = await readLinked(files)
  const sandbox = openSandbox()
  const end = performance.now() + budgetMs
  try {
    const exploration = await explore({
      ...{ flow, seed, linked },
      clock: usualClock,
      runScripts: sandbox.run,
      left: () => (end - performance.now()) / budgetMs,
    })
    const report = reportOf(exploration.findings, { file, text, raw, flow })
    const outcome = outcomeOf(exploration, least)
    const { code: exitCode, sentences } = outcome
    if (format === "sarif") {
      printJson(sarifOf([report], exploreRules, manifest.version, { exitCode, sentences }))
    } else if (format === "json") printJson({ ...exploration, ...report, exitCode })
    else prettyLines([report], hasColours).forEach(print)
    if (format === "pretty") remarks(exploration, outcome)
    // Last: findings are reported even if the file cannot be written.
    const names =
      folder === undefined ? [] : await writeTests(exploration.findings, { file, files, folder })
    if (names.length > 0) tell(`Wrote ${names.length} test files to ${folder}.`)
    return exitCode
  } finally {
    sandbox.close()
  }
}

/** How exploring has ended: the code of the process, and why in sentences. */
type Outcome = { code: number; sentences: string[] }

function outcomeOf({ findings, coverage, left }: Exploration, least: number | undefined): Outcome {
  const { missed } = coverage
  const isTooLittle =
    least !== undefined &&
    sharesOf(coverage).some(([, { reached, total }]) => 100 * reached < least * total)
  const isUnfinished = left !== undefined && missed.length > 0
  const named = missed.slice(0, maxNamed).join("; ")
  const sentences = [
    ...(named ? [`Not reached: ${named}${missed.length > maxNamed ? "; …" : ""}`] : []),
    ...(left === undefined ? [] : [left]),
    ...(isUnfinished
      ? ["Exploring ended before everything was reached: give it more time by --budget."]
      : []),
    ...(isTooLittle ? [`The bot is reached by less than ${least} %.`] : []),
  ]
  if (findings.length > 0) return { code: codes.wrong, sentences }
  if (isTooLittle) return { code: codes.tooLittle, sentences }
  return { code: isUnfinished ? codes.unfinished : 0, sentences }
}

function sharesOf({ missed: _, ...shares }: Exploration["coverage"]) {
  return Object.entries(shares).filter(([, { total }]) => total > 0)
}

function reportOf(
  findings: readonly ExploreFinding[],
  { file, text, raw, flow }: { file: string; text: string; raw: unknown; flow: Flow },
): FileReport {
  const placed = findings.map((finding) => ({
    ...finding,
    pointer: pointerInFile(finding.pointer, flow, raw),
  }))
  return {
    file,
    findings: withPositions(placed, text).map((finding) => ({
      ...finding,
      ...(finding.test && { steps: describeSteps(finding.test) }),
    })),
  }
}

/** An import may have moved groups and blocks; their ids stay. */
function pointerInFile(pointer: string, { groups }: Flow, raw: unknown): string {
  const [, list, at, member, block, ...rest] = pointer.split("/")
  const group = groups[Number(at)]
  if (list !== "groups" || !group) return pointer
  const index = pickList(raw, "groups").findIndex((each) => pick(each, "id") === group.id)
  if (index < 0) return ""
  if (member !== "blocks") return `/groups/${index}`
  const id = group.blocks[Number(block)]?.id
  const blocks = pickList(raw, "groups", index, "blocks")
  const place = blocks.findIndex((each) => pick(each, "id") === id)
  return [`/groups/${index}/blocks/${Math.max(0, place)}`, ...rest].join("/")
}

/** Writes a test of each finding that has one. Returns their names. */
async function writeTests(
  findings: readonly ExploreFinding[],
  { file, files, folder }: { file: string; files: Record<string, string>; folder: string },
): Promise<string[]> {
  await mkdir(folder, { recursive: true })
  const seen = (path: string) => relative(resolve(folder), resolve(path))
  const bot = file === "-" ? "bot.json" : seen(file)
  const others = Object.entries(files).map(([id, path]) => [id, seen(path)])
  const linked = others.length > 0 && { linked: Object.fromEntries(others) }
  const names: string[] = []
  for (const { rule, test, remedy } of findings) {
    if (!test) continue
    const name = `${String(names.length + 1).padStart(2, "0")}-${rule}.test.yaml`
    const head = `Fails until the bot is mended. ${remedy}`
    await writeFile(join(folder, name), writeTestFile({ bot, ...linked, ...test }, { head }))
    names.push(name)
  }
  return names
}

function remarks({ coverage, places }: Exploration, { sentences }: Outcome): void {
  const shares = sharesOf(coverage).map(
    ([name, { reached, total }]) =>
      `${reached} of ${total} ${name} (${Math.floor((100 * reached) / total)} %)`,
  )
  print(
    `Reached ${shares.join(", ")} in ${places === 1 ? "1 place" : `${places} places`} of conversations.`,
  )
  sentences.forEach(print)
}

/** Max unreached places listed; --json has all. */
const maxNamed = 20
