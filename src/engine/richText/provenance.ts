/** Marks nodes of values in rich text before it becomes Markdown. */
import type { RichText, RichTextNode } from "../schema/richText.ts"

// These are ordinary members of nodes; nodes that have them are written as Markdown and never sent.
const isOfValue = "isOfValue"
const foreignUrl = "foreignUrl"

/** Copies of the nodes, marked at every depth as made by a value. */
export function markValue(nodes: RichText): RichText {
  return nodes.map((node) => {
    const copy: RichTextNode = { ...node, [isOfValue]: true }
    if (Array.isArray(node.children)) copy.children = markValue(node.children)
    return copy
  })
}

/** A leaf that a value made. */
export function valueLeaf(text: string): RichTextNode {
  return { text, [isOfValue]: true }
}

/** Marks the element's address as filled in, with the author's template. */
export function markFilledUrl(element: RichTextNode, written: string): RichTextNode {
  return { ...element, [foreignUrl]: /^[a-z][a-z0-9+.-]*:/i.test(written) ? "part" : "whole" }
}

/** Whether a value made the node. */
export function isValue(node: RichTextNode): boolean {
  return node[isOfValue] === true
}

/** Whether a value made the address of the node or a part of it. */
export function hasForeignUrl(node: RichTextNode): boolean {
  return isValue(node) || node[foreignUrl] !== undefined
}

/** Whether a value determines the scheme of the address. */
export function hasForeignScheme(node: RichTextNode): boolean {
  return isValue(node) || node[foreignUrl] === "whole"
}
