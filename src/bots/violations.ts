/** Turns broken rules of the database into refusals that callers understand. */
import { violatedConstraint } from "../db/connection/failures.ts"
import { AppError, notFound } from "../errors.ts"

const refusals: Readonly<Record<string, () => AppError>> = {
  bots_public_id_key: () =>
    new AppError("PUBLIC_ID_TAKEN", "This public id is taken: choose another"),
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
