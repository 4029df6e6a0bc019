/** Rich text prepared once, so that showing it only fills in the values. */
import { memoize } from "../memoize.ts"
import type { RichText, RichTextNode } from "../schema/richText.ts"
import { templateOf } from "../variables/template.ts"
import { childrenOf } from "./leavesOf.ts"
import { safeUrl } from "./safeUrl.ts"

/** A stretch of a leaf: words, or a token or inline code with its braces. */
type Stretch = { readonly text: string } | { readonly token: string }

/** A leaf with something to fill in. */
export type LeafPlan = {
  readonly kind: "leaf"
  readonly leaf: RichTextNode
  readonly stretches: readonly Stretch[]
}

/** An element with something to fill in, in itself or below. */
export type ElementPlan = {
  readonly kind: "element"
  readonly node: RichTextNode
  readonly children: readonly Plan[]
  /** Address with tokens; undefined: nothing to fill in. */
  readonly url: string | undefined
  /** The leaf that is the whole content and exactly one token: its value replaces the element. */
  readonly vanishesFor: LeafPlan | undefined
}

/** What is to be done for a node; `fixed`: nothing. */
export type Plan = { readonly kind: "fixed"; readonly node: RichTextNode } | LeafPlan | ElementPlan

/** Of a whole text: nodes that never change, or what to do for each. */
type TextPlan = { readonly fixed: RichText } | { readonly plans: readonly Plan[] }

/**
 * The plan of a text. One that needs nothing is its own result. A bubble of an immutable version is
 * taken apart once, however many chats show it.
 */
export const planOf = memoize((richText: RichText): TextPlan => {
  const plans = richText.map((node) => planNode(inElement(node)))
  const fixed = plans.flatMap((plan) => (plan.kind === "fixed" ? [plan.node] : []))
  if (fixed.length < plans.length) return { plans }
  const isUntouched = fixed.every((node, index) => node === richText[index])
  return { fixed: isUntouched ? richText : fixed }
})

// Readers of messages expect children in every top element.
function inElement(node: RichTextNode): RichTextNode {
  return typeof node.text === "string" ? { type: "p", children: [node] } : node
}

function planNode(node: RichTextNode): Plan {
  return typeof node.text === "string" ? planLeaf(node, node.text) : planElement(node)
}

function planLeaf(leaf: RichTextNode, text: string): Plan {
  const parts = templateOf(text)
  if (parts.every((part) => typeof part === "string")) return { kind: "fixed", node: leaf }
  const stretches: Stretch[] = []
  for (const part of parts) {
    const last = stretches.at(-1)
    if (typeof part !== "string") {
      stretches.push({ token: "name" in part ? `{{${part.name}}}` : `{{=${part.source}=}}` })
    } else if (last && "text" in last) {
      stretches[stretches.length - 1] = { text: last.text + part }
    } else stretches.push({ text: part })
  }
  return { kind: "leaf", leaf, stretches }
}

function planElement(node: RichTextNode): Plan {
  const written = childrenOf(node)
  const children = written.map(planNode)
  const url = typeof node.url === "string" ? node.url : undefined
  const fillsUrl = url?.includes("{{") === true
  const fixed = children.flatMap((child) => (child.kind === "fixed" ? [child.node] : []))
  if (!fillsUrl && fixed.length === children.length) {
    return { kind: "fixed", node: sound(node, url, fixed) }
  }
  return {
    kind: "element",
    node,
    children,
    url: fillsUrl ? url : undefined,
    vanishesFor: vanishing(node, children),
  }
}

function vanishing(node: RichTextNode, children: readonly Plan[]): LeafPlan | undefined {
  const only = children[0]
  const staysAnyway = node.type === "a" || node.type === "inline-variable"
  if (staysAnyway || children.length !== 1 || only?.kind !== "leaf") return undefined
  return isSingleToken(only) ? only : undefined
}

/** Whether a leaf is exactly one token or one piece of inline code. */
export function isSingleToken(plan: LeafPlan): boolean {
  return plan.stretches.length === 1 && plan.stretches.every((stretch) => "token" in stretch)
}

/** The element itself, unless something in it had to be put right. */
function sound(node: RichTextNode, url: string | undefined, children: RichText): RichTextNode {
  const isWhole =
    children.length > 0 &&
    children.length === node.children?.length &&
    children.every((child, index) => child === node.children?.[index])
  const filled = children.length > 0 ? children : [{ text: "" }]
  const whole = isWhole ? node : { ...node, children: filled }
  const target = url === undefined ? undefined : linkTarget(node, url)
  return target === url ? whole : { ...whole, url: target }
}

/** The address of an element, empty when it must not be followed; a picture may hold its data. */
export function linkTarget(node: RichTextNode, url: string): string {
  if (node.type === "img" && /^data:image\//i.test(url)) return url
  return safeUrl(url) ?? ""
}
