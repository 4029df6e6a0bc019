/** Holds every statement that a test file sends, in whatever way, to the rules of clusters. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import pg from "pg"
import { afterAll, expect } from "vitest"
import { schemaFolder } from "../../src/db/schema/migrate.ts"
import { brokenRules, type RuleFacts, tablesNamed, tablesWritten } from "./clusterRules.ts"

const statements = new Set<string>()
/** What was sent in transactions, by connection while they last. */
const open = new WeakMap<pg.Client, string[]>()
const transactions = new Map<string, string[]>()
let isGathering = false

/** Collects statements from now on; the file fails at its end if one breaks a rule. */
export function holdStatements(serverUrl: string): void {
  if (isGathering) return
  isGathering = true
  const send = pg.Client.prototype.query
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [query] = args
    const text = typeof query === "string" ? query : (query as { text?: string }).text
    if (text !== undefined) gather(this, text)
    return Reflect.apply(send, this, args)
  } as typeof send
  afterAll(async () => {
    pg.Client.prototype.query = send
    const facts = await readFacts(serverUrl)
    const spread = await readSpread()
    const { reference, distributed, local } = spread
    const ours = new Set([...reference, ...distributed.keys(), ...local])
    // Tests make tables of their own, too.
    const broken = [...statements]
      .filter((text) =>
        [...tablesWritten(text), ...tablesNamed(text)].some((table) => ours.has(table)),
      )
      .flatMap((text) => brokenRules(text, facts).map((words) => `${words}: ${text}`))
    for (const texts of transactions.values()) {
      // A restore fills a database whose tables are not spread yet.
      const isRestore = texts.some((text) => text.includes("pg_advisory_xact_lock"))
      if (!isRestore) broken.push(...brokenOrder(texts, spread))
    }
    expect(broken).toEqual([])
  })
}

function gather(client: pg.Client, text: string): void {
  const word = /^\s*(\w+)/.exec(text)?.[1]?.toLowerCase() ?? ""
  if (word === "begin" || word === "start") open.set(client, [])
  const sent = open.get(client)
  if (word === "commit" && sent) transactions.set(sent.join(";"), sent)
  if (word === "commit" || word === "rollback") open.delete(client)
  if (!/^(insert|update|delete|select|with|merge)$/.test(word)) return
  statements.add(text)
  sent?.push(text)
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

/**
 * Reference tables are locked one at a time, in one order everywhere, and before anything of the
 * distributed tables is written.
 */
function brokenOrder(
  texts: readonly string[],
  { reference, distributed }: Omit<Spread, "local">,
): string[] {
  const written = [...new Set(texts.flatMap(tablesWritten))]
  const places = written
    .filter((table) => reference.includes(table) || distributed.has(table))
    .map((table) => reference.indexOf(table))
    .map((place) => (place === -1 ? reference.length : place))
  const isInOrder = places.every((place, index) => place >= (places[index - 1] ?? 0))
  return isInOrder ? [] : [`the order ${written.join(", ")} in ${texts.join(";\n")}`]
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
  const { distributed: keys } = await readSpread()
  const schema = await readFile(join(schemaFolder(), "current.sql"), "utf8")
  const zoned = [...schema.matchAll(/^ {2}(\w+) timestamp/gm)].map(([, column]) => String(column))
  return {
    mutable: new Set(rows.map(({ name }) => name)),
    volatile: new Set(rows.filter(({ volatile }) => volatile).map(({ name }) => name)),
    zoned: new Set(zoned),
    keys,
  }
}
