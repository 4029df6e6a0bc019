/** Reads the first table of a flat OpenDocument spreadsheet (`.fods`), as LibreOffice writes it. */

/** What the cells show, without empty ones at the end, and how many are formulas. */
export type Sheet = { cells: string[][]; formulas: number }

const rowElement = /<table:table-row\b([^>]*?)(?:\/>|>([\s\S]*?)<\/table:table-row>)/g
const cellElement = /<table:table-cell\b([^>]*?)(?:\/>|>([\s\S]*?)<\/table:table-cell>)/g
const paragraph = /<text:p\b[^>]*?(?:\/>|>([\s\S]*?)<\/text:p>)/g

/** Reads a sheet. */
export function readFlatSheet(xml: string): Sheet {
  const table = /<table:table\b[^>]*>([\s\S]*?)<\/table:table>/.exec(xml)?.[1] ?? ""
  const rows = repeated(table, rowElement, (content) => {
    return withoutEnd(repeated(content, cellElement, textOf), (text) => text === "")
  })
  return {
    cells: withoutEnd(rows, (row) => row.length === 0),
    formulas: table.match(/ table:formula="/g)?.length ?? 0,
  }
}

/** What is drawn of each element. Equal neighbours are written once, with their number. */
function repeated<T>(xml: string, element: RegExp, draw: (content: string) => T): T[] {
  const found: T[] = []
  for (const [, attributes = "", content = ""] of xml.matchAll(element)) {
    const count = Number(
      / table:number-(?:rows|columns)-repeated="(\d+)"/.exec(attributes)?.[1] ?? 1,
    )
    const drawn = draw(content)
    // Only what is empty reaches to the end of the sheet.
    for (let left = content === "" ? Math.min(count, 1_000) : count; left > 0; left--)
      found.push(drawn)
  }
  return found
}

function withoutEnd<T>(list: readonly T[], isEmpty: (value: T) => boolean): T[] {
  return list.slice(0, list.findLastIndex((value) => !isEmpty(value)) + 1)
}

function textOf(cell: string): string {
  return [...cell.matchAll(paragraph)].map(([, content = ""]) => plainText(content)).join("\n")
}

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }

function plainText(content: string): string {
  return content
    .replace(/<text:s(?: text:c="(\d+)")?\/>/g, (_, count = "1") => " ".repeat(Number(count)))
    .replaceAll("<text:tab/>", "\t")
    .replaceAll("<text:line-break/>", "\n")
    .replace(/<[^>]*>/g, "")
    .replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (all, hex, decimal, name) => {
      if (name !== undefined) return entities[name] ?? all
      return String.fromCodePoint(hex ? Number.parseInt(hex, 16) : Number(decimal))
    })
}
