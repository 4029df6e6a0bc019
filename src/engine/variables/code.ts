/** Prepares an author's JavaScript for the sandbox or the client. */

import { type Fuel, readingUnits, spend, textUnits } from "../budget/fuel.ts"
import type { Assignment, Script, ScriptValue } from "../calls.ts"
import type { Variable, VariableValue } from "../schema/variable.ts"
import { identifierOf } from "./identifier.ts"
import { interpolate, type Scope, tokensIn, type Variables } from "./interpolate.ts"
import { forCalls } from "./workspaceVariables.ts"

/** A script for the client: variables by their ids, the names of its arguments. */
type ClientScript = { content: string; args: { id: string; value?: ScriptValue }[] }

/** The script for the client, with the current values of the variables that it mentions. */
export function clientScript(content: string, scope: Scope): ClientScript {
  return {
    content: interpolate(content, scope, "id"),
    args: mentioned(content, scope).map(({ id, value }) => {
      const guessed = guessType(value)
      return guessed === undefined
        ? { id: identifierOf(id) }
        : { id: identifierOf(id), value: guessed }
    }),
  }
}

/**
 * The script for the sandbox, with the variables that it mentions as globals. It may make requests, so secrets
 * of the workspace are marks in it.
 */
export function serverScript(code: string, scope: Scope): Script {
  const sent = forCalls(scope)
  const body = interpolate(code, sent, "id")
  return { ...scriptWith(body, mentioned(code, sent)), mode: "program" }
}

/** The script of one inline expression; it may use every variable under its id. */
export function inlineScript(source: string, variables: Variables, fuel: Fuel): Script {
  const scope: Scope = { variables, fuel, inline: () => undefined }
  const code = withReturn(interpolate(source, scope, "id"))
  // Only variables whose id occurs can be used, and large lists are expensive to pass.
  const known = variables.list()
  spend(fuel, 2 * known.length * textUnits(code.length))
  const used = known.filter(({ id }) => code.includes(identifierOf(id)))
  const listed = new Set(used.map(({ id }) => id))
  // Those of the workspace are in no list.
  if (source.includes("{{$"))
    used.push(...mentioned(source, scope).filter(({ id }) => !listed.has(id)))
  return { ...scriptWith(code, used), mode: "expression" }
}

/** Code in id form, with the current values of these variables as globals. */
function scriptWith(body: string, variables: readonly Variable[]) {
  const globals: Script["globals"] = {}
  const unset: string[] = []
  for (const { id, value } of variables) {
    const guessed = guessType(value)
    if (guessed === undefined) unset.push(identifierOf(id))
    else globals[identifierOf(id)] = guessed
  }
  // JSON has no undefined, and an unset variable must be declared.
  return { code: unset.length === 0 ? body : `var ${unset.join(", ")}; ${body}`, globals }
}

/** The code as the body of a function that returns: an expression gets its `return`. */
export function withReturn(code: string): string {
  // Untrimmed, a line break after `return` would end the statement.
  return code.includes("return ") ? code : `return ${code.trimStart()}`
}

/** The assignments that `setVariable` calls of code make by name; unknown names are ignored. */
export function namedAssignments(
  assigned: Readonly<Record<string, unknown>> | undefined,
  scope: Scope,
): Assignment[] {
  return Object.entries(assigned ?? {}).flatMap(([name, value]) => {
    const variable = scope.variables.named(name)
    return variable ? [{ variableId: variable.id, value }] : []
  })
}

function mentioned(code: string, scope: Scope): Variable[] {
  return tokensIn(code).flatMap((name) => {
    const variable = scope.variables.named(name)
    if (!variable) return []
    // The type of a value is guessed by reading it.
    spend(scope.fuel, readingUnits(variable.value?.length ?? 0))
    return variable
  })
}

/** Texts that stand for another value. */
export const literalWords: ReadonlyMap<string, ScriptValue> = new Map([
  ["true", true],
  ["false", false],
  ["null", null],
  ["undefined", undefined],
])

/**
 * Reads numbers and booleans, but keeps zip codes (`01234`), phone numbers (`+33...`) and unsafe integers as
 * text. A list stays a list of texts; an unset variable is undefined.
 */
export function guessType(stored: VariableValue | undefined): ScriptValue {
  if (stored === undefined || stored === null) return undefined
  if (typeof stored !== "string") return stored
  if (literalWords.has(stored)) return literalWords.get(stored)
  if (stored.startsWith("+")) return stored
  if (stored.startsWith("0") && stored.length > 1 && !stored.startsWith("0.")) return stored
  const number = Number(stored)
  // Ids may have more digits than a number holds.
  if (/^-?\d+$/.test(stored) && !Number.isSafeInteger(number)) return stored
  // Infinity has no JSON form, so a client would receive null for it.
  return stored !== "" && Number.isFinite(number) ? number : stored
}
