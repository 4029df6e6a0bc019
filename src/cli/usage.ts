/** Fits help into the width of a terminal, and calls the program by the name that it was called by. */
import { stripVTControlCharacters } from "node:util"

/** Columns of a help page. */
export const maxColumns = 80

/** How the program is called: with `npx`, where that started it. */
export function calledAs(environment: Readonly<Record<string, string | undefined>>): string {
  return environment.npm_command === "exec" ? "npx parley" : "parley"
}

/** Hints with the name that the program was called by. */
export function withName(text: string, name: string): string {
  return name === "parley" ? text : text.replaceAll("`parley ", `\`${name} `)
}

/** Help with lines of at most 80 columns: what does not fit goes on below where its text begins. */
export function fitUsage(usage: string): string {
  return usage.split("\n").flatMap(fitLine).join("\n")
}

const usageWord = "USAGE "

function fitLine(line: string): string[] {
  const plain = stripVTControlCharacters(line)
  if (plain.length <= maxColumns) return [line.trimEnd()]
  const [indent = "", first = "", gap = ""] = /^(\s*)(.*?\S)(\s{2,}|$)/.exec(plain)?.slice(1) ?? []
  const isTable = gap !== "" && indent.length + first.length + gap.length < plain.length
  const column = isTable
    ? indent.length + first.length + gap.length
    : indent.length + (plain.startsWith(usageWord) ? usageWord.length : 0)
  // A description that begins far to the right gets lines of its own.
  const isWide = isTable && column > maxColumns / 2
  const at = isWide ? indent.length + 4 : column
  const [head, text] = isTable ? splitAt(line, column) : ["", line.trimStart()]
  const lines = isWide ? [head.trimEnd()] : []
  let current = isWide ? " ".repeat(at) : isTable ? head : indent
  let isEmpty = true
  for (const word of text.trim().split(/ +/)) {
    const length = width(current) + (isEmpty ? 0 : 1) + width(word)
    if (!isEmpty && length > maxColumns) {
      lines.push(current)
      current = " ".repeat(at)
      isEmpty = true
    }
    current += isEmpty ? word : ` ${word}`
    isEmpty = false
  }
  return [...lines, current]
}

function width(text: string): number {
  return stripVTControlCharacters(text).length
}

/** Splits a line, which may be painted, before a column. */
function splitAt(line: string, column: number): [string, string] {
  for (let index = 0; index <= line.length; index++) {
    if (width(line.slice(0, index)) === column && line[index] !== "\u001b") {
      return [line.slice(0, index), line.slice(index)]
    }
  }
  return [line, ""]
}
