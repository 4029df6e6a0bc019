/** The columns of a draft that hold its flow. */
import type { VersionPayload } from "./versionTables.ts"

/** Members of a flow, as a rule the largest last: pg copies its buffer when the next value does not fit. */
export const flowMembers = [
  "events",
  "theme",
  "settings",
  "variables",
  "edges",
  "groups",
] as const satisfies (keyof VersionPayload)[]

export type PartOfFlow = { [member in keyof VersionPayload]?: VersionPayload[member] | undefined }

/** The members of a flow as columns to write, in JSON; undefined ones are left out. */
export function flowColumns(flow: PartOfFlow): { [member in keyof VersionPayload]?: string } {
  const given = flowMembers.filter((member) => flow[member] !== undefined)
  return Object.fromEntries(given.map((member) => [member, JSON.stringify(flow[member])]))
}
