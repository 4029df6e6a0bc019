/** Fills values into rich text: those of visitors are plain text, all others Markdown. */

import { escapingUnits, spend } from "../budget/fuel.ts"
import type { RichText, RichTextNode } from "../schema/richText.ts"
import { interpolate, isTainted } from "../variables/interpolate.ts"
import type { Scope } from "../variables/scope.ts"
import { fromMarkdown, fromPlainText } from "./fromMarkdown.ts"
import { childrenOf, leavesOf, withoutLinks } from "./leavesOf.ts"
import {
  type ElementPlan,
  isSingleToken,
  type LeafPlan,
  linkTarget,
  type Plan,
  planOf,
} from "./plan.ts"
import { markFilledUrl, markValue } from "./provenance.ts"

/**
 * `printsLastOfList`: a list prints its last element alone, as before version 6. `marksValues`: the
 * nodes say what came from values, as writing them in Markdown needs it.
 */
export type RichTextMode = { printsLastOfList: boolean; marksValues?: boolean }

type Filling = { scope: Scope; mode: "value" | "lastOfList"; marksValues: boolean }

/**
 * The text with its tokens and inline code replaced. A paragraph that is one token disappears: the
 * blocks of the value take its place, none when it has no value. Text without tokens is returned
 * as it is; the result may share nodes with earlier ones and must not be changed.
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
  const children = node.type === "inline-variable" ? inLine(filled) : outerLink(node, filled)
  const element: RichTextNode = { ...node, children }
  if (typeof node.url === "string") {
    const url = plan.url === undefined ? node.url : interpolate(plan.url, filling.scope)
    element.url = linkTarget(node, url)
    if (filling.marksValues && plan.url !== undefined) {
      spend(filling.scope.fuel, escapingUnits(url.length))
      return [markFilledUrl(element, plan.url)]
    }
  }
  return [element]
}

/** A link of a value never lies within one of the author's. */
function outerLink({ type }: RichTextNode, children: RichText): RichText {
  return type === "a" ? withoutLinks(children) : children
}

function inLine(nodes: RichText): RichText {
  const leaves = leavesOf(nodes)
  return leaves.length > 0 ? leaves : [{ text: "" }]
}

function fillLeaf(plan: LeafPlan, filling: Filling): RichText {
  const { leaf, stretches } = plan
  if (isSingleToken(plan) && !isMarked(leaf)) {
    return stretches.flatMap((stretch) => blocksOf(stretch, filling))
  }
  return stretches.flatMap((stretch) => {
    if ("text" in stretch) return [{ ...leaf, text: stretch.text }]
    const nodes = leavesOf(blocksOf(stretch, filling))
    return isMarked(leaf) ? nodes.map((node) => marked(node, leaf)) : nodes
  })
}

function blocksOf(stretch: LeafPlan["stretches"][number], filling: Filling): RichText {
  if ("text" in stretch) return [{ text: stretch.text }]
  const { fuel } = filling.scope
  const value = interpolate(stretch.token, filling.scope, filling.mode)
  const read = isTainted(stretch.token, filling.scope) ? fromPlainText : fromMarkdown
  const nodes = read(value, fuel)
  if (!filling.marksValues) return nodes
  spend(fuel, escapingUnits(value.length))
  return markValue(nodes)
}

function isMarked(leaf: RichTextNode): boolean {
  return Boolean(leaf.bold || leaf.italic || leaf.underline)
}

/** The node with the marks of the leaf around it; its own win. */
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
