/** Names a command that does not exist, and the one that was probably meant. */
import type { SubCommandsDef } from "citty"
import { nearestOf } from "../app/environment.ts"

/**
 * A sentence if the words of a command line begin with a command that does not exist; else undefined.
 * `before` is what was typed before them.
 */
export async function unknownCommand(
  commands: SubCommandsDef,
  [name, ...words]: readonly string[],
  before = "parley",
): Promise<string | undefined> {
  if (name === undefined || name.startsWith("-")) return undefined
  const typed = `${before} ${name}`
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined) {
    const nearest = nearestOf(name, Object.keys(commands), 1 / 3)
    const advice = nearest ? `did you mean \`${before} ${nearest}\`?` : `see \`${before} --help\`.`
    return `There is no command \`${typed}\`: ${advice}`
  }
  const { subCommands } = await resolved(command)
  return subCommands && (await unknownCommand(await resolved(subCommands), words, typed))
}

/** What citty accepts in place of a value: the value, a promise of it, or a function that returns one. */
export function resolved<Value extends object>(
  value: Value | Promise<Value> | (() => Value | Promise<Value>),
): Value | Promise<Value> {
  return typeof value === "function" ? value() : value
}
