/** parley secret create */
import { readConfig } from "../app/config.ts"
import { createSecretFile } from "../effects/credentials/secret.ts"
import { command, tell } from "./command.ts"

/** Makes the secret of a data folder anew, when the one that it had is lost for good. */
export const createSecretCommand = command({
  name: "secret create",
  description:
    "Make a new secret for PARLEY_DATA when the old one is lost, and its credentials too",
  args: {},
  run: async (_args, environment) => {
    const path = await createSecretFile(readConfig(environment).dataFolder)
    tell(
      `There is a new secret in ${path}. Credentials that were stored before must be entered anew.`,
    )
  },
})
