/**
 * What a cluster refuses although a single server takes it (schema/README.md), found in the syntax of
 * statements.
 */
import { loadModule, parsePlPgSQLSync, parseSync } from "libpg-query"

/** What the rules need to know besides a statement. */
export type RuleFacts = {
  /** `name/arguments` of functions that depend on more than these; volatile ones are in both sets. */
  mutable: ReadonlySet<string>
  volatile: ReadonlySet<string>
  /** Columns of type timestamptz: arithmetic with them depends on the zone of the session. */
  zoned: ReadonlySet<string>
  /** The column by which a table is spread, by the name of the table. */
  keys: ReadonlyMap<string, string>
  /** The tables that are copied to every node. */
  copied: ReadonlySet<string>
}

await loadModule()

/** The rules that a text with any number of statements breaks, in words. */
export function brokenRules(text: string, facts: RuleFacts): string[] {
  const broken = new Set<string>()
  for (const { type, body } of nodesIn(parseSync(text))) {
    for (const words of rules[type]?.(body, facts) ?? []) broken.add(words)
  }
  return [...broken]
}

/** The tables that a text with any number of statements writes, or whose rows it locks. */
export function tablesWritten(text: string): string[] {
  const tables: string[] = []
  for (const { type, body } of nodesIn(parseSync(text))) {
    if (/^(Insert|Update|Delete)Stmt$/.test(type))
      tables.push(String(at(body, "relation", "relname")))
    if (type !== "SelectStmt" || body.lockingClause === undefined) continue
    for (const from of nodesIn(body.fromClause, "RangeVar")) tables.push(String(from.body.relname))
  }
  return tables
}

/** The tables that a text with any number of statements names. */
export function tablesNamed(text: string): Set<string> {
  return new Set([...nodesIn(parseSync(text), "RangeVar")].map(({ body }) => String(body.relname)))
}

/** The statements inside of a function in PL/pgSQL, given what creates it. */
export function statementsIn(definition: string): string[] {
  return [...nodesIn(parsePlPgSQLSync(definition), "PLpgSQL_expr")]
    .map(({ body }) => String(body.query))
    .filter((text) => /^\s*(insert|update|delete|select|with)\b/i.test(text))
}

type Body = Record<string, unknown>
type Node = { type: string; body: Body }

/** Every node below one, with its type; subqueries are left out when `into` says so. */
function* nodesIn(value: unknown, only?: string, skips?: string): Generator<Node> {
  if (typeof value !== "object" || value === null) return
  for (const [key, body] of Object.entries(value)) {
    if (key === skips) continue
    const isNode = /^[A-Z]/.test(key) && typeof body === "object" && body !== null
    if (isNode && (only === undefined || key === only)) yield { type: key, body: body as Body }
    yield* nodesIn(body, only, skips)
  }
}

const has = (value: unknown, type: string) => !nodesIn(value, type).next().done

function at(value: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>((found, key) => (found as Body | undefined)?.[key], value)
}

type Rule = (body: Body, facts: RuleFacts) => string[]

/** The columns that spread the tables which a part of a statement reads. */
function keysRead(part: unknown, { keys }: RuleFacts): string[] {
  const isTable = at(part, "relname") !== undefined
  const tables = isTable ? [part as Body] : [...nodesIn(part, "RangeVar")].map(({ body }) => body)
  return tables.flatMap(({ relname }) => keys.get(String(relname)) ?? [])
}

/** Whether a condition says which value a column has. */
function isFixed(condition: unknown, column: string): boolean {
  return [...nodesIn(condition, "A_Expr")].some(
    ({ body }) =>
      body.kind === "AEXPR_OP" &&
      JSON.stringify(body.name).includes('"sval":"="') &&
      JSON.stringify([body.lexpr, body.rexpr]).includes(`"sval":"${column}"`),
  )
}

const rules: Readonly<Record<string, Rule>> = {
  InsertStmt(body, facts) {
    const conflict = body.onConflictClause as Body | undefined
    return wordsFor({
      "a subquery in VALUES": has(at(body, "selectStmt", "SelectStmt", "valuesLists"), "SubLink"),
      "WITH before INSERT": body.withClause !== undefined,
      "a function in DO UPDATE that is not immutable": isMutable(conflict, facts),
      "a change of the column that spreads a table": setsKey(body, conflict?.targetList, facts),
      "a function in RETURNING that is not immutable": isMutable(body.returningClause, facts),
    })
  },
  CommonTableExpr(body) {
    const operation = at(body, "ctequery", "SelectStmt", "op") ?? "SETOP_NONE"
    return wordsFor({
      "INSERT under WITH": at(body, "ctequery", "InsertStmt") !== undefined,
      // The names are lost: the first SELECT gives them.
      "names of columns before UNION under WITH":
        body.aliascolnames !== undefined && operation !== "SETOP_NONE",
    })
  },
  SubLink(body) {
    const { fromClause, ...rest } = (at(body, "subselect", "SelectStmt") ?? {}) as Body
    const from = (fromClause as unknown[] | undefined) ?? []
    const isOfFunctions = from.length > 0 && from.every((each) => at(each, "RangeFunction"))
    return wordsFor({
      "a subquery below one that reads from a function": isOfFunctions && has(rest, "SubLink"),
    })
  },
  SelectStmt(body, facts) {
    const from = (body.fromClause as unknown[] | undefined) ?? []
    const keys = keysRead(from, facts)
    const isOfOneNode = keys.length > 0 && keys.every((key) => isFixed(body.whereClause, key))
    const isSpread = keys.length > 0 && !isOfOneNode
    const found = [...nodesIn(body.targetList, "SubLink"), ...nodesIn(body.whereClause, "SubLink")]
      .filter(({ body: link }) => link.subLinkType === "EXISTS_SUBLINK")
      .map(({ body: link }) => at(link, "subselect", "SelectStmt") as Body)
      .filter(({ fromClause }) => keysRead(fromClause, facts).length > 0)
    const isCopyOrLocal = from.length > 0 && keys.length === 0 && has(from, "RangeVar")
    return wordsFor({
      "locks of rows on many nodes": isSpread && body.lockingClause !== undefined,
      "GROUPING SETS over many nodes": isSpread && has(body.groupClause, "GroupingSet"),
      "RECURSIVE over a spread table":
        at(body, "withClause", "recursive") === true && keysRead(body, facts).length > 0,
      "EXISTS over a spread table for each row of another": isCopyOrLocal && found.length > 0,
      "EXISTS over a spread table without columns and FROM":
        from.length === 0 && found.some(({ targetList }) => targetList === undefined),
    })
  },
  MergeStmt: (body, facts) =>
    wordsFor({ "MERGE into a spread table": keysRead(body.relation, facts).length > 0 }),
  UpdateStmt: changeRule,
  DeleteStmt: changeRule,
}

function changeRule(body: Body, facts: RuleFacts): string[] {
  const changed = [body.targetList, body.whereClause]
  const nodes = [...nodesIn(changed, undefined, "SubLink")]
  return wordsFor({
    "a volatile function in a change": nodes.some((node) => isCallOf(node, facts.volatile)),
    "a function of a column that is not immutable": nodes.some(
      (node) => isStable(node, facts) && has(node.body, "ColumnRef"),
    ),
    "CASE or COALESCE around a function that is not immutable": nodes.some(
      ({ type, body: inner }) => /^(Case|Coalesce)Expr$/.test(type) && isMutable(inner, facts),
    ),
    "a function in RETURNING that is not immutable": isMutable(body.returningClause, facts),
    "a change of the column that spreads a table": setsKey(body, body.targetList, facts),
    "EXISTS over a copied or spread table in a change of one at the coordinator": joinsOthers(
      body,
      facts,
    ),
    "the place of a row": JSON.stringify(changed).includes('"ctid"'),
  })
}

function joinsOthers({ relation, whereClause }: Body, { keys, copied }: RuleFacts): boolean {
  const isOther = (name: unknown) => keys.has(String(name)) || copied.has(String(name))
  if (isOther(at(relation, "relname"))) return false
  return [...nodesIn(whereClause, "SubLink")]
    .filter(({ body: link }) => link.subLinkType === "EXISTS_SUBLINK")
    .some(({ body: link }) =>
      [...nodesIn(link, "RangeVar")].some(({ body: table }) => isOther(table.relname)),
    )
}

function setsKey({ relation }: Body, targets: unknown, { keys }: RuleFacts): boolean {
  const key = keys.get(String(at(relation, "relname")))
  const set = (targets as unknown[] | undefined) ?? []
  return key !== undefined && set.some((target) => at(target, "ResTarget", "name") === key)
}

function wordsFor(found: Record<string, boolean>): string[] {
  return Object.entries(found).flatMap(([words, isBroken]) => (isBroken ? [words] : []))
}

function isMutable(value: unknown, facts: RuleFacts): boolean {
  for (const node of nodesIn(value)) if (isStable(node, facts)) return true
  return false
}

function isStable(node: Node, facts: RuleFacts): boolean {
  const { type, body } = node
  if (type === "SQLValueFunction" || isCallOf(node, facts.mutable)) return true
  if (type === "TypeCast") return isZoned(body.arg, facts)
  if (type !== "A_Expr" || !/"sval":"[+-]"/.test(JSON.stringify(body.name))) return false
  // The difference of two times is the same everywhere.
  return isZoned(body.lexpr, facts) !== isZoned(body.rexpr, facts)
}

function isCallOf({ type, body }: Node, names: ReadonlySet<string>): boolean {
  return type === "FuncCall" && names.has(callOf(body))
}

function callOf({ funcname, args }: Body): string {
  const name = String(at((funcname as unknown[]).at(-1), "String", "sval"))
  return `${name}/${(args as unknown[] | undefined)?.length ?? 0}`
}

/** Whether an expression is a column of type timestamptz. */
function isZoned(value: unknown, { zoned }: RuleFacts): boolean {
  const fields = at(value, "ColumnRef", "fields") as unknown[] | undefined
  return zoned.has(String(at(fields?.at(-1), "String", "sval")))
}
