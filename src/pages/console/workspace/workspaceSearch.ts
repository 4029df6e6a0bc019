/** Which part of a workspace is shown, as the address has it. */

export const parts = [
  "general",
  "members",
  "credentials",
  "variables",
  "webhooks",
  "files",
  "audit",
  "usage",
] as const

export type WorkspacePart = (typeof parts)[number]

export function readWorkspaceSearch({ part }: Record<string, unknown>): { part?: WorkspacePart } {
  const known = parts.find((each) => each === part)
  return known ? { part: known } : {}
}
