/** Every group can be reached. */
import type { Rule } from "../finding.ts"
import { islandsOf } from "../islands.ts"

/** A group that no chat ever enters; of several that hang together the one to connect. */
export const unreachableGroup: Rule = {
  id: "unreachable-group",
  severity: "warning",
  description: "Some way leads from the start, or from another event, to every group.",
  remedy: "Connect the group, or delete it, unless a link of another bot enters it.",
  check(subject) {
    const islands = islandsOf(subject)
    const others = new Map(islands.map((island) => [island.head, island.others]))
    return subject.flow.groups.flatMap((group, index) => {
      const count = others.get(group)
      return count === undefined ? [] : [{ path: ["groups", index], message: messageOf(count) }]
    })
  },
}

function messageOf(others: number): string {
  if (others === 0) return "No way leads from the start to this group"
  const behind = others === 1 ? "the group" : `the ${others} groups`
  return `No way leads from the start to this group and ${behind} behind it`
}
