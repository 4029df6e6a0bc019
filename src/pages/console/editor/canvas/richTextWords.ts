/** The plain words of a text bubble. */
import { listAt, textAt, valueAt } from "./reading.ts"

const maxDepth = 20
/** As many letters as a line of a group usually has. */
const lettersPerLine = 31

/** Its paragraphs, without formats; a picture or a variable that stands alone is its own words. */
export function paragraphsOf(block: unknown): string[] {
  return listAt(block, "content", "richText").map((node) => wordsIn(node, 0))
}

function wordsIn(node: unknown, depth: number): string {
  const text = textAt(node, "text")
  if (text !== "" || depth > maxDepth) return text
  const words = listAt(node, "children").map((child) => wordsIn(child, depth + 1))
  const isBlock = listAt(node, "children").some((child) => valueAt(child, "children") !== undefined)
  return words.join(isBlock ? " " : "")
}

/** Lines that its words take in a group, at least one. */
export function linesOf(block: unknown): number {
  const lines = paragraphsOf(block).map((words) => Math.ceil(words.length / lettersPerLine))
  return Math.max(
    1,
    lines.reduce((sum, each) => sum + Math.max(each, 0), 0),
  )
}
