/** Declares a command of the command line: what it takes, what it does and how it fails. */
import { type ArgsDef, type CommandDef, defineCommand, type ParsedArgs } from "citty"
import { explain } from "../app/startProblem.ts"
import { type Line, writeLine } from "./output.ts"
import { calledAs, withName } from "./usage.ts"

/** A command without the parts that all commands share. */
export type CommandParts<Args extends ArgsDef, Context> = {
  /** As it is typed, including the word before it: `token create`. */
  name: string
  description: string
  args: Args
  /** Whether more words may follow the named ones; `args._` has them all. Absent: no. */
  takesMoreWords?: boolean
  /** Code of the process after an error. Absent: 1. */
  errorCode?: number
  /** Does the work. An error is printed as a sentence. */
  run(args: ParsedArgs<Args>, context: Context): Promise<void>
}

/** The environment variables of the process. */
export type Environment = Readonly<Record<string, string | undefined>>

/** An option with a text. */
export function option(description: string) {
  return { type: "string", description } as const
}

/** An option without one. */
export function flag(description: string) {
  return { type: "boolean", description, default: false } as const
}

/** A word that is known by its place. */
export function word(description: string) {
  return { type: "positional", description, required: true } as const
}

/** Arguments that several commands take. */
export const botArg = word("Id or public id of the bot")
export const fileArg = word("File with the bot, or - for standard input")
export const jsonArg = flag("Print JSON")

/** Makes a command. It refuses options that it does not know: most of them are misspelt. */
export function command<const Args extends ArgsDef>(
  parts: CommandParts<Args, Environment>,
): CommandDef<Args> {
  return defineCommand<Args>({
    meta: { name: parts.name.split(" ").at(-1) ?? parts.name, description: parts.description },
    args: parts.args,
    run: async ({ args }) => {
      try {
        refuseUnknown(parts, args)
        await parts.run(args, process.env)
      } catch (error) {
        tell(explain(error))
        process.exitCode = parts.errorCode ?? 1
      }
    },
  })
}

/** A whole number of at least 1; `name` is what the error calls it. */
export function countIn(name: string, text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new Error(`${name} must be a whole number of at least 1, not "${text}".`)
}

/** Prints to standard error, so that results stay alone on standard output. */
export function tell(line: Line): void {
  writeLine("stderr", typeof line === "string" ? withName(line, calledAs(process.env)) : line)
}

/** Writes a line of the result to standard output, for people and for pipes. */
export function print(line: Line): void {
  writeLine("stdout", line)
}

/** Writes a result as JSON to standard output. */
export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2))
}

function refuseUnknown<Args extends ArgsDef>(
  { name, args: known, takesMoreWords = false }: CommandParts<Args, Environment>,
  given: ParsedArgs<Args>,
): void {
  const args = Object.entries(known)
  const names = new Set(
    args.flatMap(([word, arg]) => [word, "alias" in arg ? arg.alias : []].flat()),
  )
  const unknown = Object.keys(given).find(
    (word) => word !== "_" && !names.has(word) && !names.has(kebab(word)),
  )
  const places = args.filter(([, { type }]) => type === "positional").length
  const surplus = takesMoreWords ? undefined : given._[places]
  if (unknown === undefined && surplus === undefined) return
  const dashes = unknown?.length === 1 ? "-" : "--"
  const isOption = unknown !== undefined
  const what = isOption
    ? `There is no option ${dashes}${unknown}`
    : `"${surplus}" is one word too many`
  throw new Error(`${what}: see \`parley ${name} --help\`.`)
}

// citty offers every option in camel case too.
function kebab(word: string): string {
  return word.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
