/** Extracts the plain text of a text message. */
import type { ContentOf, RichTextNode } from "../payload.ts"

export function plainText(content: ContentOf<"text">): string {
  return content.type === "markdown" ? content.markdown : textOf(content.richText)
}

function textOf(nodes: readonly RichTextNode[]): string {
  return nodes.map((node) => node.text ?? textOf(childrenOf(node))).join(" ")
}

export function childrenOf({ children }: RichTextNode): readonly RichTextNode[] {
  return Array.isArray(children)
    ? children.filter((child) => typeof child === "object" && child !== null)
    : []
}
