/** The parts of a workspace: which one is shown, as the address has it, and what each is given. */

export const parts = [
  "general",
  "members",
  "credentials",
  "variables",
  "webhooks",
  "files",
  "themes",
  "audit",
  "usage",
] as const

export type WorkspacePart = (typeof parts)[number]

export function readWorkspaceSearch({ part }: Record<string, unknown>): { part?: WorkspacePart } {
  const known = parts.find((each) => each === part)
  return known ? { part: known } : {}
}

export type PartProps = { workspaceId: string }
