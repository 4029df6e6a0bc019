/** Every edge that is followed leads to a group and a block that exist. */
import type { Found, Rule } from "../finding.ts"
import type { Path } from "../location.ts"
import { hasMember, type Subject } from "../subject.ts"

/** A connection to something that was deleted. */
export const edgeWithoutTarget: Rule = {
  id: "edge-without-target",
  severity: "warning",
  description: "Every edge leads to a group of the flow and, if it names one, to a block of it.",
  remedy: "Connect it to a group that exists, or remove the edge.",
  check: (subject) => {
    const sources = new Map<string, Path>()
    for (const { edgeId, path } of subject.exits) {
      if (!sources.has(edgeId)) sources.set(edgeId, path)
    }
    return subject.flow.edges.flatMap((edge, index) => {
      const seenAt = sources.get(edge.id)
      const isFollowed = seenAt !== undefined && subject.edges.get(edge.id) === edge
      return isFollowed ? targetOf(subject, index, seenAt) : []
    })
  },
}

function targetOf(subject: Subject, index: number, seenAt: Path): Found[] {
  const { flow, groups, edgePath } = subject
  const to = flow.edges[index]?.to
  if (!to) return []
  const group = groups.get(to.groupId)
  const path = [...edgePath(index), "to"]
  if (!group) {
    const message = `The edge leads to group "${to.groupId}", which does not exist: the chat ends`
    return [{ path: [...path, "groupId"], message, seenAt }]
  }
  if (to.blockId === undefined || hasMember(subject, group, to.blockId)) return []
  const message =
    `The edge leads to block "${to.blockId}", which is not in group "${group.title}": ` +
    "the group runs from its first block"
  return [{ path: [...path, "blockId"], message, seenAt }]
}
