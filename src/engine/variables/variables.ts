/** The variables of a running chat: definitions of the bot with their current values. */

import { firstBy } from "../../lib/groupBy.ts"
import { memoize } from "../../lib/memoize.ts"
import { type Fuel, spend, textUnits } from "../budget/fuel.ts"
import type { Assignment } from "../calls.ts"
import type { Variable, VariableValue } from "../schema/variable.ts"
import type { Variables } from "./interpolate.ts"
import {
  type WorkspaceVariable,
  type WorkspaceVariables,
  workspaceName,
} from "./workspaceVariables.ts"

/** A set value with the id of its variable; 1: visitor input. */
export type StoredValue = [variableId: string, value: VariableValue, isPlain?: 1]

/** Variables that can be written. */
export type VariableStore = Variables & {
  /**
   * Normalises and stores values; unknown ids are ignored and of several values for one variable the first
   * wins. Returns the stored, normalised values.
   */
  set(assignments: readonly Assignment[]): Assignment[]
  /** Every set value, the last changed one last: input for `createVariables`. */
  entries(): StoredValue[]
  /** Adds a variable of another bot with its value; an existing id is not changed. */
  adopt(variable: Variable, isPlain: boolean): void
}

/** The form in which any value is stored: text, a list of texts, or null; `""` becomes null. */
export function normalizeValue(value: unknown): VariableValue {
  return Array.isArray(value) ? value.map(normalizeElement) : normalizeElement(value)
}

/** The initial values of the definitions, in order. */
export function initialValues(definitions: readonly Variable[]): Index["initial"] {
  return indexOf(definitions).initial
}

/**
 * Creates the variables of a bot. Only `values` count, not the definitions' own (see `initialValues`), because
 * a linked bot starts without its defaults. Reading and writing whole values is charged to `fuel`. `workspace`:
 * its variables, which a bot reads by name alone; absent: none.
 */
export function createVariables(
  definitions: readonly Variable[],
  values: readonly Readonly<StoredValue>[],
  fuel: Fuel,
  workspace?: WorkspaceVariables,
): VariableStore {
  const index = indexOf(definitions)
  const adopted = new Map<string, Variable>()
  const adoptedByName = new Map<string, Variable>()
  const present = new Map<string, VariableValue>()
  const plain = new Set<string>()
  const definitionOf = (id = "") => index.byId.get(id) ?? adopted.get(id)
  let entries: StoredValue[] | undefined
  const withValue = (definition: Variable | undefined): Variable | undefined => {
    const value = definition && present.get(definition.id)
    if (!definition || value === undefined) return definition
    const { id, name, isSessionVariable } = definition
    return isSessionVariable === undefined
      ? { id, name, value }
      : { id, name, isSessionVariable, value }
  }
  const write = (id: string, value: VariableValue, isPlain: boolean) => {
    entries = undefined
    present.delete(id)
    plain.delete(id)
    if (value === null) return
    present.set(id, value)
    if (isPlain) plain.add(id)
  }
  spend(fuel, values.length)
  for (const [id, value, mark] of values) if (definitionOf(id)) write(id, value, mark === 1)
  const namedAs = (form: keyof WorkspaceVariable) => (name: string) =>
    withValue(
      index.byName.get(name) ?? adoptedByName.get(name) ?? index.byName.get(name.normalize()),
    ) ?? ofWorkspace(workspace, name, form)
  const store: VariableStore = {
    value: (id = "") => present.get(id),
    isPlain: (id = "") => plain.has(id),
    definition: (id) => withValue(definitionOf(id)),
    named: namedAs("shown"),
    forCalls: () => (workspace ? { ...store, named: namedAs("sent") } : store),
    list: () => {
      spend(fuel, index.byId.size + adopted.size)
      const unset = [...index.byId.keys(), ...adopted.keys()].filter((id) => !present.has(id))
      return [...unset, ...present.keys()].flatMap((id) => withValue(definitionOf(id)) ?? [])
    },
    entries: () => {
      entries ??= plain.size === 0 ? [...present] : marked(present, plain)
      return entries
    },
    adopt: (variable, isPlain) => {
      if (definitionOf(variable.id)) return
      const { value, ...definition } = variable
      adopted.set(variable.id, definition)
      if (!adoptedByName.has(variable.name)) adoptedByName.set(variable.name, definition)
      const normal = normalizeValue(value)
      spend(fuel, unitsOf(normal))
      write(variable.id, normal, isPlain)
    },
    set: (assignments) => {
      const stored: Assignment[] = []
      // A single value, the usual case, cannot be a duplicate.
      const seen = assignments.length > 1 ? new Set<string>() : undefined
      for (const { variableId, value, isPlain } of assignments) {
        if (seen?.has(variableId) || !definitionOf(variableId)) continue
        const normal = normalizeValue(value)
        spend(fuel, unitsOf(normal))
        seen?.add(variableId)
        stored.push({ variableId, value: normal })
        write(variableId, normal, isPlain === true)
      }
      return stored
    },
  }
  return store
}

/** A variable of the workspace; its name is its id, too. */
function ofWorkspace(
  workspace: WorkspaceVariables | undefined,
  token: string,
  form: keyof WorkspaceVariable,
): Variable | undefined {
  const name = workspaceName(token)
  const known = name === undefined ? undefined : workspace?.get(name)
  return known && { id: token, name: token, value: known[form] }
}

/** Definitions without their values, and these values in stored form. */
type Index = {
  byId: ReadonlyMap<string, Variable>
  byName: ReadonlyMap<string, Variable>
  initial: readonly (readonly [string, VariableValue])[]
}

// Definitions belong to an immutable version of a bot that serves many chats.
const indexOf = memoize((definitions: readonly Variable[]): Index => {
  const initial: [string, VariableValue][] = []
  const bare = definitions.map(({ value, ...definition }): Variable => {
    const normal = normalizeValue(value)
    if (normal !== null) initial.push([definition.id, normal])
    return definition
  })
  const byId = firstBy(bare, ({ id }) => id)
  // The composed name last: a page or an author may write an accent as a separate character.
  const byName = new Map([
    ...firstBy(bare, ({ name }) => name.normalize()),
    ...firstBy(bare, ({ name }) => name),
  ])
  return { byId, byName, initial }
})

function marked(
  present: ReadonlyMap<string, VariableValue>,
  plain: ReadonlySet<string>,
): StoredValue[] {
  return Array.from(present, ([id, value]) => (plain.has(id) ? [id, value, 1] : [id, value]))
}

/** The cost of keeping a value: a list is copied element by element. */
function unitsOf(value: VariableValue): number {
  if (!Array.isArray(value)) return textUnits(value?.length ?? 0)
  return value.reduce((units, element) => units + textUnits(element?.length ?? 0), 1)
}

function normalizeElement(value: unknown): string | null {
  const text = typeof value === "string" ? value : asJson(value)
  return text ? storable(text) || null : null
}

function asJson(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}

// Postgres stores neither NUL nor unpaired surrogates. Everything else stays as sent: escaping belongs where
// a value goes into JSON, code, Markdown or HTML.
function storable(text: string): string {
  return text.toWellFormed().replaceAll("\0", "")
}

/** The id of a linked bot's variable in its parent: its own, unless taken. */
export function freeId({ definition }: Variables, variableId: string, botId: string): string {
  return definition(variableId) ? idApart(variableId, botId) : variableId
}

/** The id of a linked bot's variable where its own is taken: a bot and its copy share their ids. */
export function idApart(variableId: string, botId: string): string {
  return `${variableId}@${botId}`
}

/** A value as a list: a text is its only element, no value an empty list. */
export function asList(value: VariableValue | undefined): readonly (string | null)[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : [value]
}

/**
 * Addresses of files in a variable: a list unchanged, a text split at `, `; empty without a variable or
 * value.
 */
export function fileAddresses(variableId: string | undefined, variables: Variables): string[] {
  const value = variables.value(variableId)
  const addresses = typeof value === "string" ? value.split(", ") : (value ?? [])
  return addresses.filter((address): address is string => Boolean(address))
}
