/** parley secret: give up what was encrypted with a secret that is lost. */
import { acceptAnySecret } from "../db/people/secrets.ts"
import { createSecretFile } from "../effects/credentials/secret.ts"
import { command, tell } from "./command.ts"
import { withDatabase } from "./withDatabase.ts"

const lossWords = "Credentials that were stored before must be entered anew."

/** Makes a new secret for a data folder whose own is lost for good. */
export const createSecretCommand = command({
  name: "secret create",
  description:
    "Make a new secret for PARLEY_DATA when the old one is lost, and its credentials too",
  args: {},
  run: async (_args, environment) => {
    await withDatabase(environment, async ({ database, config }) => {
      const path = await createSecretFile(config.dataFolder)
      await acceptAnySecret(database)
      tell(`There is a new secret in ${path}. ${lossWords}`)
    })
  },
})

/** Lets the next start take its secret for the right one. */
export const acceptSecretCommand = command({
  name: "secret accept",
  description: "Let the next start take its secret for the right one, when the former one is lost",
  args: {},
  run: async (_args, environment) => {
    await withDatabase(environment, async ({ database }) => {
      await acceptAnySecret(database)
      tell(`The next start remembers the secret that it finds. ${lossWords}`)
    })
  },
})
