/** Programs that read a table in CSV: what each makes of its cells. */
import { execFile } from "node:child_process"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { parse } from "csv-parse/sync"
import { readFlatSheet, type Sheet } from "./flatSheet.ts"

const run = promisify(execFile)

/** A program that reads a table. */
export type Reader = {
  name: string
  /** Returns why it cannot run here, or undefined when it can. */
  missing(): Promise<string | undefined>
  read(path: string): Promise<Sheet>
  /** What it must read for a cell of the file. */
  sees(cell: string): string
}

const limits = { maxBuffer: 100_000_000, timeout: 180_000 }

async function absence(command: string): Promise<string | undefined> {
  try {
    await run(command, ["--version"], { timeout: 60_000 })
    return undefined
  } catch {
    return `${command} is not installed`
  }
}

const asWritten = (cell: string) => cell

const csvParse: Reader = {
  name: "csv-parse",
  missing: async () => undefined,
  read: async (path) => {
    const file = await readFile(path)
    return { cells: parse(file, { bom: true, recordDelimiter: "\r\n" }), formulas: 0 }
  },
  sees: asWritten,
}

const pythonProgram = `
import csv, json, sys
csv.field_size_limit(10 ** 8)
with open(sys.argv[1], encoding="utf-8-sig", newline="") as file:
    print(json.dumps(list(csv.reader(file, strict=True))))
`

const python: Reader = {
  name: "Python's csv",
  missing: () => absence("python3"),
  read: async (path) => {
    const { stdout } = await run("python3", ["-c", pythonProgram, path], limits)
    return { cells: JSON.parse(stdout), formulas: 0 }
  },
  sees: asWritten,
}

/** Where LibreOffice begins a new cell, and what it takes columns for: numbers of the two lists. */
type Splitting = { separators: string; columns: string }

/** As a double click does: every cell is what it looks like. */
const commas: Splitting = { separators: "44", columns: "" }

const allAsText: Splitting = {
  separators: "44",
  columns: Array.from({ length: 200 }, (_, index) => `${index + 1}/2`).join("/"),
}

const severalSeparators: Splitting = { separators: "44/59/9", columns: "" }

function libreOffice(name: string, splitting: Splitting): Reader {
  return {
    name: `LibreOffice, ${name}`,
    missing: () => absence("soffice"),
    read: async (path) => {
      if (splitting !== allAsText) await requireSight(splitting)
      return await readByOffice(path, splitting)
    },
    // A cell holds lines, however they ended.
    sees: (cell) => cell.replace(/\r\n?/g, "\n"),
  }
}

/** Fails unless a formula is found where there is one: a check that sees none proves nothing. */
async function requireSight(splitting: Splitting): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "parley-formula-"))
  try {
    const path = join(folder, "formula.csv")
    await writeFile(path, "=1+1,b\r\n")
    const { formulas } = await readByOffice(path, splitting)
    if (formulas !== 1) throw new Error("LibreOffice found no formula where there is one")
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function readByOffice(path: string, { separators, columns }: Splitting): Promise<Sheet> {
  const folder = await mkdtemp(join(tmpdir(), "parley-office-"))
  const profile = pathToFileURL(join(folder, "profile"))
  // Quotes, UTF-8, from line 1, columns, English. Without the further options formulas are evaluated.
  const form = `CSV:${separators},34,76,1,${columns},1033`
  const flags = [`-env:UserInstallation=${profile}`, "--headless", `--infilter=${form}`]
  try {
    await run("soffice", [...flags, "--convert-to", "fods", "--outdir", folder, path], limits)
    const name = path.replace(/.*\//, "").replace(/\.csv$/, ".fods")
    return readFlatSheet(await readFile(join(folder, name), "utf8"))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** All readers. */
export const readers: readonly Reader[] = [
  csvParse,
  python,
  libreOffice("cells by their look", commas),
  libreOffice("columns as text", allAsText),
  libreOffice("several separators", severalSeparators),
]
