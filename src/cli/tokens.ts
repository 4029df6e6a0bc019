/** parley token: create, generate, list and revoke API tokens. */
import { notify } from "../db/connection/notifications.ts"
import type { Db } from "../db/connection/openDatabase.ts"
import { listKnownIds, listTokens, revokeTokens } from "../db/people/tokens.ts"
import { newToken } from "../people/apiTokens.ts"
import type { Grant } from "../people/caller.ts"
import { createToken } from "../people/createAccount.ts"
import { scopes } from "../people/grants.ts"
import { command, option, print, tell } from "./command.ts"
import { findOwner } from "./findOwner.ts"
import { printTable } from "./printTable.ts"
import { withDatabase } from "./withDatabase.ts"

export const createTokenCommand = command({
  name: "token create",
  description: "Create a token, and print it on standard output",
  args: {
    email: option("Mail address of its user (the only user)"),
    name: { ...option("Name of the token"), default: "Command line" },
    expires: option("Date on which it expires, such as 2027-01-31 (never)"),
    scope: option(
      `What it is for, with commas between: ${Object.keys(scopes).join(", ")} (everything)`,
    ),
    workspace: option("Id of the only workspace that it is for (all)"),
    bots: option("Ids of the only bots that it is for (all)"),
  },
  run: async ({ email, name, expires, scope, workspace, bots }, environment) => {
    if (workspace !== undefined && bots !== undefined) {
      throw new Error("Choose a workspace with --workspace or bots with --bots, not both.")
    }
    const grant = {
      expiresAt: expires === undefined ? null : futureDate(expires),
      scopes: scope === undefined ? null : scope.split(",").map((word) => knownScope(word.trim())),
      workspaceId: workspace ?? null,
      botIds: bots === undefined ? null : wordsIn(bots),
    }
    await withDatabase(environment, async ({ database }) => {
      const owner = await findOwner(database, email)
      await requireTargets(database, grant)
      const { id, token } = await createToken(database, owner.id, { name, ...grant })
      tell(`Created the token ${id} of ${owner.email}. Keep it: it is shown only once.`)
      print(token)
    })
  },
})

/** The texts between commas. */
function wordsIn(text: string): string[] {
  const words = text.split(",").map((word) => word.trim())
  return words.filter((word) => word !== "")
}

function knownScope(word: string): string {
  if (Object.hasOwn(scopes, word)) return word
  throw new Error(`There is no scope "${word}": choose of ${Object.keys(scopes).join(", ")}.`)
}

/** A token for something that does not exist would be for nothing. */
async function requireTargets(
  db: Db,
  { workspaceId, botIds }: Pick<Grant, "workspaceId" | "botIds">,
): Promise<void> {
  const ids = botIds ?? (workspaceId === null ? [] : [workspaceId])
  const known = new Set(await listKnownIds(db, botIds ? "bots" : "workspaces", ids))
  const unknown = ids.find((id) => !known.has(id))
  if (unknown !== undefined || botIds?.length === 0) {
    throw new Error(`There is no ${botIds ? "bot" : "workspace"} with the id "${unknown ?? ""}".`)
  }
}

function futureDate(text: string): Date {
  const date = new Date(text)
  // Days that a month does not have would become days of the next one.
  if (Number.isNaN(date.getTime()) || !date.toISOString().startsWith(text))
    throw new Error(`"${text}" is not a date such as 2027-01-31.`)
  if (date.getTime() <= Date.now()) throw new Error(`${text} is in the past.`)
  return date
}

export const generateTokenCommand = command({
  name: "token generate",
  description: "Print a new token for PARLEY_BOOTSTRAP_TOKEN, without storing it",
  args: {},
  run: async () => print(newToken()),
})

export const listTokensCommand = command({
  name: "token list",
  description: "List the tokens of a user, newest first",
  args: { email: option("Mail address of its user (the only user)") },
  run: async ({ email }, environment) => {
    await withDatabase(environment, async ({ database }) => {
      const owner = await findOwner(database, email)
      const tokens = await listTokens(database, owner.id)
      if (tokens.length === 0) return tell(`${owner.email} has no tokens.`)
      const rows = tokens.map((token) => [
        token.id,
        `...${token.hint}`,
        printDay(token.createdAt) ?? "",
        printDay(token.lastUsedAt) ?? "never",
        printDay(token.expiresAt) ?? "never",
        token.scopes?.join(",") ?? "everything",
        token.workspaceId ?? token.botIds?.join(",") ?? "everything",
        token.name,
      ])
      printTable([titles, ...rows])
    })
  },
})

const titles = ["ID", "ENDS IN", "CREATED", "LAST USED", "EXPIRES", "SCOPES", "FOR", "NAME"]

function printDay(time: Date | null): string | undefined {
  return time?.toISOString().slice(0, 10)
}

export const revokeTokensCommand = command({
  name: "token revoke",
  description: "Revoke a token, or all tokens of a user",
  args: {
    id: option("Id of the token, as `parley token list` shows it"),
    all: { type: "boolean", description: "All tokens of the user" },
    email: option("Mail address of the user, with --all (the only user)"),
  },
  run: async ({ id, all, email }, environment) => {
    if ((id === undefined) === (all !== true)) {
      throw new Error("Choose a token with --id, or all tokens of a user with --all.")
    }
    await withDatabase(environment, async ({ database }) => {
      const selection =
        id === undefined ? { ownerId: (await findOwner(database, email)).id } : { tokenId: id }
      const revoked = await revokeTokens(database, selection)
      if (id !== undefined && revoked.length === 0) {
        throw new Error(`There is no token with the id ${id}.`)
      }
      for (const token of revoked) await notify(database, "token_revoked", token.id)
      const names = revoked.map((token) => `${token.name} (...${token.hint})`).join(", ")
      tell(
        revoked.length === 0
          ? "There was no token to revoke."
          : `Revoked ${names}. Running servers stop accepting it within 30 seconds.`,
      )
    })
  },
})
