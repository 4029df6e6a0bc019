/** The commands of the command line with their words and options, as a list. */
import type { CommandDef, SubCommandsDef } from "citty"
import { resolved } from "./unknownCommand.ts"

/** Something with a name and a sentence about it. */
type Described = { name: string; description: string }

export type ListedCommand = {
  /** As it is typed after `parley`; none: the program itself. */
  words: string[]
  /** Names of the commands that may follow. */
  commands: string[]
  /** The same with what they do. */
  listed: Described[]
  options: Described[]
  command: CommandDef | undefined
}

/** Every command, those with commands of their own before these. */
export async function commandTable(
  commands: SubCommandsDef,
  before: readonly string[] = [],
): Promise<ListedCommand[]> {
  const listed: Described[] = []
  const below: ListedCommand[] = []
  for (const [name, each] of Object.entries(commands)) {
    const command: CommandDef = await resolved(each)
    const meta = await resolved(command.meta ?? {})
    listed.push({ name, description: meta.description ?? "" })
    const words = [...before, name]
    const subCommands = command.subCommands && (await resolved(command.subCommands))
    if (subCommands) below.push(...(await commandTable(subCommands, words)))
    const own = below.find((known) => known.words.join() === words.join())
    const options = Object.entries(await resolved(command.args ?? {})).flatMap(
      ([option, { type, description = "" }]) =>
        type === "positional" ? [] : { name: option, description },
    )
    if (own) Object.assign(own, { command, options })
    else below.push({ words, commands: [], listed: [], options, command })
  }
  const names = listed.map(({ name }) => name)
  return [
    { words: [...before], commands: names, listed, options: [], command: undefined },
    ...below,
  ]
}
