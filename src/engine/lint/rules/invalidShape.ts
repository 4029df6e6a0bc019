/** A bot has the members that its version asks for. */
import type { Rule } from "../finding.ts"
import type { Path } from "../location.ts"

/** What keeps the bot from being read at all. */
export const invalidShape: Rule = {
  id: "invalid-shape",
  severity: "error",
  description: "Every member of a bot is of the kind that the format says.",
  remedy: "Correct the value, or leave out the member if it is optional.",
  judge: ({ message, path }) => {
    const inside = insideBlock(path).join(".")
    const reason = message.replace(/^Invalid input: /, "")
    return inside === "" ? capitalised(reason) : `\`${inside}\`: ${reason}`
  },
}

/** The keys that are left once a person stands before the group, block, edge, event or variable. */
function insideBlock(path: Path): Path {
  if (path[0] === "groups" && path[2] === "blocks" && path.length > 3) return path.slice(4)
  return typeof path[1] === "number" ? path.slice(2) : path
}

function capitalised(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}
