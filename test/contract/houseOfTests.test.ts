/** House rules for tests: none passes by luck, so none lets time pass and none is tried twice. */
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"

const root = fileURLToPath(new URL("../..", import.meta.url))

const files = ["src", "test"].flatMap((folder) =>
  readdirSync(`${root}/${folder}`, { recursive: true, encoding: "utf8" })
    .map((path) => `${folder}/${path.replaceAll("\\", "/")}`)
    .filter((path) => /\.test\.ts$/.test(path) || /^test\/.*\.m?ts$/.test(path))
    .map((path) => ({ path, text: readFileSync(`${root}/${path}`, "utf8") })),
)

/** The lines, outside of texts that tests hand to others, in which a pattern stands. */
function linesWith(pattern: RegExp, except: readonly string[] = []): string[] {
  return files
    .filter(({ path }) => !except.includes(path))
    .flatMap(({ path, text }) =>
      text.split("\n").flatMap((line, index) => {
        const code = line.replace(/(["'`])(?:\\.|(?!\1).)*\1/g, "")
        return pattern.test(code) ? [`${path}:${index + 1}: ${line.trim()}`] : []
      }),
    )
}

it("the tests are found", () => {
  expect(files.length).toBeGreaterThan(400)
})

it("no test lets time pass: it waits for what happens, by `support/waiting.ts`", () => {
  const timed = /\b(?:sleep|setTimeout|waitForTimeout|Atomics\.wait)\(|\bsetTimeout\b.*\bfrom\b/
  // Scripts of authors and of pages may wait, apps pause before they try again, and requests of the siege
  // have an end.
  const exempt = ["waiting.ts", "hostileScripts.ts", "siege/ask.ts"]
    .map((path) => `test/support/${path}`)
    .concat("test/pages/payments.ts")
  expect(linesWith(timed, exempt)).toEqual([])
})

it("no test has less time than others: on a busy machine it would fail by luck", () => {
  // What plants hundreds of faults at night may take an hour.
  const exempt = ["test/workshop/faults.test.ts", "test/vitest.config.ts"]
  expect(linesWith(/\b(?:test|hook)Timeout\b|\bpoll\([^)]*timeout/, exempt)).toEqual([])
  const limited = /^(?:it|test|describe)\b.*\{ timeout:|^\s+timeout: [\d_]+,$/
  expect(linesWith(limited, exempt)).toEqual([])
  const inTheEnd = files.filter(({ text }) => /\n *\}, *(?:\n *)?[\d_]{4,},?\s*\)/.test(text))
  // Two builders make thousands of edits there at night.
  expect(inTheEnd.map(({ path }) => path)).toEqual(["test/process/builders.test.ts"])
})

it("statements sleep only where the database is meant to end or move them", () => {
  const asleep = files.filter(({ text }) => /pg_sleep\(/.test(text)).map(({ path }) => path)
  expect(asleep.sort()).toEqual([
    "test/db/open.test.ts",
    "test/db/pipelines.test.ts",
    "test/support/pipelines.ts",
  ])
})

it("tests see the locks of their own database, by `support/lockWaits.ts`", () => {
  const seeing = files.filter(({ text }) => /\bpg_locks\b/.test(text)).map(({ path }) => path)
  expect(seeing).toEqual(["test/support/lockWaits.ts"])
})

it("what tests ask for ends with them, by `support/whenOver.ts`", () => {
  // Vitest never runs what a test itself hands to `afterAll`: services of former files would stay.
  const within = /^\s+afterAll\(/
  const called = linesWith(within, ["test/support/whenOver.ts"]).filter(
    (line) => !/\.test\.ts:/.test(line),
  )
  expect(called).toEqual([])
})

it("nothing is tried a second time until it passes", () => {
  // There it is the message of an input.
  const exempt = ["test/conversations/replies.test.ts"]
  expect(linesWith(/(?:^|[{,])\s*(?:retry|repeats)\s*[:,}]/, exempt)).toEqual([])
  for (const path of ["test/vitest.config.ts", "package.json", ".ci/run"]) {
    expect(readFileSync(`${root}/${path}`, "utf8")).not.toMatch(/\bretry\b/)
  }
})

it("what is drawn at random is drawn by TEST_SEED, so that every night draws something else", () => {
  const fixed = /\bseed: .*\bnumRuns\b|\bnumRuns\b.*\bseed:/
  expect(linesWith(fixed)).toEqual([])
})

it("no module is replaced for a test, because all files of a process share the product", () => {
  expect(linesWith(/\bvi\.(?:do)?(?:mock|unmock|resetModules)\(/i)).toEqual([])
})

it("no two hot statements share a name, because a process describes each name once", () => {
  const named = files.flatMap(({ path, text }) =>
    [...text.matchAll(/\bname: "(\w+)",\s*text:/g)].map(([, name]) => ({ name, path })),
  )
  const shared = named.filter(({ name, path }) =>
    named.some((other) => other.name === name && other.path !== path),
  )
  expect(named.length).toBeGreaterThan(5)
  expect(shared).toEqual([])
})
