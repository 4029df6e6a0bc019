/** Names the type of a bot. */
import { keywords } from "../../engine/variables/identifier.ts"

/** Far more than names of types have. */
const maxNameLength = 60

/** The name of a bot in PascalCase, without accents; "Bot" when it has no letter that a name can begin with. */
export function typeNameOf(botName: string): string {
  const words = botName
    .slice(0, 1_000)
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
  const name = words.join("").replace(/^\d+/, "").slice(0, maxNameLength)
  return name === "" ? "Bot" : name.slice(0, 1).toUpperCase() + name.slice(1)
}

/** Whether TypeScript accepts the name for a type. */
export function isTypeName(name: string): boolean {
  const isWord = /^[A-Za-z_$][\w$]*$/.test(name) && name.length <= maxNameLength
  return isWord && !keywords.has(name) && !ownTypes.has(name)
}

/** Types of the language. */
const ownTypes: ReadonlySet<string> = new Set(
  "any bigint boolean never number object string symbol undefined unknown".split(" "),
)
