/** Users of Blink: reads them page by page and keeps parts of those that are meant. */
import type { Call, Outcome } from "../../../calls.ts"
import { readApiAnswer } from "../../apiAnswer.ts"
import type { Step } from "../../block.ts"
import { pick, pickList } from "../../json.ts"
import { bearer, request } from "../api.ts"
import { mapItems, type Visit } from "../service.ts"
import { type BlinkOptions, userItems } from "./schema.ts"

/** Pages read at most. */
const maxPages = 20

/** Asks for the first page. */
export function getUsers(visit: Visit<BlinkOptions>): Step<"http"> {
  return { next: { call: pageCall(visit, 1, []) } }
}

/** Goes on with the next page until somebody is found, or nobody is left. */
export function gotUsers(visit: Visit<BlinkOptions>, outcome: Outcome<"http">): Step<"http"> {
  const answer = readApiAnswer(outcome, "While reading users of Blink")
  if ("log" in answer) return { log: [answer.log] }
  const { carry } = visit.context
  const rows = pickList(answer.data, "data")
  const found = [...pickList(carry, "found"), ...rows.filter(filterOf(visit)).map(trimmed)]
  const page = Number(pick(carry, "page") ?? 1)
  const isDone = rows.length === 0 || page >= maxPages || (isFiltered(visit) && found.length > 0)
  return isDone ? keep(visit, found) : { next: { call: pageCall(visit, page + 1, found) } }
}

function pageCall(visit: Visit<BlinkOptions>, page: number, found: unknown[]): Call<"http"> {
  const made = {
    method: "GET",
    url: "https://api.joinblink.com/v2/user",
    query: [["page", String(page)]] satisfies [string, string][],
    headers: [bearer()],
  }
  return request(visit, made, { carry: { page, found } })
}

function keep({ options }: Visit<BlinkOptions>, found: unknown[]): Step {
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

const isFiltered = ({ options }: Visit<BlinkOptions>) => wantedId(options) !== undefined

function filterOf({ options }: Visit<BlinkOptions>): (user: unknown) => boolean {
  const wanted = wantedId(options)
  if (wanted === undefined) return () => true
  const member = options.filter?.type === "Employee ID" ? "employee_id" : "id"
  return (user) => pick(user, member) === wanted
}

function wantedId({ filter }: BlinkOptions): string | undefined {
  if (!filter?.type) return undefined
  return (filter.type === "Employee ID" ? filter.employeeId : filter.userId) ?? ""
}
