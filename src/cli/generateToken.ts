/** parley token generate */
import { newToken } from "../shared/tokens.ts"
import { command, print } from "./command.ts"

/** Prints a token that nobody has yet: for PARLEY_BOOTSTRAP_TOKEN of a machine to come. */
export const generateTokenCommand = command({
  name: "token generate",
  description: "Print a fresh token for PARLEY_BOOTSTRAP_TOKEN, without storing it",
  args: {},
  run: async () => print(newToken()),
})
