/** The columns of a draft that hold its flow. */
import type { VersionPayload } from "./versionTables.ts"

/** Members of a flow, mostly the largest last: pg copies what it wrote when more does not fit behind. */
export const flowMembers = [
  "events",
  "theme",
  "settings",
  "variables",
  "edges",
  "groups",
] as const satisfies (keyof VersionPayload)[]

/** Some members of a flow. */
export type PartOfFlow = { [member in keyof VersionPayload]?: VersionPayload[member] | undefined }

/** The members of a flow as columns to write: JSON; what is undefined stays out. */
export function flowColumns(flow: PartOfFlow): { [member in keyof VersionPayload]?: string } {
  const given = flowMembers.filter((member) => flow[member] !== undefined)
  return Object.fromEntries(given.map((member) => [member, JSON.stringify(flow[member])]))
}
