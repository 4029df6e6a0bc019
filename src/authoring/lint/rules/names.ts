/** Variables and ids: known, used, and each only once. */
import type { Flow } from "../../../engine/bot.ts"
import { longTextsIn } from "../../../engine/schema/bounds.ts"
import { workspaceName } from "../../../engine/variables/workspaceVariables.ts"
import { foldCase } from "../../../lib/foldCase.ts"
import { type Violation, warning } from "../finding.ts"
import type { Path } from "../location.ts"

export const unknownVariable = warning({
  id: "unknown-variable",
  description: "Every {{name}} in a text is the exact name of a variable.",
  remedy: "Correct the name, upper and lower case and spaces included, or add the variable.",
  check({ flow, texts }) {
    const names = new Set(flow.variables.map(({ name }) => name.normalize()))
    const alike = new Map(flow.variables.map(({ name }) => [folded(name), name]))
    const found: Violation[] = []
    for (const { path, tokens, isFilled } of texts) {
      if (!isFilled) continue
      for (const token of tokens) {
        if (names.has(token.normalize()) || workspaceName(token) !== undefined) continue
        const meant = alike.get(folded(token))
        const hint = meant === undefined ? "" : `; did you mean "${meant}"?`
        found.push({ path, message: `Variable "${token}" does not exist${hint}` })
      }
    }
    return found
  },
})

function folded(name: string): string {
  return foldCase(name.trim())
}

export const unknownVariableId = warning({
  id: "unknown-variable-id",
  description: "Every reference to a variable is the id of one.",
  remedy: "Select the variable again.",
  check({ flow, texts }) {
    const ids = new Set(flow.variables.map(({ id }) => id))
    const found: Violation[] = []
    for (const { path, text, entry } of texts) {
      if (!/[vV]ariableId$/.test(String(path.at(-1)))) continue
      if (text === "" || ids.has(text) || entry?.type.isUnknown) continue
      found.push({ path, message: `Variable with the id "${text}" does not exist` })
    }
    for (const [index, id] of (flow.settings.general?.toolVariableIds ?? []).entries()) {
      if (ids.has(id)) continue
      const path = ["settings", "general", "toolVariableIds", index]
      found.push({ path, message: `Variable with the id "${id}" does not exist` })
    }
    return found
  },
})

export const unusedVariable = warning({
  id: "unused-variable",
  description: "The flow reads or sets every variable.",
  remedy: "Delete the variable, unless chats are started with it or a linked bot uses it.",
  check({ flow, texts, namedIds }) {
    const names = new Set<string>()
    for (const { path, text, tokens } of texts) {
      if (path[0] === "variables") continue
      for (const name of tokens) names.add(name)
      // A quick test that excludes most texts.
      if (text.includes("Variable(")) for (const name of setByCode(text)) names.add(name)
    }
    return flow.variables.flatMap(({ id, name }, index) =>
      // Any text equal to an id counts, which covers unknown block types too.
      namedIds.has(id) || names.has(name)
        ? []
        : [{ path: ["variables", index], message: `The variable "${name}" is not used` }],
    )
  },
})

/** Names of variables that scripts set by `setVariable("name", ...)`. */
export function setByCode(text: string): string[] {
  return [...text.matchAll(/setVariable\(\s*(["'`])([^"'`]{1,255})\1/g)].map(
    ([, , name]) => name ?? "",
  )
}

export const longText = warning({
  id: "long-text",
  description: "Names and texts are no longer than a bot may hold.",
  remedy: "Shorten it: an import cuts it, and a change of the bot that contains it is refused.",
  check: ({ flow }) => longTexts(flow),
})

/** Texts of a flow that are too long. */
export function longTexts(flow: Flow): Violation[] {
  return longTextsIn(flow).map(({ path, length, max }) => ({
    path,
    message: `This text has ${length} characters; at most ${max} are kept`,
  }))
}

export const duplicateVariable = warning({
  id: "duplicate-variable",
  description: "No two variables have the same name; {{name}} always means the first.",
  remedy: "Rename one of them, or use the first one everywhere and delete the other.",
  check({ flow }) {
    return repeated(flow.variables, ({ name }) => name).map(({ key, index }) => {
      const message = `An earlier variable is also called "${key}"`
      return { path: ["variables", index, "name"], message }
    })
  },
})

export const duplicateId = warning({
  id: "duplicate-id",
  description: "No two groups, blocks, edges, events or variables have the same id.",
  remedy: "Give one of them a new id, and change what refers to it.",
  check({ flow, blocks, edgePath }) {
    const inBlocks = repeated(blocks, ({ block }) => block.id)
    return [
      ...idsAgain(flow.groups, (index) => ["groups", index]),
      ...inBlocks.map(({ key, part }) => idAgain(key, part.path)),
      ...idsAgain(flow.edges, edgePath),
      ...idsAgain(flow.events ?? [], (index) => ["events", index]),
      ...idsAgain(flow.variables, (index) => ["variables", index]),
    ]
  },
})

function idsAgain(parts: readonly { id: string }[], pathOf: (index: number) => Path): Violation[] {
  return repeated(parts, ({ id }) => id).map(({ key, index }) => idAgain(key, pathOf(index)))
}

function idAgain(id: string, path: Path): Violation {
  return { path: [...path, "id"], message: `The id "${id}" is already in use` }
}

/** The parts with the key of an earlier one. */
function repeated<T>(parts: readonly T[], keyOf: (part: T) => string) {
  const seen = new Set<string>()
  return parts.flatMap((part, index) => {
    const key = keyOf(part)
    if (seen.has(key)) return [{ part, index, key }]
    seen.add(key)
    return []
  })
}
