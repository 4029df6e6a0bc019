/** parley token list */
import { listTokens } from "../db/people/tokens.ts"
import { command, print, tell } from "./command.ts"
import { findOwner } from "./owner.ts"
import { withDatabase } from "./withDatabase.ts"

/** Lists the tokens of a user, without their secrets. */
export const listTokensCommand = command({
  name: "token list",
  description: "List the tokens of a user, newest first",
  args: { email: { type: "string", description: "Whose (the only user's)" } },
  run: async ({ email }, environment) => {
    await withDatabase(environment, async ({ database }) => {
      const owner = await findOwner(database, email)
      const tokens = await listTokens(database, owner.id)
      if (tokens.length === 0) return tell(`${owner.email} has no tokens.`)
      const rows = tokens.map(({ id, hint, name, createdAt, lastUsedAt, expiresAt }) => [
        id,
        `...${hint}`,
        printDay(createdAt) ?? "",
        printDay(lastUsedAt) ?? "never",
        printDay(expiresAt) ?? "never",
        name,
      ])
      for (const line of columns([titles, ...rows])) print(line)
    })
  },
})

const titles = ["ID", "ENDS IN", "CREATED", "LAST USED", "EXPIRES", "NAME"]

function printDay(time: Date | null): string | undefined {
  return time?.toISOString().slice(0, 10)
}

/** Rows as lines, every column as wide as its widest cell. */
function columns(rows: readonly string[][]): string[] {
  const widths = titles.map((_, place) => Math.max(...rows.map((row) => row[place]?.length ?? 0)))
  return rows
    .map((row) => row.map((cell, place) => cell.padEnd(widths[place] ?? 0)).join("  "))
    .map((line) => line.trimEnd())
}
