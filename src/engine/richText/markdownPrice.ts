/** The cost of parsing Markdown: COST.md has the measurements behind the figures. */
import type { Token } from "markdown-it"
import { columnsOf, maxColumns, maxDepth } from "./parseMarkdown.ts"

const perCharacter = 2
const perMark = 16
const perLine = 60
/** Every quote or list around a line reads it once more. */
const perLineAndDepth = 8
const perTrial = 4
const perCell = 25
const perToken = 12

const mark = /[\\`*_[\]<>&!]/g
/** The line below the head of a table, in a quote or not. */
const tableRule = /^[ \t>]*[|:-][-:| \t]*$/
/** The quotes and items that a line opens. */
const opening = /^[ \t]*(?:(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$))[ \t]*)+/

/**
 * Units for parsing a text. Each line that opens a quote makes the parser search for the quote's end, at
 * worst to the next blank line. Each line of a table has all its columns.
 */
export function parsingUnits(text: string): number {
  let lines = 0
  let deepest = 0
  let trials = 0
  let columns = 0
  let cells = 0
  let paragraph = { lines: 0, quotes: 0 }
  let quotesBefore = 0
  for (const line of text.split("\n")) {
    lines += 1
    if (line.trim() === "") {
      trials += paragraph.lines * paragraph.quotes
      paragraph = { lines: 0, quotes: 0 }
      quotesBefore = 0
      columns = 0
      continue
    }
    if (line.includes("|") && tableRule.test(line))
      columns = Math.max(columns, Math.min(columnsOf(line), maxColumns))
    cells += columns
    paragraph.lines += 1
    const { depth, quotes } = openedBy(line)
    deepest = Math.max(deepest, depth)
    if (quotes > quotesBefore) paragraph.quotes += 1
    quotesBefore = quotes
  }
  trials += paragraph.lines * paragraph.quotes
  const marks = text.match(mark)?.length ?? 0
  const linesUnits = lines * (perLine + perLineAndDepth * Math.min(deepest, maxDepth))
  const blockUnits = linesUnits + perTrial * trials + perCell * cells
  return perCharacter * text.length + perMark * marks + blockUnits
}

/** Units for converting the parser's tokens into nodes. */
export function tokenUnits(tokens: readonly Token[]): number {
  return tokens.reduce(
    (units, { children }) => units + perToken + (children ? tokenUnits(children) : 0),
    0,
  )
}

function openedBy(line: string): { depth: number; quotes: number } {
  const start = opening.exec(line)?.[0] ?? ""
  return {
    depth: start.match(/[-*+>.)]/g)?.length ?? 0,
    quotes: start.match(/>/g)?.length ?? 0,
  }
}
