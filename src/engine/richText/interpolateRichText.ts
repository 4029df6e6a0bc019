/**
 * Fills values into rich text: visitor input as plain text, others as Markdown. Each text is compiled into a
 * plan once; showing it only fills in the values.
 */

import { memoize } from "../../lib/memoize.ts"
import { escapingUnits, spend } from "../budget/fuel.ts"
import type { RichText, RichTextNode } from "../schema/richText.ts"
import { interpolate, isTainted, type Scope, templateOf } from "../variables/interpolate.ts"
import { interpolateUrl } from "../variables/interpolateUrl.ts"
import { fromMarkdown, fromPlainText } from "./fromMarkdown.ts"
import { childrenOf, leavesOf, withoutLinks } from "./leavesOf.ts"
import { markFilledUrl, markValue } from "./provenance.ts"
import { safeUrl } from "./safeUrl.ts"

/**
 * `printsLastOfList`: a list prints its last element alone, as before version 6. `marksValues`: marks nodes of values, for writing them as Markdown.
 */
type RichTextMode = { printsLastOfList: boolean; marksValues?: boolean }

type Filling = { scope: Scope; mode: "value" | "lastOfList"; marksValues: boolean }

/**
 * The text with its tokens and inline code replaced. The blocks of the value replace a paragraph that is one
 * token; without a value it disappears. Text without tokens is returned unchanged. The result may share nodes
 * with earlier ones and must not be mutated.
 */
export function interpolateRichText(richText: RichText, scope: Scope, how: RichTextMode): RichText {
  const plan = planOf(richText)
  if ("fixed" in plan) return plan.fixed
  const mode = how.printsLastOfList ? "lastOfList" : "value"
  const filling: Filling = { scope, mode, marksValues: how.marksValues === true }
  return fillAll(plan.plans, filling)
}

function fillAll(plans: readonly Plan[], filling: Filling): RichText {
  spend(filling.scope.fuel, plans.length)
  return plans.flatMap((plan) => {
    if (plan.kind === "fixed") return [plan.node]
    return plan.kind === "leaf" ? fillLeaf(plan, filling) : fillElement(plan, filling)
  })
}

function fillElement(plan: ElementPlan, filling: Filling): RichText {
  const { node, vanishesFor } = plan
  if (vanishesFor) {
    const nodes = fillLeaf(vanishesFor, filling)
    // Leaves of a bold token keep their paragraph: readers expect children in every top element.
    return isMarked(vanishesFor.leaf) && nodes.length > 0 ? [{ ...node, children: nodes }] : nodes
  }
  const filled = fillAll(plan.children, filling)
  const children = node.type === "inline-variable" ? leavesOf(filled) : outerLink(node, filled)
  const element: RichTextNode = { ...node, children: someOf(children) }
  if (typeof node.url === "string") {
    const url = plan.url === undefined ? node.url : interpolateUrl(plan.url, filling.scope)
    element.url = linkTarget(node, url)
    if (filling.marksValues && plan.url !== undefined) {
      spend(filling.scope.fuel, escapingUnits(url.length))
      return [markFilledUrl(element, plan.url)]
    }
  }
  return [element]
}

/** Keeps links of values out of links of the author. */
function outerLink({ type }: RichTextNode, children: RichText): RichText {
  return type === "a" ? withoutLinks(children) : children
}

/** An empty leaf without children: readers expect every element to have some. */
function someOf(children: RichText): RichText {
  return children.length > 0 ? children : [{ text: "" }]
}

function fillLeaf(plan: LeafPlan, filling: Filling): RichText {
  const { leaf, stretches } = plan
  return stretches.flatMap((stretch) => {
    if ("text" in stretch) return [{ ...leaf, text: stretch.text }]
    const blocks = blocksOf(stretch.token, filling)
    if (isMarked(leaf)) return leavesOf(blocks).map((node) => marked(node, leaf))
    return isSingleToken(plan) ? blocks : leavesOf(blocks)
  })
}

function blocksOf(token: string, filling: Filling): RichText {
  const { fuel } = filling.scope
  const value = interpolate(token, filling.scope, filling.mode)
  const read = isTainted(token, filling.scope) ? fromPlainText : fromMarkdown
  const nodes = read(value, fuel)
  if (!filling.marksValues) return nodes
  spend(fuel, escapingUnits(value.length))
  return markValue(nodes)
}

function isMarked(leaf: RichTextNode): boolean {
  return Boolean(leaf.bold || leaf.italic || leaf.underline)
}

/** The node with the marks of the surrounding leaf; its own marks win. */
function marked(node: RichTextNode, { bold, italic, underline }: RichTextNode): RichTextNode {
  if (typeof node.text !== "string") {
    const children = childrenOf(node).map((child) => marked(child, { bold, italic, underline }))
    return { ...node, children }
  }
  return {
    ...(bold ? { bold } : {}),
    ...(italic ? { italic } : {}),
    ...(underline ? { underline } : {}),
    ...node,
  }
}

/** A stretch of a leaf: words, or a token or inline code with its braces. */
type Stretch = { readonly text: string } | { readonly token: string }

/** A leaf to fill in. */
type LeafPlan = {
  readonly kind: "leaf"
  readonly leaf: RichTextNode
  readonly stretches: readonly Stretch[]
}

/** An element to fill in, itself or below. */
type ElementPlan = {
  readonly kind: "element"
  readonly node: RichTextNode
  readonly children: readonly Plan[]
  /** Address with tokens; undefined: nothing to fill in. */
  readonly url: string | undefined
  /** The leaf that is the whole content and exactly one token: its value replaces the element. */
  readonly vanishesFor: LeafPlan | undefined
}

/** The plan of a node; `fixed`: copied unchanged. */
type Plan = { readonly kind: "fixed"; readonly node: RichTextNode } | LeafPlan | ElementPlan

/** The plan of a whole text: constant nodes, or a plan for each node. */
type TextPlan = { readonly fixed: RichText } | { readonly plans: readonly Plan[] }

/**
 * The plan of a text. A constant text is its own result. Memoized: a bubble of an immutable version is
 * compiled once for all chats.
 */
const planOf = memoize((richText: RichText): TextPlan => {
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
  const stretches = parts.map((part): Stretch => {
    if (typeof part === "string") return { text: part }
    return { token: "name" in part ? `{{${part.name}}}` : `{{=${part.source}=}}` }
  })
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
function isSingleToken(plan: LeafPlan): boolean {
  return plan.stretches.length === 1 && plan.stretches.every((stretch) => "token" in stretch)
}

/** Returns the element itself unless it needed a correction. */
function sound(node: RichTextNode, url: string | undefined, children: RichText): RichTextNode {
  const isWhole =
    children.length > 0 &&
    children.length === node.children?.length &&
    children.every((child, index) => child === node.children?.[index])
  const whole = isWhole ? node : { ...node, children: someOf(children) }
  const target = url === undefined ? undefined : linkTarget(node, url)
  return target === url ? whole : { ...whole, url: target }
}

/** The address of an element, empty when it must not be followed; a picture may hold its data. */
function linkTarget(node: RichTextNode, url: string): string {
  if (node.type === "img" && /^data:image\//i.test(url)) return url
  return safeUrl(url) ?? ""
}
