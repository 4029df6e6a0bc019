/** Moves secrets of a draft into credentials of its workspace, in one change. */

import {
  type Extraction,
  type PlannedCredential,
  withCredential,
} from "../authoring/secrets/planExtraction.ts"
import type { BotFacts } from "../db/bots/bots.ts"
import { findWholeBot } from "../db/bots/withLockedBot.ts"
import type { Source } from "../db/connection/openDatabase.ts"
import { countCredentials, insertCredential, maxCredentials } from "../db/people/credentials.ts"
import type { Cipher } from "../effects/credentials/cipher.ts"
import { extractionOf } from "../effects/credentials/extractionOf.ts"
import { maxEdits } from "../engine/edit/applyEdits.ts"
import type { Edit } from "../engine/edit/editSchema.ts"
import { AppError, tooLarge } from "../lib/errors.ts"
import { newId } from "../lib/ids.ts"
import { changeDraft, type Editing } from "./edits/editDraft.ts"
import { flowOfDraft } from "./storedFlow.ts"

/** A credential that was created, or that a dry run would create, without its secret. */
export type ExtractedCredential = { credential: PlannedCredential; credentialsId?: string }

type Extracted = { credentials: ExtractedCredential[]; skipped: Extraction["skipped"] }

/** Plans again on the locked draft; the credentials and the edit are stored together, or neither is. */
export async function extractCredentials(
  deps: Editing & { cipher: Cipher },
  facts: BotFacts,
  request: { authorId: string; revision: number | undefined },
): Promise<Extracted & { revision: number }> {
  let extracted: Extracted = { credentials: [], skipped: [] }
  const { revision, ...author } = request
  const changed = await changeDraft(deps, facts, {
    ...author,
    locksWorkspace: true,
    ...(revision !== undefined && { revision }),
    plan: async (locked, { id }) => {
      const { credentials, skipped } = extractionOf(flowOfDraft(await findWholeBot(locked, id)))
      const created = credentials.map((credential) => ({ credential, credentialsId: newId() }))
      const edits = created.flatMap(editsFor)
      if (edits.length > maxEdits) throw tooLarge("Too many blocks have secrets", maxEdits, "parts")
      await store(locked, deps.cipher, { workspaceId: facts.workspaceId, created })
      extracted = { credentials: created, skipped }
      return { kind: "edit", target: null, edits }
    },
  })
  return { ...extracted, revision: changed.revision }
}

type Created = Required<ExtractedCredential>

function editsFor({ credential, credentialsId }: Created): Edit[] {
  return credential.secrets.map(({ entry, ...place }) => ({
    type: "block.put",
    groupId: entry.group.id,
    block: withCredential(entry.block, credentialsId, place),
  }))
}

async function store(
  locked: Source,
  cipher: Cipher,
  { workspaceId, created }: { workspaceId: string; created: Created[] },
): Promise<void> {
  const count = await countCredentials(locked, { workspaceId })
  if (count + created.length > maxCredentials) throw credentialLimit()
  for (const { credential, credentialsId: id } of created) {
    const { name, allowedHosts, auth } = credential
    const about = { id, workspaceId, type: "http", name: name.slice(0, 255), allowedHosts }
    await insertCredential(locked, { ...about, ...cipher.seal(id, { auth }) })
  }
}

/** The refusal of a workspace or an account that has all the credentials that it may have. */
export function credentialLimit(): AppError {
  const words = `There are at most ${maxCredentials} credentials: delete some first`
  return new AppError("CREDENTIAL_LIMIT_REACHED", words, { data: { limit: maxCredentials } })
}
