/** Finds the bot and the workspace that a command is about. */
import type { ParleyClient } from "../client.ts"

/** The id of a bot that was named by its id or its public id. */
export async function botIdOf(client: ParleyClient, named: string): Promise<string> {
  const { workspaces } = await client.workspace.list.query()
  for (const { id: workspaceId } of workspaces) {
    const { bots } = await client.bot.list.query({ workspaceId })
    const found = bots.find(({ id, publicId }) => id === named || publicId === named)
    if (found) return found.id
  }
  // A bot that is only shared is in no list.
  return named
}

/** The id of a workspace that was named by its id or name, or of the only one there is. */
export async function workspaceIdOf(
  client: ParleyClient,
  named: string | undefined,
): Promise<string> {
  const { workspaces } = await client.workspace.list.query()
  const fitting = workspaces.filter(
    ({ id, name }) => named === undefined || id === named || name === named,
  )
  const [only, ...others] = fitting
  if (only && others.length === 0) return only.id
  const names = workspaces.map(({ id, name }) => `\n- ${id} ${name}`).join("")
  throw new Error(`Name one of these workspaces by --workspace:${names}`)
}
