/** Variables of the workspace: known, and secret ones only where they leave the service. */
import { templateOf } from "../../../engine/variables/interpolate.ts"
import { workspaceName } from "../../../engine/variables/workspaceVariables.ts"
import { error, type Violation, warning } from "../finding.ts"
import type { FlowText } from "../flowTexts.ts"
import type { LintContext } from "../lintContext.ts"
import type { Path } from "../location.ts"

/** Variables of the workspace that a text names, and that no variable of the bot hides. */
function namesIn({ tokens }: FlowText, own: ReadonlySet<string>): string[] {
  return tokens.flatMap((token) => (own.has(token) ? [] : (workspaceName(token) ?? [])))
}

function ownNames({ flow }: LintContext): Set<string> {
  return new Set(flow.variables.map(({ name }) => name))
}

export const unknownWorkspaceVariable = warning({
  id: "unknown-workspace-variable",
  description: "Every {{$name}} in a text is the exact name of a variable of the workspace.",
  remedy: "Correct the name, upper and lower case included, or add the variable to the workspace.",
  check(context) {
    const { variables } = context.surroundings
    if (!variables) return []
    const own = ownNames(context)
    return context.texts.flatMap((text) =>
      text.isFilled
        ? namesIn(text, own).flatMap((name): Violation[] => {
            if (variables.has(name)) return []
            return [
              { path: text.path, message: `The workspace has no variable with the name "${name}"` },
            ]
          })
        : [],
    )
  },
})

export const exposedSecret = error({
  id: "exposed-secret",
  description:
    "A secret of the workspace stands only in HTTP requests of the service, in subjects and bodies of mails, and in scripts that make requests.",
  remedy:
    "Send it with a request whose host is no variable of the bot, or with a mail; everywhere else it shows as `•••`.",
  check(context) {
    const { variables } = context.surroundings
    if (!variables) return []
    const own = ownNames(context)
    return context.texts.flatMap((text) => {
      if (!text.isFilled) return []
      const inCode = sourcesIn(text)
      return namesIn(text, own).flatMap((name): Violation[] => {
        if (!variables.get(name) || (leaves(text) && !inCode.includes(`{{$${name}}}`))) return []
        return [{ path: text.path, message: `The secret "${name}" shows as \`•••\` here` }]
      })
    })
  },
})

/** The inline code of a text, which makes no requests. */
function sourcesIn({ text }: FlowText): string {
  if (!text.includes("{{=")) return ""
  return templateOf(text)
    .map((part) => (typeof part === "object" && "source" in part ? part.source : ""))
    .join("\n")
}

/** Whether a text leaves the service with a request, a mail, or the request of a script. */
function leaves({ path, text, entry }: FlowText): boolean {
  if (!entry) return false
  const { block, type } = entry
  const within = path.slice(entry.path.length)
  const isIn = (at: Path) => at.every((key, index) => key === within[index])
  if (type.sendsSecrets?.(block).some(isIn)) return true
  if (!text.includes("fetch")) return false
  // Functions that models call have their code in a member of this name.
  if (within.at(-1) === "code" && type.needsCredentials) return true
  return (type.codes?.(block) ?? []).some(({ at, isAtClient }) => !isAtClient && isIn(at))
}
