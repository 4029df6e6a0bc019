/** Looks at an answer as a client would show it: no link runs code, no element of HTML appears. */
import markdownIt, { type Token } from "markdown-it"
import { bounded, type Judge } from "./attack.ts"

const parser = markdownIt("commonmark")
// The parser would leave out what this looks for.
parser.validateLink = () => true

/** Bounded, and neither its rich text nor its Markdown runs code or holds elements of HTML. */
export const harmlessLinks: Judge = (got) => {
  const wrong = bounded(got)
  if (wrong !== undefined || got.status !== 200) return wrong
  const seen: Seen = { addresses: [], elements: [] }
  look(JSON.parse(got.text), seen)
  const address = seen.addresses.find(runsCode)
  if (address !== undefined) return `a link leads to ${address.slice(0, 40)}`
  const element = seen.elements.find((text) => /^<(img|script|svg|a)\b/i.test(text))
  return element === undefined ? undefined : `there is an element ${element.slice(0, 40)}`
}

type Seen = { addresses: string[]; elements: string[] }

function look(value: unknown, seen: Seen): void {
  if (typeof value !== "object" || value === null) return
  for (const [name, member] of Object.entries(value)) {
    if (name === "url" && typeof member === "string") seen.addresses.push(member)
    else if (name === "markdown" && typeof member === "string") lookAtMarkdown(member, seen)
    else look(member, seen)
  }
}

function lookAtMarkdown(text: string, seen: Seen): void {
  const visit = (token: Token) => {
    const address = token.attrGet("href") ?? token.attrGet("src")
    if (address !== null) seen.addresses.push(String(address))
    if (token.type === "html_block" || token.type === "html_inline") {
      seen.elements.push(token.content)
    }
    token.children?.forEach(visit)
  }
  parser.parse(text, {}).forEach(visit)
}

/** Browsers ignore control characters and white space before and within a scheme. */
function runsCode(address: string): boolean {
  return /^(javascript|data|vbscript):/i.test(address.replace(/[\p{Cc}\s]/gu, ""))
}
