/** parley schema */
import { readBotFileSchema } from "../routers/catalogue/readCatalogue.ts"
import { command, flag, printJson } from "./command.ts"

export const schemaCommand = command({
  name: "schema",
  description: "Print the JSON Schema of bot files, which text editors check them with",
  args: {
    test: flag("That of files for `parley test`"),
  },
  run: async ({ test }) => {
    if (!test) return printJson(await readBotFileSchema())
    const { testFileJsonSchema } = await import("../workshop/files/jsonSchema.ts")
    printJson(testFileJsonSchema())
  },
})
