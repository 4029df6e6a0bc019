/** parley schema */
import { readBotFileSchema } from "../routers/catalogue/readCatalogue.ts"
import { command, printJson } from "./command.ts"

/** Prints the JSON Schema of bot files, for text editors. */
export const schemaCommand = command({
  name: "schema",
  description: "Print the JSON Schema of bot files, which text editors check them with",
  args: {},
  run: async () => printJson(await readBotFileSchema()),
})
