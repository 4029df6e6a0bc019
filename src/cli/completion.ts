/** parley completion */
import type { SubCommandsDef } from "citty"
import { command, print, word } from "./command.ts"
import { commandTable, type ListedCommand } from "./commandTable.ts"

const shells = { bash, zsh, fish }

type Shell = keyof typeof shells

/** Prints a script with which a shell completes these commands and their options. */
export function completionOf(commands: SubCommandsDef) {
  return command({
    name: "completion",
    description: "Print completions for a shell, for example: `source <(parley completion bash)`",
    args: { shell: word("bash, zsh or fish") },
    run: async ({ shell }) => {
      if (!isShell(shell)) {
        throw new Error(`There are completions for bash, zsh and fish, not for "${shell}".`)
      }
      print(shells[shell](await commandTable(commands)).trimEnd())
    },
  })
}

function isShell(text: string): text is Shell {
  return Object.hasOwn(shells, text)
}

/** What may follow the words of each command. */
function casesOf(table: readonly ListedCommand[]): string {
  return table
    .map(({ words, commands, options }) => {
      const next = [...commands, ...options.map(({ name }) => `--${name}`)].join(" ")
      return `    ${JSON.stringify(words.join(" "))}) echo ${JSON.stringify(next)} ;;`
    })
    .join("\n")
}

function bash(table: readonly ListedCommand[]): string {
  return `# Completions of parley for bash.
_parley_next() {
  case "$1" in
${casesOf(table)}
  esac
}
_parley() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if [ -n "$(_parley_next "\${words:+$words }$word")" ]; then words="\${words:+$words }$word"; fi
  done
  COMPREPLY=($(compgen -W "$(_parley_next "$words")" -- "$current"))
  if [ \${#COMPREPLY[@]} -eq 0 ]; then COMPREPLY=($(compgen -f -- "$current")); fi
}
complete -o filenames -F _parley parley
`
}

function zsh(table: readonly ListedCommand[]): string {
  return `#compdef parley
# Completions of parley for zsh.
autoload -Uz bashcompinit && bashcompinit
${bash(table)}`
}

function fish(table: readonly ListedCommand[]): string {
  const quoted = (text: string) => `'${text.replace(/[\\\\']/g, "\\\\$&")}'`
  const lines = table.flatMap(({ words, listed, options }) => {
    const seen = words.map((each) => `__fish_seen_subcommand_from ${each}`)
    const when = quoted(seen.length === 0 ? "__fish_use_subcommand" : seen.join("; and "))
    return [
      ...listed.map(
        ({ name, description }) =>
          `complete -c parley -n ${when} -a ${name} -d ${quoted(description)}`,
      ),
      ...options.map(
        ({ name, description }) =>
          `complete -c parley -n ${when} -l ${name} -d ${quoted(description)}`,
      ),
    ]
  })
  return `# Completions of parley for fish.\n${lines.join("\n")}\n`
}
