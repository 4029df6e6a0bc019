/** Rules about parts that never work, for any reply: bots that do nothing, and blocks without an effect. */
import type { Problem } from "../../../engine/blocks/declared.ts"
import type { BlockEntry } from "../blockEntries.ts"
import { error, type Rule, type Violation } from "../finding.ts"
import { type LintContext, vertexAt } from "../lintContext.ts"
import { nearType } from "../nearType.ts"
import { mayReach, reachOf } from "../reach.ts"
import { problemsOf } from "./blocks.ts"

export const muteBot = error({
  id: "mute-bot",
  description: "Chats can reach a block that shows, asks or does something.",
  remedy: "Add a message or a question to the groups that chats pass.",
  check(context) {
    const { blocks, isOpen } = reachOf(context)
    const found = [...(isOpen ? context.blocks : blocks)]
    if (found.length === 0 || found.some(({ type }) => !type.isStart && !type.isSilent)) return []
    return [{ path: ["groups"], message: "The bot shows nothing, asks nothing and does nothing" }]
  },
})

export const startLeadsNowhere = error({
  id: "start-leads-nowhere",
  description: "The start leads to a group that has blocks.",
  remedy: "Connect the start to the group with which chats begin.",
  check(context) {
    const { flow, blocks, edges } = context
    const message = "The start leads nowhere, so every chat ends at once"
    if (!flow.events) {
      const start = blocks.find(({ type }) => type.isStart)
      const isLost = start && !onwards(context, start)
      return isLost ? [{ path: start.path, message }] : []
    }
    const index = flow.events.findIndex(({ type }) => type === "start")
    const edgeId = flow.events[index]?.outgoingEdgeId
    if (index < 0) return []
    const to = edges.get(edgeId ?? "")?.to
    const vertex = to && vertexAt(context, to)
    return vertex && "block" in vertex ? [] : [{ path: ["events", index], message }]
  },
})

function onwards(context: LintContext, { block, group, index }: BlockEntry): boolean {
  const to = context.edges.get(block.outgoingEdgeId ?? "")?.to
  if (to) return vertexAt(context, to) !== undefined
  return index + 1 < group.blocks.length
}

export const misspeltBlock = error({
  id: "misspelt-block",
  description: "No type of a block differs from a known one by a letter or by capitals.",
  remedy: "Correct the type.",
  checkBlock({ block, type, path }) {
    const meant = type.isUnknown ? nearType(block.type) : undefined
    if (meant === undefined) return []
    const message = `Block type "${block.type}" does not exist; did you mean "${meant}"?`
    return [{ path: [...path, "type"], message }]
  },
})

export const impossibleBounds = error({
  id: "impossible-bounds",
  description: "Some reply fits the bounds of every question.",
  remedy: "Correct the bounds, which contradict one another.",
  checkBlock: reached(({ block, type, path }) => {
    if (type.kind !== "input" || type.offers) return []
    const options = "options" in block ? block.options : undefined
    if (options === undefined || JSON.stringify(options).includes("{{")) return []
    if (type.samples(block, []).fitting.length > 0) return []
    return [
      { path: [...path, "options"], message: "No reply fits, so the question is asked for ever" },
    ]
  }),
})

/** A rule for problems that block types report themselves. */
function ofTypes(rule: Omit<Rule, "severity"> & { id: Problem["rule"] }): Rule {
  return error({ ...rule, checkBlock: reached((entry) => problemsOf(entry, rule.id)) })
}

/** Excludes unreachable parts, which do not keep a bot from working. */
export function reached(
  check: (entry: BlockEntry, context: LintContext) => Violation[],
): NonNullable<Rule["checkBlock"]> {
  return (entry, context) => {
    const found = check(entry, context)
    return found.length > 0 && mayReach(context, entry) ? found : []
  }
}

export const addressWithoutScheme = ofTypes({
  id: "address-without-scheme",
  description: "Every address to call begins with https:// or http://.",
  remedy: "Write the whole address.",
})

export const invalidJson = ofTypes({
  id: "invalid-json",
  description: "Every body that is sent as JSON is JSON once its variables are filled in.",
  remedy: "Correct the body: look for missing quotes, brackets and commas.",
})

export const noRecipients = ofTypes({
  id: "no-recipients",
  description: "Every mail has a recipient.",
  remedy: "Enter a recipient, or delete the block.",
})

export const unknownCountry = ofTypes({
  id: "unknown-country",
  description: "The country of a phone number exists.",
  remedy: "Enter its two capitals (ISO 3166), such as DE.",
})

export const oneSidedTest = ofTypes({
  id: "one-sided-test",
  description: "Some chats take the first way of an A/B test.",
  remedy: "Enter a share of at least 1 %, or delete the block.",
})

export const endlessWait = ofTypes({
  id: "endless-wait",
  description: "No pause takes a day or longer: the page of the visitor would have to stay open.",
  remedy: "Enter seconds, not milliseconds; for longer times, use an event for silence.",
})
