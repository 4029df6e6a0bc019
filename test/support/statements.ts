/** Holds every statement that a test file sends, in whatever way, to the rules of clusters. */
import pg from "pg"
import { expect } from "vitest"
import { type Judge, openJudge } from "./statementJudge.ts"
import { whenOver } from "./whenOver.ts"

const statements = new Set<string>()
/** What was sent in transactions, by connection while they last. */
const open = new WeakMap<pg.Client, string[]>()
const transactions = new Map<string, string[]>()
let isGathering = false

/** Collects statements from now on; the test, or the file, fails at its end if one breaks a rule. */
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
  whenOver(async () => {
    pg.Client.prototype.query = send
    isGathering = false
    const judge = await openJudge(serverUrl)
    const broken = [...statements].flatMap((text) =>
      judge.verdictOn(text).broken.map((words) => `${words}: ${text}`),
    )
    for (const texts of transactions.values()) {
      // A restore fills a database whose tables are not spread yet.
      const isRestore = texts.some((text) => text.includes("pg_advisory_xact_lock"))
      if (!isRestore) broken.push(...brokenOrder(texts, judge))
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

/**
 * Reference tables are locked one at a time, in one order everywhere, and before anything of the
 * distributed tables is written.
 */
function brokenOrder(
  texts: readonly string[],
  { verdictOn, spread: { reference, distributed } }: Judge,
): string[] {
  const written = [...new Set(texts.flatMap((text) => verdictOn(text).written))]
  const places = written
    .filter((table) => reference.includes(table) || distributed.has(table))
    .map((table) => reference.indexOf(table))
    .map((place) => (place === -1 ? reference.length : place))
  const isInOrder = places.every((place, index) => place >= (places[index - 1] ?? 0))
  return isInOrder ? [] : [`the order ${written.join(", ")} in ${texts.join(";\n")}`]
}
