/** The command line of Parley: `parley <command>`. */
import { stripVTControlCharacters } from "node:util"
import { type ArgsDef, type CommandDef, defineCommand, renderUsage, runMain } from "citty"
import manifest from "../../package.json" with { type: "json" }
import { print, tell } from "./command.ts"
import { commands } from "./commands.ts"
import { forgiveClosedPipes, hasStyles } from "./output.ts"
import { resolved, unknownCommand } from "./unknownCommand.ts"
import { calledAs, fitUsage } from "./usage.ts"

const program = "parley"

// Dates are parsed and printed in UTC on every machine.
process.env.TZ = "UTC"

// A service goes on without output, which ends other commands.
if (process.argv[2] !== "start") forgiveClosedPipes()

const unknown = await unknownCommand(commands, process.argv.slice(2))
if (unknown !== undefined) {
  tell(unknown)
  process.exit(1)
}

await runMain(
  defineCommand({
    meta: { name: program, version: manifest.version, description: manifest.description },
    subCommands: commands,
  }),
  { showUsage: printUsage },
)

/** Prints help, which citty paints for pipes and files as well. After a mistake it is no result. */
async function printUsage<Args extends ArgsDef>(
  command: CommandDef<Args>,
  parent?: CommandDef<Args>,
): Promise<void> {
  const before = parent && (await namedInFull(parent))
  const called = calledAs(process.env)
  const usage = (await renderUsage(command, before)).replaceAll("`parley", `\`${called}`)
  // All of it is words of this program, which are painted already.
  if (hasStyles(process.env)) return print([{ text: "", paint: () => `${fitUsage(usage)}\n` }])
  const isAsked = process.argv.some((word) => word === "--help" || word === "-h")
  const write = isAsked ? print : tell
  write(`${fitUsage(stripVTControlCharacters(usage))}\n`)
}

/** The command with its whole name: citty shows no more words before a command than one. */
async function namedInFull<Args extends ArgsDef>(command: CommandDef<Args>) {
  const meta = await resolved(command.meta ?? {})
  if (meta.name === program) return command
  return { ...command, meta: { ...meta, name: `${program} ${meta.name}` } }
}
