/** Flattens blocks into inline nodes of one paragraph. */
import type { RichText, RichTextNode } from "../schema/richText.ts"
import { isValue, valueLeaf } from "./provenance.ts"

/** Whether a node is inline: a leaf, a link, a picture. */
export function isInline(node: RichTextNode): boolean {
  return typeof node.text === "string" || node.type === "a" || node.type === "img"
}

/** The children that are nodes; none for a leaf. */
export function childrenOf(node: RichTextNode): RichText {
  return Array.isArray(node.children) ? node.children.filter(isNode) : []
}

/** The number of the first item of a list. */
export function startOf({ start }: RichTextNode): number {
  return typeof start === "number" ? start : 1
}

/**
 * The leaves, links and pictures of the nodes, in order. An empty paragraph becomes a leaf with two line
 * breaks; neighbouring blocks without one between them are kept apart by one line break, and cells of a row
 * by a bar. Numbers of lists stay: only Markdown reads `3. May` as a list.
 */
export function leavesOf(nodes: RichText): RichText {
  const leaves: RichText = []
  collectLeaves(nodes, leaves)
  return leaves.filter((leaf) => leaf.text !== "")
}

/** The nodes, with each link replaced by its text. */
export function withoutLinks(nodes: RichText): RichText {
  return nodes.flatMap((node) => {
    if (typeof node.text === "string") return [node]
    const children = withoutLinks(childrenOf(node))
    return node.type === "a" ? children : [{ ...node, children }]
  })
}

function collectLeaves(nodes: RichText, leaves: RichText, between = "\n"): void {
  let followsBlock = false
  for (const node of nodes) {
    if (isInline(node)) {
      leaves.push(node)
      followsBlock = false
    } else if (node.type === "inline-variable") {
      collectLeaves(childrenOf(node), leaves)
      followsBlock = false
    } else if (isEmptyParagraph(node)) {
      leaves.push({ text: "\n\n" })
      followsBlock = false
    } else {
      if (followsBlock) leaves.push({ text: between })
      if (node.type === "ol") collectItems(node, leaves)
      else collectLeaves(childrenOf(node), leaves, node.type === "tr" ? " | " : "\n")
      followsBlock = true
    }
  }
}

function collectItems(list: RichTextNode, leaves: RichText): void {
  for (const [index, item] of childrenOf(list).entries()) {
    if (index > 0) leaves.push({ text: "\n" })
    const number = `${startOf(list) + index}. `
    leaves.push(isValue(list) ? valueLeaf(number) : { text: number })
    collectLeaves([item], leaves)
  }
}

function isEmptyParagraph(node: RichTextNode): boolean {
  return node.type === "p" && childrenOf(node).every((child) => child.text === "")
}

function isNode(child: unknown): child is RichTextNode {
  return typeof child === "object" && child !== null
}
