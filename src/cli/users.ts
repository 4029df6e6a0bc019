/** parley user: creates, lists, disables, enables and deletes accounts. */
import { notify } from "../db/connection/notifications.ts"
import type { Db } from "../db/connection/openDatabase.ts"
import { deleteAccount, listEntryIds, setDisabled } from "../db/people/accounts.ts"
import { listUsers } from "../db/people/wholeService.ts"
import { createAccount } from "../people/createAccount.ts"
import { emailSchema } from "../people/mailAddress.ts"
import { command, flag, option, print, tell, word } from "./command.ts"
import { findAnyUser } from "./findOwner.ts"
import { printTable } from "./printTable.ts"
import { withDatabase } from "./withDatabase.ts"

export const createUserCommand = command({
  name: "user create",
  description: "Create a user with a workspace and a token",
  args: {
    email: { ...option("Mail address"), required: true },
    name: option("Name"),
    workspace: option("Name of the workspace (My workspace)"),
    "token-name": option("Name of the token (First token)"),
    operator: flag("Let the user operate the service; the first one does anyway"),
  },
  run: async (args, environment) => {
    const email = emailSchema.safeParse(args.email)
    if (!email.success) throw new Error(`"${args.email}" is not a mail address.`)
    await withDatabase(
      environment,
      async ({ database, config }) => {
        const made = await createAccount(database, {
          email: email.data,
          name: args.name,
          workspaceName: args.workspace,
          tokenName: args["token-name"],
          plan: config.defaultPlan,
          isOperator: args.operator || undefined,
        })
        tell(`Created ${made.email} with the workspace ${made.workspaceId}.`)
        tell("This is the token. Keep it: it is shown only once.")
        print(made.token)
      },
      { mayCreate: true },
    )
  },
})

const titles = ["EMAIL", "STATE", "CREATED", "LAST USED", "WORKSPACES", "NAME"]

export const listUsersCommand = command({
  name: "user list",
  description: "List the users of the service, oldest first",
  args: {},
  run: async (_args, environment) => {
    await withDatabase(environment, async ({ database }) => {
      const rows = (await listUsers(database))
        .reverse()
        .map((account) => [
          account.email,
          account.isDisabled ? "disabled" : "enabled",
          dayOf(account.createdAt),
          account.lastUsedAt === null ? "never" : dayOf(account.lastUsedAt),
          String(account.workspaces),
          account.name ?? "",
        ])
      printTable([titles, ...rows])
    })
  },
})

function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10)
}

const emailArg = word("Mail address of the user")

export const disableUserCommand = command({
  name: "user disable",
  description: "Refuse a user's tokens, sessions and sign-ins until they are enabled again",
  args: { email: emailArg },
  run: async ({ email }, environment) => {
    await withDatabase(environment, async ({ database }) => {
      const user = await findAnyUser(database, email)
      await setDisabled(database, { userId: user.id, isDisabled: true })
      await notifyRevoked(database, await listEntryIds(database, user.id))
      tell(`The account of ${user.email} is disabled. Running servers refuse it within 30 seconds.`)
    })
  },
})

export const enableUserCommand = command({
  name: "user enable",
  description: "Accept a disabled user's tokens, sessions and sign-ins again",
  args: { email: emailArg },
  run: async ({ email }, environment) => {
    await withDatabase(environment, async ({ database }) => {
      const user = await findAnyUser(database, email)
      await setDisabled(database, { userId: user.id, isDisabled: false })
      tell(`The account of ${user.email} is enabled. Running servers accept it within a minute.`)
    })
  },
})

export const deleteUserCommand = command({
  name: "user delete",
  description: "Delete a user with their tokens, sessions and empty workspaces",
  args: { email: emailArg },
  run: async ({ email }, environment) => {
    await withDatabase(environment, async ({ database }) => {
      const user = await findAnyUser(database, email)
      if ((await listUsers(database, { limit: 2 })).length === 1) {
        throw new Error(
          `${user.email} is the only user, and the next start would make another first one: create one before.`,
        )
      }
      const ids = await listEntryIds(database, user.id)
      const kept = await deleteAccount(database, user)
      if (kept.length > 0) {
        const names = kept.map(({ id, name }) => `\n- ${id} ${name}`).join("")
        throw new Error(
          `${user.email} is the only ADMIN of workspaces with bots, files or other people. Make another member ` +
            `an ADMIN, delete the workspaces, or disable the account instead:${names}`,
        )
      }
      await notifyRevoked(database, ids)
      tell(`Deleted ${user.email}. Running servers refuse their tokens within 30 seconds.`)
    })
  },
})

/** Makes running services refuse tokens and sessions at once, whose owners they remember for a while. */
async function notifyRevoked(db: Db, ids: readonly string[]): Promise<void> {
  for (const id of ids) await notify(db, "token_revoked", id)
}
