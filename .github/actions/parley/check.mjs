/** Lints, explores, tests and compares the bots of a repository, for the action beside this file. */
import { execFileSync, spawnSync } from "node:child_process"
import { appendFileSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const { env } = process
const marker = "<!-- parley: bots -->"

/** GitHub takes 65,536 characters of a comment, and a megabyte of a summary. */
const longestComment = 60_000
const longestSummary = 900_000

/** More bots than a reviewer reads. */
const mostCompared = 50

/** As many are explored, each for the time that it gets. */
const mostExplored = 20

const linesOf = (text = "") => text.split("\n").flatMap((line) => line.trim() || [])
// Nothing that is named like an option is taken for one.
const patterns = linesOf(env.PARLEY_BOTS).map((pattern) => `:(glob)${pattern}`)
const bots =
  patterns.length === 0 ? [] : git("ls-files", "-z", "--", ...patterns).map((path) => `./${path}`)
const folder = mkdtempSync(join(env.RUNNER_TEMP ?? tmpdir(), "parley-"))

const outcomes = [lint(), explore(), test()].filter((outcome) => outcome !== undefined)
const changes = compare()
const report = [
  marker,
  "## Bots",
  "",
  ...outcomes.map(({ name, isFine, words }) => `- ${isFine ? "✅" : "❌"} ${name}: ${words}`),
  ...changes,
]
if (env.GITHUB_STEP_SUMMARY) {
  appendFileSync(env.GITHUB_STEP_SUMMARY, `${bounded(report, longestSummary)}\n`)
}
await comment(bounded(report, longestComment))
process.exitCode = outcomes.every(({ isFine }) => isFine) ? 0 : 1

/** Checks all bots, writes SARIF to a file, and shows each finding beside its line. */
function lint() {
  if (bots.length === 0) return { name: "Lint", isFine: true, words: "there are no bots" }
  const { status, stdout } = parley("lint", "--sarif", ...bots)
  const file = join(folder, "parley.sarif")
  writeFileSync(file, stdout)
  if (env.GITHUB_OUTPUT) appendFileSync(env.GITHUB_OUTPUT, `sarif=${file}\n`)
  const results = parsed(stdout)?.runs?.[0]?.results
  if (!Array.isArray(results)) return { name: "Lint", isFine: false, words: "it did not run" }
  annotate(results)
  const errors = results.filter(({ level }) => level === "error").length
  const words = [
    counted(bots.length, "bot"),
    counted(errors, "error"),
    counted(results.length - errors, "other finding"),
  ].join(", ")
  return { name: "Lint", isFine: status === 0, words }
}

/** Shows each finding beside its line. */
function annotate(results) {
  for (const { level, message, locations } of results) {
    const { artifactLocation, region } = locations[0].physicalLocation
    const path = decodeURIComponent(artifactLocation.uri).replace(/^\.\//, "")
    const kind = level === "error" || level === "warning" ? level : "notice"
    const place = `file=${property(path)},line=${Number(region.startLine)}`
    console.log(`::${kind} ${place}::${data(message.text)}`)
  }
}

/** Tries what people may say to the bots. Only errors fail the run, and time that is over fails nothing. */
function explore() {
  const budget = env.PARLEY_EXPLORE ?? ""
  if (budget === "" || bots.length === 0) return undefined
  const all = []
  let isFine = true
  for (const bot of bots.slice(0, mostExplored)) {
    const { stdout } = parley("explore", bot, "--budget", budget, "--sarif")
    const results = parsed(stdout)?.runs?.[0]?.results
    if (Array.isArray(results)) all.push(...results)
    else isFine = false
  }
  annotate(all)
  const errors = all.filter(({ level }) => level === "error").length
  const found = [counted(errors, "error"), counted(all.length - errors, "other finding")].join(", ")
  const left = bots.length - mostExplored
  const words = left > 0 ? `${found}; ${counted(left, "bot")} left out` : found
  const name = "Explore"
  return isFine ? { name, isFine: errors === 0, words } : { name, isFine, words: "it did not run" }
}

function counted(count, noun) {
  return `${count} ${noun}${count === 1 ? "" : "s"}`
}

/** Runs the tests, which write annotations themselves. */
function test() {
  const files = linesOf(env.PARLEY_TESTS ?? ".").map((path) =>
    path.startsWith("-") ? `./${path}` : path,
  )
  if (files.length === 0) return undefined
  const least = env.PARLEY_MIN ? ["--min", env.PARLEY_MIN] : []
  const { status, stdout } = parley(
    "test",
    ...["--reporter", "github", "--coverage", ...least, ...files],
  )
  for (const line of linesOf(stdout)) {
    // What a bot says is no command for the runner.
    console.log(line.startsWith("::") && !line.startsWith("::error ") ? `| ${line}` : line)
  }
  const words = { 0: "they pass", 1: "some fail", 2: "some cannot run, or reach too little" }
  return { name: "Tests", isFine: status === 0, words: words[status] ?? "they did not run" }
}

/** What becomes of every bot that differs from the base, in Markdown. */
function compare() {
  const { PARLEY_BASE: base = "" } = env
  if (!/^[0-9a-f]{7,64}$/.test(base) || patterns.length === 0) return []
  try {
    git("cat-file", "-e", `${base}^{commit}`)
  } catch {
    run("git", ["fetch", "--quiet", "--depth=1", "origin", base])
  }
  const from = run("git", ["merge-base", base, "HEAD"]).stdout.trim() || base
  const differing = ["diff", "--name-only", "--no-renames", "-z", from, "HEAD", "--", ...patterns]
  let paths
  try {
    paths = git(...differing)
  } catch {
    return ["", "The base is not here: check out with `fetch-depth: 0` to see what changed."]
  }
  const compared = paths.slice(0, mostCompared).flatMap((path) => {
    const [before, after] = [from, "HEAD"].map((commit, index) => fileAt(commit, path, index))
    const heading = ["", `### ${inCode(path)}`, ""]
    if (!before) return [...heading, "A new bot."]
    if (!after) return [...heading, "The bot is gone."]
    const { status, stdout } = parley("diff", "--markdown", before, after)
    const words =
      status === 0 ? stdout.trimEnd() : "It cannot be compared: see what the linter says."
    return [...heading, ...words.split("\n")]
  })
  const left = paths.length - mostCompared
  return left > 0 ? [...compared, "", `${left} more bots changed.`] : compared
}

/** A file as it was in a commit; undefined: it was not there. */
function fileAt(commit, path, index) {
  const { status, stdout } = run("git", ["show", `${commit}:${path}`])
  if (status !== 0) return undefined
  const copy = join(folder, `${index === 0 ? "before" : "after"}.json`)
  writeFileSync(copy, stdout)
  return copy
}

/** Writes the comment, or brings the one that is there up to date. A failure fails nothing else. */
async function comment(body) {
  const { PARLEY_PULL_REQUEST: number = "", GITHUB_REPOSITORY: repository = "" } = env
  if (!/^\d+$/.test(number) || !env.PARLEY_GITHUB_TOKEN) return
  const comments = `/repos/${repository}/issues/${number}/comments`
  try {
    const own = await findComment(comments)
    if (own === undefined && changes.length === 0) return
    if (own === undefined) await call("POST", comments, { body })
    else await call("PATCH", `/repos/${repository}/issues/comments/${own}`, { body })
  } catch (error) {
    console.log(`::warning::${data(`There is no comment: ${error.message}`)}`)
  }
}

/** The id of the comment that an earlier run has written. */
async function findComment(comments) {
  for (let page = 1; page <= 30; page++) {
    const found = await call("GET", `${comments}?per_page=100&page=${page}`)
    const own = found.find(({ body, user }) => body?.startsWith(marker) && user?.type === "Bot")
    if (own) return own.id
    if (found.length < 100) return undefined
  }
  return undefined
}

async function call(method, path, sent) {
  const response = await fetch(`${env.GITHUB_API_URL ?? "https://api.github.com"}${path}`, {
    method,
    headers: {
      accept: "application/vnd.github+json",
      authorization: `Bearer ${env.PARLEY_GITHUB_TOKEN}`,
      ...(sent && { "content-type": "application/json" }),
    },
    ...(sent && { body: JSON.stringify(sent) }),
    signal: AbortSignal.timeout(30_000),
  })
  if (!response.ok) throw new Error(`GitHub answered ${method} with ${response.status}`)
  return await response.json()
}

/** Whole lines, as many as fit. */
function bounded(lines, most) {
  const note = "\n\nThe rest is left out, because it is too long."
  let text = ""
  for (const line of lines) {
    if (text.length + line.length + note.length > most) return `${text.trimEnd()}${note}`
    text += `${line}\n`
  }
  return text.trimEnd()
}

/** The names that Git lists. */
function git(...words) {
  return execFileSync("git", words, { encoding: "utf8", maxBuffer: 2 ** 28 })
    .split("\0")
    .filter(Boolean)
}

function parley(...words) {
  const [command = "npx", ...first] = (env.PARLEY_COMMAND ?? "npx --no-install parley")
    .split(" ")
    .filter(Boolean)
  const ended = run(command, [...first, ...words])
  if (ended.stderr)
    console.log(
      linesOf(ended.stderr)
        .map((line) => `| ${line}`)
        .join("\n"),
    )
  if (ended.error) console.log(`::error::${data(`${command} cannot run: ${ended.error.message}`)}`)
  return ended
}

/** Runs a program without a shell. */
function run(command, words) {
  const ended = spawnSync(command, words, { encoding: "utf8", maxBuffer: 2 ** 28 })
  return { ...ended, stdout: ended.stdout ?? "", stderr: ended.stderr ?? "" }
}

function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A name as code: no markup, no link and no mention, whatever is in it. */
function inCode(text) {
  const runs = text.match(/`+/g) ?? []
  const fence = "`".repeat(1 + Math.max(0, ...runs.map(({ length }) => length)))
  return `${fence} ${text.replace(/\p{C}/gu, "�")} ${fence}`
}

/** Text of a command for the runner, and a property of one. */
function data(text) {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A")
}

function property(text) {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C")
}
