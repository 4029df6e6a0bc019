/** Every statement that stands in the sources obeys the rules of clusters, also one that no test sends. */
import { expect, test } from "vitest"
import { brokenRules } from "../support/clusterRules.ts"
import { testDatabase } from "../support/database.ts"
import { readFacts } from "../support/statementJudge.ts"
import { sqlIn, writtenSql } from "../support/writtenSql.ts"

const { url } = await testDatabase()
const facts = await readFacts(url)
const found = writtenSql()

/** Migrations are applied at the coordinator alone. */
const ofOneNode = (path: string) => path === "db/schema/migrate.ts"

test("what is written obeys the rules", () => {
  const whole = found.filter(({ path, isWhole }) => isWhole && !ofOneNode(path))
  expect(whole.length).toBeGreaterThan(100)
  const broken = whole.flatMap(({ path, text }) =>
    brokenRules(text, facts).map((words) => `${path}: ${words}: ${text}`),
  )
  expect(broken).toEqual([])
})

/** Statements made of parts, by the file and how many: they are held to the rules where tests send them. */
const madeOfParts: Record<string, number> = {
  "db/backup/writeTables.ts": 1,
  "db/chats/claims.ts": 3,
  // Two tables that are read alike.
  "db/chats/sessionEvents.ts": 1,
  // What they read by shards has a name for each.
  "db/chats/timers.ts": 1,
  "db/connection/nodes.ts": 3,
  "db/connection/notifications.ts": 1,
  // Taking events of all creators or of those whose turn it is, at each node and without nodes.
  "db/events/outbox.ts": 2,
  "db/people/tokens.ts": 1,
  "db/results/countedDays.ts": 1,
  "db/results/erasure.ts": 3,
  // What goes with whole tables, and with their shards.
  "db/results/purge.ts": 3,
  "db/results/usage.ts": 1,
}

test("statements made of parts are few, and known", () => {
  const parts = found.filter(({ path, isWhole }) => !isWhole && path.startsWith("db/"))
  const counts: Record<string, number> = {}
  for (const { path } of parts) counts[path] = (counts[path] ?? 0) + 1
  expect(counts).toEqual(madeOfParts)
})

test("each node keeps advisory locks for itself: only what is alone on a cluster anyway takes one", () => {
  const locking = found.filter(({ text }) => text.includes("advisory")).map(({ path }) => path)
  expect([...new Set(locking)]).toEqual([
    // Writers of bot_versions, a copied table, wait for each other.
    "db/bots/versionQuota.ts",
    // At the coordinator.
    "db/schema/migrate.ts",
  ])
})

test("a statement that breaks a rule is found, in a string, a template and a constant", () => {
  const broken = "delete from timers where ctid = $1"
  for (const source of [
    `db.query("${broken}")`,
    `sql\`delete from timers where ctid = \${id}\``,
    `const condition = "ctid = $1"\nconst text = \`delete from timers where \${condition}\``,
  ]) {
    const words = sqlIn("x.ts", source).flatMap(({ text }) => brokenRules(text, facts))
    expect(words).toEqual(["the place of a row"])
  }
})
