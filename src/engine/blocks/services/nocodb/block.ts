/** NocoDB: searches, creates and updates records of a table. */

import { pick, pickList, pickText } from "../../../../lib/foreignJson.ts"
import { spend } from "../../../budget/fuel.ts"
import type { Log } from "../../../schema/log.ts"
import type { Step } from "../../block.ts"
import { filledPairs } from "../../keyValues.ts"
import { choose } from "../../tableFilter.ts"
import { carried, type Results, refusal, type ServiceStep, serviceBlock } from "../serviceBlock.ts"
import { isFilter } from "./filter.ts"
import type { NocodbAction } from "./recordRequests.ts"
import * as records from "./recordRequests.ts"
import { nocodbBlockSchema } from "./schema.ts"

/** The cost of reading or writing a field of a record. */
const cellUnits = 10

const activity = "While using NocoDB"
const noRecords: Log = { status: "info", description: "No record of the table matches" }

const noId: Log = {
  status: "error",
  description: "The records cannot be changed without an Id",
  context: activity,
}

export const nocodbBlock = serviceBlock(nocodbBlockSchema, {
  catalogue: {
    label: "NocoDB",
    description: "Searches, adds or changes records of a NocoDB table",
    category: "data",
    icon: "database",
  },
  actions: {
    "Search Records": {
      activity,
      run: (action) => (action.options.tableId ? records.search(action) : noTable()),
      resume: { http: found },
    },
    "Create Record": {
      activity,
      run: beginCreating,
      resume: { http: created },
      // Tokens without access to the columns can still write plain fields.
      recover: (action) =>
        pick(action.context.carry, "step") === "columns" ? create(action, []) : undefined,
    },
    "Update Existing Record": { activity, run: beginUpdating, resume: { http: updated } },
  },
})

const noTable = () => refusal("No table is given")

function found(action: NocodbAction, { data }: Results["http"]): ServiceStep {
  const { options, context } = action
  const all = records.readPage(action, data)
  if (!Array.isArray(all)) return all
  const chosen = choose(all, options.returnType, () => context.world.random())
  if (chosen.length === 0) return { log: [noRecords] }
  const step: Required<Pick<Step, "set" | "log">> = { set: [], log: [] }
  spend(context.fuel, cellUnits * chosen.length * (options.responseMapping?.length ?? 0))
  for (const { fieldName, variableId } of options.responseMapping ?? []) {
    if (!fieldName || !variableId) continue
    const values = chosen.map((record) => pick(record, fieldName))
    if (values.every((value) => value === undefined)) {
      const description = `The table has no field "${fieldName}"`
      step.log.push({ status: "error", description, context: activity })
    } else {
      step.set.push({ variableId, value: chosen.length === 1 ? values[0] : values })
    }
  }
  return step
}

function beginUpdating(action: NocodbAction): ServiceStep {
  const { tableId, filter, updates } = action.options
  if (!tableId) return noTable()
  // Without one, every record of the table would be overwritten.
  if (!isFilter(filter)) return refusal("No filter is given")
  if (!updates?.some(({ fieldName }) => fieldName)) return refusal("No updates are given")
  return records.search(action)
}

function updated(action: NocodbAction, { data }: Results["http"]): ServiceStep {
  const { fuel, carry } = action.context
  if (pick(carry, "step") === "updated") return {}
  const { updates = [] } = action.options
  const all = records.readPage(action, data)
  if (!Array.isArray(all)) return all
  const fields = Object.fromEntries(
    updates.flatMap(({ fieldName, value }) => (fieldName ? [[fieldName, value ?? null]] : [])),
  )
  const changes = all.flatMap((record) => {
    spend(fuel, cellUnits * (1 + updates.length))
    // Tables of other databases may spell it in lower case; requests use the table's spelling.
    const name = pick(record, "Id") === undefined ? "id" : "Id"
    const id = pick(record, name)
    return id === undefined ? [] : [{ [name]: id, ...fields }]
  })
  if (changes.length === 0) return { log: [all.length === 0 ? noRecords : noId] }
  return records.update(action, changes, { step: "updated" })
}

/** The last request, and the relations left to link. */
type Creation = { step: "columns" | "created" | "link"; recordId?: string; links?: records.Link[] }

/** Reads the columns first: relations cannot be written with the record, only linked afterwards. */
function beginCreating(action: NocodbAction): ServiceStep {
  if (!action.options.tableId) return noTable()
  if (filledPairs(action.options.fields).length === 0) return refusal("No fields are given")
  return records.readColumns(action, { step: "columns" })
}

function created(action: NocodbAction, { data }: Results["http"]): ServiceStep {
  const before = carried<Creation>(action.context)
  if (before?.step === "columns") return create(action, pickList(data, "columns"))
  const known = before?.recordId ?? pick(data, "Id") ?? pick(data, "id")
  const [link, ...links] = before?.links ?? []
  if (!link || known === undefined) return {}
  const recordId = String(known)
  return records.link(action, { recordId, ...link }, { step: "link", recordId, links })
}

function create(action: NocodbAction, columns: unknown[]): ServiceStep {
  const relations = new Map(
    columns
      .filter((column) => relationTypes.has(pickText(column, "uidt") ?? ""))
      .map((column) => [pickText(column, "title"), pickText(column, "id")]),
  )
  const links: records.Link[] = []
  const plain: [string, string][] = []
  for (const [name, value] of filledPairs(action.options.fields)) {
    const columnId = relations.get(name)
    const ids = value.split(",").map((id) => id.trim())
    if (columnId) links.push({ columnId, ids: ids.filter(Boolean) })
    else plain.push([name, value])
  }
  return records.create(action, Object.fromEntries(plain), { step: "created", links })
}

const relationTypes = new Set(["Links", "LinkToAnotherRecord"])
