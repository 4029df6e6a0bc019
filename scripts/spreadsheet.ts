/**
 * Exports results with hostile cells and column names from a real service, and reads the file back with
 * csv-parse, Python's csv and LibreOffice: every cell must be equal, and none may be a formula.
 * `npx tsx scripts/spreadsheet.ts` prints a table and ends with 1 on a difference. Programs that are
 * not installed are skipped.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { newToken } from "../src/routers/apiTokens.ts"
import { copyProduct, startProduct } from "./drills/product.ts"
import { exportHostileResults } from "./spreadsheet/fixture.ts"
import { type Reader, readers } from "./spreadsheet/readers.ts"

type Outcome = { name: string; words: string; isWrong: boolean }

const token = newToken()
const outcomes: Outcome[] = []
const { folder, remove } = await copyProduct()
const work = await mkdtemp(join(tmpdir(), "parley-spreadsheet-"))
try {
  const service = await startProduct(folder, {
    PARLEY_BOOTSTRAP_EMAIL: "sheets@example.com",
    PARLEY_BOOTSTRAP_TOKEN: token,
    PARLEY_DEFAULT_PLAN: "UNLIMITED",
    PARLEY_RATE_LIMITS: "off",
  })
  const { file, table } = await exportHostileResults(service.address, token)
  service.child.kill("SIGTERM")
  await service.ended
  const path = join(work, "results.csv")
  await writeFile(path, file)
  console.log(`${table.length} rows of ${table[0]?.length} cells, ${file.length} bytes\n`)
  for (const reader of readers) outcomes.push(await outcomeOf(reader, { path, table }))
} finally {
  await rm(work, { recursive: true, force: true })
  await remove()
}
const width = Math.max(...outcomes.map(({ name }) => name.length))
for (const { name, words } of outcomes) console.log(`${name.padEnd(width)}  ${words}`)
process.exit(outcomes.some(({ isWrong }) => isWrong) ? 1 : 0)

async function outcomeOf(
  { name, missing, read, sees }: Reader,
  { path, table }: { path: string; table: string[][] },
): Promise<Outcome> {
  const absent = await missing()
  if (absent !== undefined) return { name, words: `skipped: ${absent}`, isWrong: false }
  const { cells, formulas } = await read(path)
  const differences = differencesOf(
    table.map((row) => row.map(sees)),
    cells,
  )
  for (const words of differences.slice(0, 10)) console.error(`${name}: ${words}`)
  const count = cells.reduce((sum, row) => sum + row.length, 0)
  return {
    name,
    words: `${count} cells, ${differences.length} different, ${formulas} formulas`,
    isWrong: differences.length + formulas > 0,
  }
}

function differencesOf(expected: string[][], read: string[][]): string[] {
  const differences: string[] = []
  for (let row = 0; row < Math.max(expected.length, read.length); row++) {
    const columns = Math.max(expected[row]?.length ?? 0, read[row]?.length ?? 0)
    for (let column = 0; column < columns; column++) {
      const [wanted, got] = [expected[row]?.[column], read[row]?.[column]]
      if (wanted === got) continue
      const shown = [wanted, got].map((text) => JSON.stringify(text)?.slice(0, 120))
      differences.push(`row ${row}, column ${column}: ${shown[1]} instead of ${shown[0]}`)
    }
  }
  return differences
}
