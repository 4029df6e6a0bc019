/** Turns violated database constraints into refusals for callers. */
import { violatedConstraint } from "../db/connection/databaseFailures.ts"
import { AppError, notFound } from "../lib/errors.ts"

/** The 409 for a public id that another bot has, or that is the id of another bot. */
export function publicIdTaken(): AppError {
  return new AppError("PUBLIC_ID_TAKEN", "This public id is taken: choose another")
}

const refusals: Readonly<Record<string, () => AppError>> = {
  bots_public_id_key: publicIdTaken,
  bots_custom_domain_key: () => new AppError("DOMAIN_TAKEN", "Domain + pathname already in use"),
  bots_folder_id_fkey: () => new AppError("FOLDER_UNKNOWN", "Folder not found"),
  bots_workspace_id_fkey: () => notFound("Workspace"),
}

/** Awaits a write of a bot; a violated constraint becomes its refusal. */
export async function refuseViolations<Result>(write: Promise<Result>): Promise<Result> {
  return await write.catch((error: unknown) => {
    const refusal = refusals[violatedConstraint(error) ?? ""]
    throw refusal === undefined ? error : refusal()
  })
}
