/**
 * Generates clients from openapi.json with the generators that people use, compiles them, and lets each
 * walk: start a chat, continue it with a choice, list results, read a bot and write back what was read,
 * which must change nothing. `npx tsx scripts/generators.ts [name...]` prints a table and ends with 1
 * when a step fails that is no known bug of the generator. Needs the network once, for the generators.
 */
import { join } from "node:path"
import { newToken } from "../src/routers/apiTokens.ts"
import { copyProduct, startProduct } from "./drills/product.ts"
import { goGenerators } from "./generators/go.ts"
import { javaGenerators } from "./generators/java.ts"
import { judge, type Row, steps } from "./generators/judge.ts"
import { pythonGenerators } from "./generators/python.ts"
import { typeScriptGenerators } from "./generators/typescript.ts"

const all = [...typeScriptGenerators, ...pythonGenerators, ...javaGenerators, ...goGenerators]
const names = process.argv.slice(2)
const chosen = names.length === 0 ? all : all.filter(({ name }) => names.includes(name))

const token = newToken()
const rows: Row[] = []
const { folder, remove } = await copyProduct()
try {
  const service = await startProduct(folder, {
    PARLEY_BOOTSTRAP_EMAIL: "walk@example.com",
    PARLEY_BOOTSTRAP_TOKEN: token,
  })
  const walked = { address: service.address, token, document: join(folder, "openapi.json") }
  for (const generator of chosen) {
    const row = await judge(generator, walked)
    rows.push(row)
    for (const words of row.notes) console.error(`${row.name}: ${words}\n`)
  }
  service.child.kill("SIGTERM")
  await service.ended
} finally {
  await remove()
}
printTable([["", ...steps], ...rows.map(({ name, outcomes }) => [name, ...outcomes])])
process.exit(rows.some(({ outcomes }) => outcomes.includes("fails")) ? 1 : 0)

/** A step that was not reached is a dash. */
function printTable(lines: readonly string[][]): void {
  const columns = ["", ...steps].map((_, column) => lines.map((line) => line[column] ?? "-"))
  const widths = columns.map((cells) => Math.max(...cells.map((cell) => cell.length)))
  for (const line of lines) {
    console.log(widths.map((width, column) => (line[column] ?? "-").padEnd(width)).join("  "))
  }
}
