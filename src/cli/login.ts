/** parley login */
import { newSignInLink } from "../routers/user/signIn.ts"
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
    url: serviceArgs.url,
  },
  run: async ({ email, url }, environment) => {
    const service = await serviceUrl(environment, url)
    await withDatabase(environment, async ({ database }) => {
      const owner = await findOwner(database, email)
      const link = await newSignInLink(database, { userId: owner.id, serviceUrl: service })
      tell(`Whoever opens this link within ten minutes is ${owner.email}. It works once.`)
      print(link)
    })
  },
})
