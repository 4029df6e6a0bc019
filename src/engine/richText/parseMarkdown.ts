/** Cuts Markdown into tokens, by CommonMark alone. */
import markdownIt, { type StateBlock, type Token } from "markdown-it"

/** Quotes that may lie within each other; a list counts as two. Each reads its lines once more. */
export const maxDepth = 12
/** Pictures that may lie in the text of another one, which is read once more for each. */
const maxPictureDepth = 2

const parser = markdownIt("commonmark", {
  // It drops what lies deeper, so that nothing ever may: an item is two deeper than its list.
  maxNesting: maxDepth + 2,
})
// Addresses stay as they were written; `safeUrl` judges them.
parser.validateLink = () => true
parser.normalizeLink = (url) => url
parser.normalizeLinkText = (url) => url
// Their lines count: each blank line between blocks is an empty paragraph.
parser.core.ruler.disable("strip_references")
parser.block.ruler.before("code", "too_deep", takeRaw)
const parseInline = parser.inline.parse.bind(parser.inline)
parser.inline.parse = (text, markdown, env, tokens) => {
  const depth = typeof env.depth === "number" ? env.depth : 0
  if (depth <= maxPictureDepth) {
    env.depth = depth + 1
    parseInline(text, markdown, env, tokens)
    env.depth = depth
  } else tokens.push(textToken(text))
}

/** The tokens of a text; what is nested too deeply is HTML, which stays text. */
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

/** Takes the rest of a quote or item that lies too deep. */
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
  // Less than 0 is a line that goes on with the quote around, though it has no mark.
  const indent = state.sCount[line] ?? 0
  return !state.isEmpty(line) && indent >= 0 && indent < state.blkIndent
}
