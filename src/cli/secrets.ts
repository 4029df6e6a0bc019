/** parley secret: gives up what was encrypted with a secret that is lost. */
import { acceptAnySecret } from "../db/people/secrets.ts"
import { createSecretFile } from "../effects/credentials/secret.ts"
import { command, tell } from "./command.ts"
import { withDatabase } from "./withDatabase.ts"

const lossWords = "Credentials that were stored before must be entered again."

export const createSecretCommand = command({
  name: "secret create",
  description: "Make a new secret for PARLEY_DATA when the old one is lost; so are its credentials",
  args: {},
  run: async (_args, environment) => {
    await withDatabase(environment, async ({ database, config }) => {
      const path = await createSecretFile(config.dataFolder)
      await acceptAnySecret(database)
      tell(`There is a new secret in ${path}. ${lossWords}`)
    })
  },
})

export const acceptSecretCommand = command({
  name: "secret accept",
  description: "Make the next start accept its secret when the former one is lost",
  args: {},
  run: async (_args, environment) => {
    await withDatabase(environment, async ({ database }) => {
      await acceptAnySecret(database)
      tell(`The next start accepts the secret that it finds. ${lossWords}`)
    })
  },
})
