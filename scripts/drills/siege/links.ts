/** Looks at an answer as a client would show it: no link runs code, no element of HTML appears. */
import { fromMarkdown } from "mdast-util-from-markdown"
import { bounded, type Judge } from "./attack.ts"

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
  const visit = (node: object) => {
    if ("url" in node && typeof node.url === "string") seen.addresses.push(node.url)
    if ("type" in node && node.type === "html" && "value" in node) {
      seen.elements.push(String(node.value))
    }
    if ("children" in node && Array.isArray(node.children)) node.children.forEach(visit)
  }
  visit(fromMarkdown(text))
}

/** Browsers pay no heed to control characters and white space before and within a scheme. */
function runsCode(address: string): boolean {
  return /^(javascript|data|vbscript):/i.test(address.replace(/[\p{Cc}\s]/gu, ""))
}
