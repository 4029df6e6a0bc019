/** How a command of the command line is written: what it takes, what it does, how it fails. */
import { type ArgsDef, type CommandDef, defineCommand, type ParsedArgs } from "citty"
import { explain } from "../app/startProblem.ts"
import { type Line, writeLine } from "./output.ts"

/** A command without the parts that are the same for all. */
type CommandParts<Args extends ArgsDef> = {
  /** As it is typed, with the words before it: `token create`. */
  name: string
  description: string
  args: Args
  /** Whether further words may follow the named ones; `args._` has them all. Absent: they may not. */
  takesMoreWords?: boolean
  /** What it does. An error is printed as a sentence, and the process ends with code 1. */
  run(args: ParsedArgs<Args>, environment: Environment): Promise<void>
}

/** The variables of the environment. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Makes a command. Options that it does not know are refused, because they are mostly misspelt. */
export function command<const Args extends ArgsDef>(
  parts: CommandParts<Args>,
): (environment: Environment) => CommandDef<Args> {
  return (environment) =>
    defineCommand<Args>({
      meta: { name: parts.name.split(" ").at(-1) ?? parts.name, description: parts.description },
      args: parts.args,
      run: async ({ args }) => {
        try {
          refuseUnknown(parts, args)
          await parts.run(args, environment)
        } catch (error) {
          tell(explain(error))
          process.exitCode = 1
        }
      },
    })
}

/** Says something to the person at the keyboard: on standard error, so that results stay apart. */
export function tell(sentence: string): void {
  writeLine("stderr", sentence)
}

/** Writes a line of the result on standard output, for people and for pipes. */
export function print(line: Line): void {
  writeLine("stdout", line)
}

/** Writes a result as JSON on standard output. */
export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2))
}

function refuseUnknown<Args extends ArgsDef>(
  { name, args: known, takesMoreWords = false }: CommandParts<Args>,
  given: ParsedArgs<Args>,
): void {
  const words = Object.entries(known)
  const options = new Set(
    words.flatMap(([word, arg]) => (arg.type === "positional" ? [] : [word, ...aliasesOf(arg)])),
  )
  const places = words.filter(([, { type }]) => type === "positional").length
  const unknown = Object.keys(given).find(
    (word) => word !== "_" && !(word in known) && !options.has(kebab(word)),
  )
  const surplus = takesMoreWords ? undefined : given._[places]
  if (unknown === undefined && surplus === undefined) return
  const what = unknown === undefined ? `"${surplus}" is one word too many` : optionWords(unknown)
  throw new Error(`${what}: see \`parley ${name} --help\`.`)
}

function aliasesOf(arg: ArgsDef[string]): string[] {
  const alias = "alias" in arg ? (arg.alias ?? []) : []
  return Array.isArray(alias) ? alias : [alias]
}

function optionWords(name: string): string {
  return `There is no option ${name.length === 1 ? "-" : "--"}${name}`
}

// citty offers every option in camel case too.
function kebab(word: string): string {
  return word.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
