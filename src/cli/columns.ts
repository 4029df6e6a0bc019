/** Prints tables. */

/** Rows as lines, every column as wide as its widest cell. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const count = Math.max(...rows.map((row) => row.length))
  const widths = Array.from({ length: count }, (_, place) =>
    Math.max(...rows.map((row) => row[place]?.length ?? 0)),
  )
  return rows
    .map((row) => row.map((cell, place) => cell.padEnd(widths[place] ?? 0)).join("  "))
    .map((line) => line.trimEnd())
}
