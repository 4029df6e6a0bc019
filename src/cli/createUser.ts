/** parley user create */
import { emailSchema } from "../routers/mailAddress.ts"
import { createAccount } from "../routers/user/accounts.ts"
import { command, option, print, tell } from "./command.ts"
import { withDatabase } from "./withDatabase.ts"

/** Makes an account; a mail address that has one already gets another token. */
export const createUserCommand = command({
  name: "user create",
  description: "Create a user with a workspace and a token, or another token for a user",
  args: {
    email: { ...option("Mail address"), required: true },
    name: option("Name"),
    workspace: option("Name of the workspace (My workspace)"),
    "token-name": option("Name of the token (First token)"),
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
        })
        tell(
          made.workspaceId === undefined
            ? `${made.email} already had an account and got another token.`
            : `Created ${made.email} with the workspace ${made.workspaceId}.`,
        )
        tell("This is the token. Keep it: it is shown only once.")
        print(made.token)
      },
      { mayCreate: true },
    )
  },
})
