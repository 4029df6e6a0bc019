/** Cuts Markdown into tokens, by CommonMark with the tables of GitHub. */
import markdownIt, { type StateBlock, type Token } from "markdown-it"

/** Max depth of quotes; a list counts as two. Each level reads its lines once more. */
export const maxDepth = 12
/** Max columns of a table. Every row has all of them, even if short. */
export const maxColumns = 20
/** Max rows of a table below its head. */
const maxRows = 200
/** Max depth of pictures in the text of others; each level reads that text once more. */
const maxPictureDepth = 2

const parser = markdownIt("commonmark", {
  // The parser drops deeper tokens, so none may occur: an item is two levels below its list.
  maxNesting: maxDepth + 2,
})
const [readTable] = markdownIt("zero").enable("table").block.ruler.getRules("paragraph")
parser.enable("table")
parser.block.ruler.at("table", takeTable, { alt: ["paragraph", "reference"] })
// Addresses stay unchanged; `safeUrl` judges them.
parser.validateLink = () => true
parser.normalizeLink = (url) => url
parser.normalizeLinkText = (url) => url
// Their lines count: each blank line between blocks is an empty paragraph.
parser.core.ruler.disable("strip_references")
parser.block.ruler.before("table", "too_deep", takeRaw)
const parseInline = parser.inline.parse.bind(parser.inline)
parser.inline.parse = (text, markdown, env, tokens) => {
  const depth = typeof env.depth === "number" ? env.depth : 0
  if (depth <= maxPictureDepth) {
    env.depth = depth + 1
    parseInline(text, markdown, env, tokens)
    env.depth = depth
  } else tokens.push(textToken(text))
}

/** The tokens of a text; parts nested too deeply become HTML, which stays text. */
export function parseMarkdown(text: string): Token[] {
  return parser.parse(text, {})
}

function textToken(content: string): Token {
  return Object.assign(new markdownIt.Token("text", "", 0), { content })
}

/** The word after a fence, which names the language. */
export function languageOf({ info }: Token): string | undefined {
  return /\S+/.exec(parser.utils.unescapeAll(info))?.[0]
}

/** Takes a table; tables that are too wide, and rows beyond the maximum, stay text. */
function takeTable(state: StateBlock, line: number, endLine: number, isTrial: boolean): boolean {
  if (!readTable?.(state, line, endLine, true)) return false
  const rule = state.src.slice(state.bMarks[line + 1], state.eMarks[line + 1])
  if (columnsOf(rule) > maxColumns) return false
  return isTrial || readTable(state, line, Math.min(endLine, line + 2 + maxRows), false)
}

/** Counts the columns in the line below a table's head. */
export function columnsOf(rule: string): number {
  return rule.split("|").filter((part) => part.includes("-")).length
}

/** Takes the rest of a too deeply nested quote or item. */
function takeRaw(state: StateBlock, startLine: number, endLine: number): boolean {
  if (state.level < maxDepth) return false
  let line = startLine + 1
  while (line < endLine && !isOutside(state, line)) line++
  const token = state.push("html_block", "", 0)
  token.map = [startLine, line]
  token.content = state.getLines(startLine, line, state.blkIndent, false)
  state.line = line
  return true
}

function isOutside(state: StateBlock, line: number): boolean {
  // Negative: a line without a mark that continues the surrounding quote.
  const indent = state.sCount[line] ?? 0
  return !state.isEmpty(line) && indent >= 0 && indent < state.blkIndent
}
