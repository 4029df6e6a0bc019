/** Finds unknown members, which parsing a bot drops. */
import { isMembers } from "../../../lib/json.ts"
import { type Violation, warning } from "../finding.ts"
import type { Path } from "../location.ts"

export const unknownMember = warning({
  id: "unknown-member",
  description: "Every member of a bot, its groups, blocks and options has a known name.",
  remedy: "Correct its name: it has no effect, and an import or a change of the bot drops it.",
})

/** Max findings of this rule per bot. */
const maxDropped = 500

/** Further members of exports and of older versions, without effect. */
const exported = new Set(
  (
    "id $schema spaceId typebotId workspaceId folderId createdAt updatedAt isArchived isClosed publicId " +
    "customDomain whatsAppCredentialsId riskLevel typebotVersion revision version"
  ).split(" "),
)
const formerly = new Set(["groupId", "blockId", "type", "stepId"])

/** The members of a sent bot that are missing in the parsed one; null counts as absent. */
export function droppedMembers(sent: unknown, read: unknown): Violation[] {
  const found: Violation[] = []
  compare({ sent, read, path: [] }, found)
  return found
}

type Pair = { sent: unknown; read: unknown; path: Path }

function compare({ sent, read, path }: Pair, found: Violation[]): void {
  // Lists that parsing shortened or converted cannot be compared.
  if (Array.isArray(sent) && Array.isArray(read) && sent.length === read.length) {
    for (const [index, element] of sent.entries()) {
      compare({ sent: element, read: read[index], path: [...path, index] }, found)
    }
  } else if (isMembers(sent) && isMembers(read)) {
    for (const [name, member] of Object.entries(sent)) {
      if (found.length >= maxDropped) return
      if (member === null || member === undefined) continue
      const at = [...path, name]
      if (Object.hasOwn(read, name)) compare({ sent: member, read: read[name], path: at }, found)
      else if (!(path.length === 0 ? exported : formerly).has(name)) {
        found.push({ path: at, message: `\`${name}\` is not a member of ${ownerOf(path)}` })
      }
    }
  }
}

const owners: Record<string, string> = {
  groups: "a group",
  blocks: "this block",
  edges: "an edge",
  events: "an event",
  variables: "a variable",
  items: "this item",
}

function ownerOf(path: Path): string {
  const [last, before] = [path.at(-1), path.at(-2)]
  if (last === undefined) return "a bot"
  return typeof last === "number" ? (owners[String(before)] ?? "an element here") : `\`${last}\``
}
