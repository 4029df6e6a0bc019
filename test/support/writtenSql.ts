/** Reads the SQL that stands in the sources, whether a test sends it or not. */
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { parseSync } from "libpg-query"
import { parseAst } from "rolldown/parseAst"

/** A text that begins like a statement, with `$1` for each value; `isWhole` unless parts of it are missing. */
export type WrittenSql = { path: string; text: string; isWhole: boolean }

const folder = fileURLToPath(new URL("../../src", import.meta.url))

const beginning = /^\s*(?:select|insert into|update|delete from|with)\s/i

/** The statements of all sources but tests. */
export function writtenSql(): WrittenSql[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"))
    .sort()
    .flatMap((path) => sqlIn(path.replaceAll("\\", "/"), readFileSync(`${folder}/${path}`, "utf8")))
}

/** The statements of one source. */
export function sqlIn(path: string, source: string): WrittenSql[] {
  const nodes = [...nodesOf(parseAst(source, { lang: "ts" }))]
  const named = new Map<string, Node>()
  for (const { type, id, init } of nodes) {
    const name = (id as Node | undefined)?.name
    if (type === "VariableDeclarator" && typeof name === "string" && init) {
      named.set(name, init as Node)
    }
  }
  return nodes.flatMap((node) => {
    const text = textOf(node, named) ?? ""
    if (node.type === "TaggedTemplateExpression" || !beginning.test(text)) return []
    return /\b(?:from|into|set|select)\b/i.test(text) ? [{ path, text, isWhole: parses(text) }] : []
  })
}

type Node = Record<string, unknown> & { type: string }

function* nodesOf(value: unknown): Generator<Node> {
  if (typeof value !== "object" || value === null) return
  if ("type" in value && typeof value.type === "string") yield value as Node
  for (const inner of Object.values(value)) yield* nodesOf(inner)
}

/** The text of a string or a template, with the texts of constants that it names. */
function textOf(node: Node | undefined, named: ReadonlyMap<string, Node>): string | undefined {
  if (node?.type === "Literal" && typeof node.value === "string") return node.value
  if (node?.type === "TaggedTemplateExpression") return textOf(node.quasi as Node, named)
  if (node?.type !== "TemplateLiteral") return undefined
  const expressions = node.expressions as Node[]
  const quasis = node.quasis as { value: { cooked: string } }[]
  return quasis
    .map(({ value }, index) => {
      const expression = expressions[index]
      if (expression === undefined) return value.cooked
      const constant = named.get(String(expression.name))
      return `${value.cooked}${(constant && textOf(constant, named)) ?? "$1"}`
    })
    .join("")
}

function parses(text: string): boolean {
  try {
    parseSync(text)
    return true
  } catch {
    return false
  }
}
