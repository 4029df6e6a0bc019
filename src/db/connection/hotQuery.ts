/** A hot statement with its values: how they go onto the wire, and how its rows come off it. */
import type { Statement } from "./open.ts"
import { getTypeParser } from "./pool.ts"

/** A row by its column names. */
export type Row = Record<string, unknown>

/** A column of a result: its name, and what makes a value of its text. */
export type Column = { name: string; parse(text: string): unknown }

/** A value as pg's connection takes it. */
type WireValue = string | Buffer | null

/** One run of a hot statement. */
export class HotQuery {
  readonly statement: Statement
  readonly values: WireValue[]
  readonly rows: Row[] = []
  /** Known before the rows come. */
  columns: readonly Column[] = []
  /** What made a row unreadable. */
  failure: Error | undefined

  constructor(statement: Statement, values: readonly unknown[]) {
    this.statement = statement
    this.values = values.map(toWire)
  }

  /** Characters and bytes of the values. */
  get size(): number {
    let size = 0
    for (const value of this.values) size += value?.length ?? 0
    return size
  }

  /** Takes the columns from the server's description of them. */
  describe(fields: readonly { name: string; dataTypeID: number }[]): void {
    this.columns = fields.map(({ name, dataTypeID }) => ({
      name,
      parse: getTypeParser(dataTypeID, "text"),
    }))
  }

  /** Takes a row; after one that is unreadable all others are passed over. */
  addRow(fields: readonly (string | null)[]): void {
    if (this.failure !== undefined) return
    const row: Row = {}
    const { columns } = this
    try {
      for (let index = 0; index < columns.length; index++) {
        const column = columns[index]
        const text = fields[index] ?? null
        if (column) row[column.name] = text === null ? null : column.parse(text)
      }
      this.rows.push(row)
    } catch (error) {
      this.failure = error instanceof Error ? error : new Error(String(error))
    }
  }
}

/** Hot statements take texts, numbers, truth values, bytes, moments, and lists of texts. */
function toWire(value: unknown): WireValue {
  if (value === null || value === undefined) return null
  if (typeof value === "string" || Buffer.isBuffer(value)) return value
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return `{${value.map(quoted).join(",")}}`
  if (typeof value === "object") throw new TypeError("A hot statement takes no objects")
  return String(value)
}

/** An element of an array literal (PostgreSQL manual, 8.15.6). */
function quoted(item: unknown): string {
  if (typeof item !== "string") throw new TypeError("A hot statement takes lists of texts only")
  return `"${item.replace(/["\\]/g, "\\$&")}"`
}
