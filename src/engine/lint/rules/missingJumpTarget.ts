/** Jumps and links lead somewhere. */
import type { Found, Rule } from "../finding.ts"
import { problemsOf } from "../problems.ts"
import type { Site } from "../sites.ts"
import { hasMember, isOwnBot, ownLead, type Subject } from "../subject.ts"

/** A jump or a link to something that was deleted or never chosen. */
export const missingJumpTarget: Rule = {
  id: "missing-jump-target",
  severity: "warning",
  description:
    "Every jump names a group and block of the flow, and every link a bot and its group.",
  remedy: "Choose the target anew, or delete the block.",
  checkBlock: (site, subject) => [
    ...problemsOf(site, "missing-jump-target"),
    ...missingPlace(subject, site),
    ...missingBot(subject, site),
  ],
}

function missingPlace(subject: Subject, site: Site): Found[] {
  const lead = ownLead(subject, site)
  if (typeof lead !== "object") return []
  const { path, groupId, blockId } = lead
  const group = subject.groups.get(groupId)
  if (!group) {
    return [{ path: [...path, "groupId"], message: `There is no group with the id "${groupId}"` }]
  }
  if (blockId === undefined || hasMember(subject, group, blockId)) return []
  const message = `There is no block with the id "${blockId}" in group "${group.title}"`
  return [{ path: [...path, "blockId"], message }]
}

function missingBot(subject: Subject, { block, type, path }: Site): Found[] {
  const { botIds } = subject.surroundings
  const lead = type.staticTarget?.(block)
  if (!lead || !botIds || lead.botId === undefined) return []
  if (isOwnBot(subject, lead.botId) || botIds.has(lead.botId)) return []
  const message = `The workspace has no bot with the id "${lead.botId}"`
  return [{ path: [...path, ...lead.at], message }]
}
