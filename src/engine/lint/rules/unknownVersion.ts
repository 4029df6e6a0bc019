/** A bot is of a version that this service can run. */
import { schemaVersions } from "../../bot.ts"
import type { Rule } from "../finding.ts"

/** A format that nobody here can read. */
export const unknownVersion: Rule = {
  id: "unknown-version",
  severity: "error",
  description: "The version of a bot is one that this service knows.",
  remedy:
    "Export the bot in a version that is known, or leave `version` out of a hand-written one.",
  judge: ({ path }) =>
    path.length === 1 && path[0] === "version"
      ? `The version is none of ${schemaVersions.join(", ")}`
      : undefined,
}
