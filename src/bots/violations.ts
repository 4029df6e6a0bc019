/** Turns violated database constraints into refusals for callers. */
import { violatedConstraint } from "../db/connection/databaseFailures.ts"
import { AppError, notFound } from "../lib/errors.ts"

/** The 409 for a public id that another bot has, or that is the id of another bot. */
export function publicIdTaken(publicId: string): AppError {
  const words = "This public id is taken: choose another"
  return new AppError("PUBLIC_ID_TAKEN", words, { data: { publicId } })
}

function domainTaken(customDomain: string): AppError {
  const words = "Another bot of the workspace has this domain and path"
  return new AppError("DOMAIN_TAKEN", words, { data: { customDomain } })
}

/** The addresses of a bot as they are written. */
type Addresses = { publicId?: string | null; customDomain?: string | null }

const refusals: Readonly<Record<string, (written: Addresses) => AppError>> = {
  bots_public_id_key: ({ publicId }) => publicIdTaken(publicId ?? ""),
  bots_custom_domain_key: ({ customDomain }) => domainTaken(customDomain ?? ""),
  bots_folder_id_fkey: () => new AppError("FOLDER_UNKNOWN", "Folder not found"),
  bots_workspace_id_fkey: () => notFound("Workspace"),
}

/** Awaits a write of a bot; a violated constraint becomes its refusal. */
export async function refuseViolations<Result>(
  write: Promise<Result>,
  written: Addresses,
): Promise<Result> {
  return await write.catch((error: unknown) => {
    const refusal = refusals[violatedConstraint(error) ?? ""]
    throw refusal === undefined ? error : refusal(written)
  })
}
