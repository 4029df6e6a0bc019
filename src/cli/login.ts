/** parley login */
import { shown } from "../app/addressFile.ts"
import type { Db } from "../db/connection/openDatabase.ts"
import { findUserByEmail } from "../db/people/users.ts"
import { plainEmail } from "../people/mailAddress.ts"
import { admitProven, newSignInLink } from "../people/signIn.ts"
import { command, option, print, tell } from "./command.ts"
import { findOwner } from "./findOwner.ts"
import { withDatabase } from "./withDatabase.ts"
import { serviceArgs, serviceUrl } from "./withService.ts"

/** Prints a link for a browser. It takes the database: a token must not become a session. */
export const loginCommand = command({
  name: "login",
  description: "Print a link that signs you in with a browser, once, within ten minutes",
  args: {
    email: option("Mail address of the user (the only user)"),
    next: option("Where to go on: a path of the service, or a page that may call it (/)"),
    url: serviceArgs.url,
  },
  run: async ({ email, next, url }, environment) => {
    if (next !== undefined && !/^(?:\/(?!\/)|https?:\/\/)/.test(next)) {
      throw new Error(
        `"${next}" is neither a path such as /docs nor an address such as http://localhost:5173.`,
      )
    }
    const service = namedAs(url ?? shown(await serviceUrl(environment, url)), next)
    await withDatabase(environment, async ({ database }) => {
      if (email !== undefined) await admitInvited(database, email)
      const owner = await findOwner(database, email)
      const link = { userId: owner.id, serviceUrl: service, next }
      tell(`This link signs in ${owner.email}, once, within ten minutes. Do not share it.`)
      print(await newSignInLink(database, link))
    })
  },
})

const onThisMachine = /^http:\/\/(localhost|127\.0\.0\.1)(?=[:/]|$)/

/** Under the name of the page to go on at, where both are on this machine: browsers keep cookies by names. */
function namedAs(service: string, next = ""): string {
  const [, name] = onThisMachine.exec(next) ?? []
  return name === undefined ? service : service.replace(onThisMachine, `http://${name}`)
}

/** Creates the account of an invited address, as its first sign-in would. */
async function admitInvited(database: Db, email: string): Promise<void> {
  const address = plainEmail(email)
  if (await findUserByEmail(database, address)) return
  const made = await admitProven(database, { email: address, mayRegister: false })
  if (made !== undefined) tell(`Created the account of ${address}, who was invited.`)
}
