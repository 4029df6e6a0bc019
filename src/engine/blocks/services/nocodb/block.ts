/** NocoDB: searches, creates and updates records of a table. */

import { spend } from "../../../budget/fuel.ts"
import type { Outcome } from "../../../calls.ts"
import type { Log } from "../../../schema/log.ts"
import { readApiAnswer } from "../../apiAnswer.ts"
import type { Action, Step } from "../../block.ts"
import { pick, pickList, pickText } from "../../json.ts"
import { filledPairs } from "../../keyValues.ts"
import { choose } from "../../tableFilter.ts"
import {
  actWithCredential,
  needsAccount,
  refusal,
  type ServiceActions,
  type Visit,
} from "../service.ts"
import { isFilter, matching } from "./filter.ts"
import * as records from "./records.ts"
import { type NocodbBlock, type NocodbOptions, nocodbBlockSchema } from "./schema.ts"

type NocodbStep = Step<"http">

/** To read a field of a record, or to write one. */
const cellUnits = 10

const activity = "While using NocoDB"
const noRecords: Log = { status: "info", description: "No record of the table matches" }

const begin: ServiceActions<NocodbOptions, "http"> = {
  "Search Records": (visit) =>
    visit.options.tableId ? { next: { call: records.searchCall(visit, null) } } : noTable(),
  "Create Record": (visit) => {
    if (!visit.options.tableId) return noTable()
    if (filledPairs(visit.options.fields).length === 0) return refusal("No fields are given")
    return { next: { call: records.columnsCall(visit, { step: "columns" }) } }
  },
  "Update Existing Record": (visit) => {
    const { tableId, filter, updates } = visit.options
    if (!tableId) return noTable()
    // Without one, every record of the table would be overwritten.
    if (!isFilter(filter)) return refusal("No filter is given")
    if (!updates?.some(({ fieldName }) => fieldName)) return refusal("No updates are given")
    return { next: { call: records.searchCall(visit, { step: "found" }) } }
  },
}

export const nocodbBlock: Action<NocodbBlock, "http"> = {
  kind: "action",
  schema: nocodbBlockSchema,
  needsCredentials: needsAccount,
  run: (block, context) => actWithCredential(block, context, begin),
  resume: {
    http: (block, outcome, context) =>
      actWithCredential<NocodbOptions, "http">(block, context, {
        "Search Records": (visit) => found(visit, outcome),
        "Create Record": (visit) => created(visit, outcome),
        "Update Existing Record": (visit) => updated(visit, outcome),
      }),
  },
}

const noTable = () => refusal("No table is given")

function found({ options, context }: Visit<NocodbOptions>, outcome: Outcome<"http">): Step {
  const answer = readApiAnswer(outcome, activity)
  if ("log" in answer) return { log: [answer.log] }
  const all = matching(pickList(answer.data, "list"), options.filter, context.fuel)
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

function updated(visit: Visit<NocodbOptions>, outcome: Outcome<"http">): NocodbStep {
  const answer = readApiAnswer(outcome, activity)
  if ("log" in answer) return { log: [answer.log] }
  if (pick(visit.context.carry, "step") !== "found") return {}
  const { filter, updates = [] } = visit.options
  const fields = Object.fromEntries(
    updates.flatMap(({ fieldName, value }) => (fieldName ? [[fieldName, value ?? null]] : [])),
  )
  const { fuel } = visit.context
  const changes = matching(pickList(answer.data, "list"), filter, fuel).flatMap((record) => {
    spend(fuel, cellUnits * (1 + updates.length))
    const Id = pick(record, "Id") ?? pick(record, "id")
    return Id === undefined ? [] : [{ Id, ...fields }]
  })
  if (changes.length === 0) return { log: [noRecords] }
  return { next: { call: records.updateCall(visit, changes, { step: "updated" }) } }
}

/** Columns first, because relations cannot be written with the record; then it, then its links. */
function created(visit: Visit<NocodbOptions>, outcome: Outcome<"http">): NocodbStep {
  const answer = readApiAnswer(outcome, activity)
  const { carry } = visit.context
  if (pick(carry, "step") === "columns") {
    // Tokens without access to the columns can still write plain fields.
    return create(visit, "log" in answer ? [] : pickList(answer.data, "columns"))
  }
  if ("log" in answer) return { log: [answer.log] }
  const known = pick(carry, "recordId") ?? pick(answer.data, "Id") ?? pick(answer.data, "id")
  const [link, ...links] = linksIn(pickList(carry, "links"))
  if (!link || known === undefined) return {}
  const recordId = String(known)
  const next = { step: "link", recordId, links }
  return { next: { call: records.linkCall(visit, { recordId, link }, next) } }
}

function create(visit: Visit<NocodbOptions>, columns: unknown[]): NocodbStep {
  const relations = new Map(
    columns
      .filter((column) => relationTypes.has(pickText(column, "uidt") ?? ""))
      .map((column) => [pickText(column, "title"), pickText(column, "id")]),
  )
  const links: records.Link[] = []
  const plain: [string, string][] = []
  for (const [name, value] of filledPairs(visit.options.fields)) {
    const columnId = relations.get(name)
    const ids = value.split(",").map((id) => id.trim())
    if (columnId) links.push({ columnId, ids: ids.filter(Boolean) })
    else plain.push([name, value])
  }
  const carry = { step: "created", links }
  return { next: { call: records.createCall(visit, Object.fromEntries(plain), carry) } }
}

const relationTypes = new Set(["Links", "LinkToAnotherRecord"])

function linksIn(carried: unknown[]): records.Link[] {
  return carried.flatMap((link) => {
    const columnId = pickText(link, "columnId")
    return columnId ? [{ columnId, ids: pickList(link, "ids").map(String) }] : []
  })
}
