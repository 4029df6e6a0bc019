/** parley operator: says which users operate the service. */
import { setOperator } from "../db/people/operators.ts"
import { listUsers } from "../db/people/wholeService.ts"
import { command, tell, word } from "./command.ts"
import { findAnyUser } from "./findOwner.ts"
import { printTable } from "./printTable.ts"
import { withDatabase } from "./withDatabase.ts"

const emailArg = word("Mail address of the user")

export const listOperatorsCommand = command({
  name: "operator list",
  description: "List the operators of the service, oldest first",
  args: {},
  run: async (_args, environment) => {
    await withDatabase(environment, async ({ database }) => {
      const operators = (await listUsers(database, { isOperator: true })).reverse()
      const rows = operators.map(({ email, isDisabled, name }) => [
        email,
        isDisabled ? "disabled" : "enabled",
        name ?? "",
      ])
      printTable([["EMAIL", "STATE", "NAME"], ...rows])
    })
  },
})

export const addOperatorCommand = command({
  name: "operator add",
  description: "Let a user operate the service: all its workspaces, bots and users",
  args: { email: emailArg },
  run: ({ email }, environment) => change(environment, { email, isOperator: true }),
})

export const removeOperatorCommand = command({
  name: "operator remove",
  description: "Take the right to operate the service from a user",
  args: { email: emailArg },
  run: ({ email }, environment) => change(environment, { email, isOperator: false }),
})

async function change(
  environment: Parameters<typeof withDatabase>[0],
  { email, isOperator }: { email: string; isOperator: boolean },
): Promise<void> {
  await withDatabase(environment, async ({ database }) => {
    const user = await findAnyUser(database, email)
    await setOperator(database, { userId: user.id, isOperator })
    tell(`${user.email} ${isOperator ? "operates" : "no longer operates"} the service.`)
  })
}
