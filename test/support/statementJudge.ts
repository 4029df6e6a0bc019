/**
 * Which rules of clusters a statement breaks. Most statements are the product's and the same in many
 * files, so a process judges each of them once.
 */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import pg from "pg"
import { schemaFolder } from "../../src/db/schema/migrate.ts"
import { brokenRules, type RuleFacts, tablesNamed, tablesWritten } from "./clusterRules.ts"

/** What is wrong with a statement, in words, and the tables that it writes. */
type Verdict = { broken: string[]; written: string[] }

/** Judges statements by the functions of a server and by how its tables are spread. */
export type Judge = { spread: Spread; verdictOn(text: string): Verdict }

/** By the URL of the server. */
const judges = new Map<string, Promise<Judge>>()

/** The judge of a server, who remembers every verdict while the process lasts. */
export function openJudge(serverUrl: string): Promise<Judge> {
  const judge = judges.get(serverUrl) ?? newJudge(serverUrl)
  judges.set(serverUrl, judge)
  return judge
}

async function newJudge(serverUrl: string): Promise<Judge> {
  const [facts, spread] = await Promise.all([readFacts(serverUrl), readSpread()])
  const { reference, distributed, local } = spread
  const ours = new Set([...reference, ...distributed.keys(), ...local])
  const judged = new Map<string, Verdict>()
  const judge = (text: string): Verdict => {
    const written = tablesWritten(text)
    // Tests make tables of their own, too.
    const isOurs = [...written, ...tablesNamed(text)].some((table) => ours.has(table))
    return { broken: isOurs ? brokenRules(text, facts) : [], written }
  }
  return {
    spread,
    verdictOn(text) {
      const verdict = judged.get(text) ?? judge(text)
      judged.set(text, verdict)
      return verdict
    },
  }
}

/** How tables are spread: reference tables in the order in which they are locked. */
type Spread = {
  reference: string[]
  /** With the column by which each is spread. */
  distributed: Map<string, string>
  local: string[]
}

async function readSpread(): Promise<Spread> {
  const text = await readFile(join(schemaFolder(), "cluster", "distribute.sql"), "utf8")
  const named = (by: string) =>
    [...text.matchAll(new RegExp(`${by}\\('(\\w+)'`, "g"))].map(([, table]) => String(table))
  const keyed = [...text.matchAll(/create_distributed_table\('(\w+)', '(\w+)'/g)]
  return {
    reference: named("create_reference_table"),
    distributed: new Map(keyed.map(([, table, key]) => [String(table), String(key)])),
    local: named("citus_add_local_table_to_metadata"),
  }
}

/** What a server says of its functions, and the schema of its columns. */
export async function readFacts(serverUrl: string): Promise<RuleFacts> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  const { rows } = await client.query<{ name: string; volatile: boolean }>(
    `select proname || '/' || pronargs as name, bool_or(provolatile = 'v') as volatile
    from pg_proc where provolatile <> 'i' and 'timetz'::regtype <> all (proargtypes) group by 1`,
  )
  await client.end()
  const { distributed: keys, reference } = await readSpread()
  const schema = await readFile(join(schemaFolder(), "current.sql"), "utf8")
  const zoned = [...schema.matchAll(/^ {2}(\w+) timestamp/gm)].map(([, column]) => String(column))
  return {
    mutable: new Set(rows.map(({ name }) => name)),
    volatile: new Set(rows.filter(({ volatile }) => volatile).map(({ name }) => name)),
    zoned: new Set(zoned),
    keys,
    copied: new Set(reference),
  }
}
