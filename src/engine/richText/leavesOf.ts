/** Flattens blocks into what can stand within one paragraph. */
import type { RichText, RichTextNode } from "../schema/richText.ts"

/** Whether a node stands within a line: a leaf, a link, a picture. */
export function isInline(node: RichTextNode): boolean {
  return typeof node.text === "string" || node.type === "a" || node.type === "img"
}

/** The children that are nodes; none for a leaf. */
export function childrenOf(node: RichTextNode): RichText {
  return Array.isArray(node.children) ? node.children.filter(isNode) : []
}

/**
 * The leaves, links and pictures of the nodes, in order. An empty paragraph becomes a leaf with two
 * line breaks; neighbouring blocks without one between them are kept apart by one line break.
 */
export function leavesOf(nodes: RichText): RichText {
  const leaves: RichText = []
  let followsBlock = false
  for (const node of nodes) {
    if (isInline(node) || node.type === "inline-variable") {
      leaves.push(...(isInline(node) ? [node] : leavesOf(childrenOf(node))))
      followsBlock = false
    } else if (isEmptyParagraph(node)) {
      leaves.push({ text: "\n\n" })
      followsBlock = false
    } else {
      if (followsBlock) leaves.push({ text: "\n" })
      leaves.push(...leavesOf(childrenOf(node)))
      followsBlock = true
    }
  }
  return leaves.filter((leaf) => leaf.text !== "")
}

function isEmptyParagraph(node: RichTextNode): boolean {
  return node.type === "p" && childrenOf(node).every((child) => child.text === "")
}

function isNode(child: unknown): child is RichTextNode {
  return typeof child === "object" && child !== null
}
