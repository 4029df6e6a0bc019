/** Users of Blink: reads them page by page and keeps parts of the selected ones. */

import { pick, pickList } from "../../../foreignJson.ts"
import { bearer, request } from "../../api.ts"
import type { Step } from "../../block.ts"
import {
  type ActionContext,
  carried,
  mapItems,
  type Results,
  type ServiceAction,
  type ServiceStep,
} from "../service.ts"
import { type BlinkOptions, userItems } from "./schema.ts"

type BlinkAction = ActionContext<BlinkOptions>

/** The page that was asked for, and the users found before it. */
type Reading = { page: number; found: unknown[] }

/** Most pages that one search reads. */
const maxPages = 20

/** Reads page after page until the user is found or there are no more. */
export const getUsers: ServiceAction<BlinkOptions> = {
  activity: "While reading users of Blink",
  run: (action) => readPage(action, 1, []),
  resume: { http: goOn },
}

function goOn(action: BlinkAction, { data }: Results["http"]): ServiceStep {
  const { page, found: earlier } = carried<Reading>(action.context) ?? { page: 1, found: [] }
  const rows = pickList(data, "data")
  const found = [...earlier, ...rows.filter(filterOf(action)).map(trimmed)]
  const isFound = wantedId(action.options) !== undefined && found.length > 0
  const isDone = rows.length === 0 || page >= maxPages || isFound
  return isDone ? keep(action, found) : readPage(action, page + 1, found)
}

function readPage(action: BlinkAction, page: number, found: unknown[]): ServiceStep {
  const pageRequest = {
    method: "GET",
    url: "https://api.joinblink.com/v2/user",
    query: [["page", String(page)]] satisfies [string, string][],
    headers: [bearer()],
  }
  return request(action, pageRequest, { carry: { page, found } })
}

function keep({ options }: BlinkAction, found: unknown[]): Step {
  if (found.length === 0)
    return { log: [{ status: "info", description: "No user of Blink matches" }] }
  const values = Object.entries(userItems).map(([item, member]) => {
    const list = found.map((user) => pick(user, member) ?? null)
    return [item, list.length === 1 ? list[0] : list]
  })
  return { set: mapItems(options.responseMapping, "Emails", Object.fromEntries(values)) }
}

// Only what can be mapped is carried to the next page.
function trimmed(user: unknown): object {
  return Object.fromEntries(
    Object.values(userItems).map((member) => [member, pick(user, member) ?? null]),
  )
}

function filterOf({ options }: BlinkAction): (user: unknown) => boolean {
  const wanted = wantedId(options)
  if (wanted === undefined) return () => true
  const member = options.filter?.type === "Employee ID" ? "employee_id" : "id"
  return (user) => pick(user, member) === wanted
}

function wantedId({ filter }: BlinkOptions): string | undefined {
  if (!filter?.type) return undefined
  return (filter.type === "Employee ID" ? filter.employeeId : filter.userId) ?? ""
}
