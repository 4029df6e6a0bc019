/** parley types */
import { readFile } from "node:fs/promises"
import { isTypeName, typeNameOf } from "../authoring/types/typeName.ts"
import { typesOfBot } from "../authoring/types/typesOfBot.ts"
import { prepareBot } from "../engine/bot.ts"
import { readStoredBot } from "./botFile.ts"
import { command, fileArg, flag, option, print, tell } from "./command.ts"
import { replaceFile } from "./writeWhole.ts"

export const typesCommand = command({
  name: "types",
  description: "Write the variables, answers, choices and bodies of a bot as a type of TypeScript",
  args: {
    file: fileArg,
    output: { ...option("File to write (standard output)"), alias: "o" },
    name: option("Name of the type (that of the bot)"),
    check: flag("Write nothing, and exit with code 1 if the file has other types"),
  },
  run: async ({ file, output, name, check }) => {
    if (name !== undefined && !isTypeName(name)) {
      throw new Error(`"${name}" cannot be the name of a type: use a word such as Signup.`)
    }
    if (check && !output) throw new Error("Name the file to check with -o.")
    const { flow, name: botName } = await readStoredBot(file)
    const text = typesOfBot(prepareBot(flow, "", ""), name ?? typeNameOf(botName))
    if (!output) return print(text.trimEnd())
    if (!check) {
      await replaceFile(output, text)
      return tell(`Wrote the types of ${file} to ${output}.`)
    }
    if ((await textIn(output)) === text) return tell(`${output} is up to date.`)
    const words = ["parley types", file, "-o", output, ...(name ? ["--name", name] : [])]
    throw new Error(`${output} does not fit ${file}: run \`${words.join(" ")}\`.`)
  },
})

/** The text of a file with the line breaks that are written; undefined when there is none. */
async function textIn(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, "utf8")).replaceAll("\r\n", "\n")
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined
    throw error
  }
}
