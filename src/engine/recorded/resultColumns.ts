/** The columns of a table of results: facts of the result, one per input, one per variable. */

import { cut } from "../../lib/cut.ts"
import { pick } from "../../lib/foreignJson.ts"
import type { Bot } from "../bot.ts"
import type { ResultsTablePreferences } from "../schema/resultsTablePreferences.ts"
import type { Variable, VariableValue } from "../schema/variable.ts"
import { idApart } from "../variables/variables.ts"
import { type InputName, inputsInOrder } from "./inputs.ts"

/** A column. Preferences name it by its id. */
export type Column = {
  id: string
  /** Unique among the columns of a table. */
  title: string
  kind: "fact" | "input" | "variable"
  /** Id of the variable that takes the answers of an input; absent: none. */
  variableId?: string | undefined
}

/** The members of a result that a table shows. */
export type ResultInTable = {
  id: string
  createdAt: string
  isCompleted: boolean
  versionNumber?: number | undefined
  /** These two only for completed results. */
  endedAt?: string | undefined
  durationSeconds?: number | undefined
  answers: readonly {
    blockId: string
    content: string
    attachedFileUrls?: readonly string[] | undefined
  }[]
  variables: readonly Variable[]
}

/** Titles by the member of a result. */
const facts = {
  id: "id",
  createdAt: "created",
  isCompleted: "completed",
  versionNumber: "version",
}

/** These come last, because programs find the older columns by position or by title. */
const laterFacts = { endedAt: "ended", durationSeconds: "seconds" }

/** Collects the columns of several flows one by one, so that none must stay in memory. */
export function collectColumns() {
  const inputs = new Map<string, Omit<Column, "id" | "kind">>()
  const variables = new Map<string, string>()
  /** The bot that owns the variable with that id. */
  const owners = new Map<string, string>()
  return {
    /**
     * Appends new inputs and variables. Linked bots, whose values flow into variables of the same name, only
     * add new names, under the ids used in their parents' results.
     */
    add(bot: Bot, { isLinked = false } = {}) {
      for (const { blockId, variableId, ...name } of inputsInOrder(bot)) {
        if (inputs.has(blockId)) continue
        // The variables of linked bots may have other ids here.
        inputs.set(blockId, { title: titleOf(name, blockId), ...(!isLinked && { variableId }) })
      }
      const known = isLinked ? new Set(variables.values()) : undefined
      for (const { id, name, isSessionVariable } of bot.flow.variables) {
        const owner = owners.get(id) ?? bot.id
        const key = owner === bot.id ? id : idApart(id, bot.id)
        if (isSessionVariable || variables.has(key) || known?.has(cut(name))) continue
        owners.set(id, owner)
        variables.set(key, cut(name))
      }
    },
    /** The columns, ordered and filtered by the preferences. */
    arranged(preferences: ResultsTablePreferences | null) {
      const columns: Column[] = [
        ...columnsOf("fact", Object.entries(facts)),
        ...[...inputs].map(([id, input]) => ({ id, kind: "input" as const, ...input })),
        ...columnsOf("variable", variables),
        ...columnsOf("fact", Object.entries(laterFacts)),
      ]
      return preferences ? arrange(numbered(columns), preferences) : numbered(columns)
    },
  }
}

function columnsOf(kind: Column["kind"], named: Iterable<[string, string]>): Column[] {
  return [...named].map(([id, title]) => ({ id, title, kind }))
}

function titleOf({ groupTitle, variableName }: InputName, blockId: string): string {
  const words = [groupTitle.trim(), variableName?.trim()].filter(Boolean)
  return words.length > 0 ? words.join(": ") : blockId
}

/** Numbers titles that occur more than once. */
function numbered(columns: readonly Column[]): Column[] {
  const taken = new Set<string>()
  const counts = new Map<string, number>()
  return columns.map((column) => {
    let title = column.title
    while (taken.has(title)) {
      const count = (counts.get(column.title) ?? 1) + 1
      counts.set(column.title, count)
      title = `${column.title} (${count})`
    }
    taken.add(title)
    return { ...column, title }
  })
}

/** Puts the columns that the order names first. */
function arrange(
  columns: readonly Column[],
  { columnsOrder, columnsVisibility }: ResultsTablePreferences,
): Column[] {
  const places = new Map(columnsOrder.map((id, place) => [id, place]))
  const placeOf = ({ id }: Column) => places.get(id) ?? columnsOrder.length
  return columns
    .filter(({ id }) => !Object.hasOwn(columnsVisibility, id) || columnsVisibility[id] !== false)
    .toSorted((a, b) => placeOf(a) - placeOf(b))
}

/** The cells of a result, one for each column. */
export function cellsOf(result: ResultInTable, columns: readonly Column[]): string[] {
  const answers = new Map<string, string[]>()
  for (const { blockId, content, attachedFileUrls = [] } of result.answers) {
    const texts = answers.get(blockId) ?? []
    texts.push(...attachedFileUrls, content)
    answers.set(blockId, texts)
  }
  const variables = new Map(result.variables.map(({ id, value }) => [id, value]))
  return columns.map(({ id, kind }) => {
    if (kind === "input") return answers.get(id)?.filter(Boolean).join(", ") ?? ""
    if (kind === "variable") return textOf(variables.get(id))
    return factOf(result, id)
  })
}

function textOf(value: VariableValue | undefined): string {
  return Array.isArray(value) ? value.map((element) => element ?? "").join(", ") : (value ?? "")
}

function factOf(result: ResultInTable, id: string): string {
  if (id === "isCompleted") return result.isCompleted ? "yes" : "no"
  return String(pick(result, id) ?? "")
}
