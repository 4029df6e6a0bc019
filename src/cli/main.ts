/** The command line of Parley: `parley <command>`. */
import { stripVTControlCharacters } from "node:util"
import {
  type ArgsDef,
  type CommandDef,
  defineCommand,
  renderUsage,
  runMain,
  showUsage,
} from "citty"
import manifest from "../../package.json" with { type: "json" }
import { print, tell } from "./command.ts"
import { commands } from "./commands.ts"
import { forgiveClosedPipes, hasStyles } from "./output.ts"
import { unknownCommand } from "./unknownCommand.ts"

// Dates are parsed and printed in one time zone, whatever machine this runs on.
process.env.TZ = "UTC"

forgiveClosedPipes()

const unknown = await unknownCommand(commands, process.argv.slice(2))
if (unknown !== undefined) {
  tell(unknown)
  process.exit(1)
}

await runMain(
  defineCommand({
    meta: { name: "parley", version: manifest.version, description: manifest.description },
    subCommands: commands,
  }),
  { showUsage: printUsage },
)

/** Prints help, which citty paints for pipes and files as well. */
async function printUsage<Args extends ArgsDef>(
  command: CommandDef<Args>,
  parent?: CommandDef<Args>,
): Promise<void> {
  if (hasStyles(process.env)) return showUsage(command, parent)
  print(`${stripVTControlCharacters(await renderUsage(command, parent))}\n`)
}
