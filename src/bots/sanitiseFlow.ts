/** Removes parts of a flow that its workspace may not have. */
import type { Db } from "../db/connection/openDatabase.ts"
import { listKnownCredentials } from "../db/people/credentials.ts"
import type { Flow } from "../engine/bot.ts"
import {
  credentialsIn,
  type Destination,
  sanitiseSettings,
  withKnownCredentials,
  withSessionFlags,
} from "./sanitise.ts"

/** The flow as the workspace and its plan allow it. */
export async function sanitiseFlow(
  db: Db,
  flow: Flow,
  { workspaceId, plan, isNew }: Destination & { workspaceId: string },
): Promise<Flow> {
  const ids = credentialsIn(flow.groups)
  const known = await listKnownCredentials(db, { workspaceId, ids })
  const groups = withKnownCredentials(flow.groups, known, plan)
  return {
    ...flow,
    groups,
    variables: withSessionFlags(flow.variables, groups),
    settings: sanitiseSettings(flow.settings, { plan, isNew }),
  }
}
