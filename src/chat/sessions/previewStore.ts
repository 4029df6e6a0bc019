/** Previews, which have tables of their own and are short-lived. */
import {
  claimPreviewStart,
  deletePreviewResponses,
  findKeyedPreview,
  findPreviewStart,
  insertKeyedPreview,
  releasePreviewStart,
  renewPreviewStart,
  type StartClaim,
  saveKeyedPreview,
} from "../../db/chats/previewResponses.ts"
import { saveAnsweredPreview } from "../../db/chats/previewStates.ts"
import {
  findPreviewSession,
  insertPreviewSession,
  isForeignPreview,
  type PreviewOwner,
  type PreviewSessionRow,
  savePreviewSession,
} from "../../db/chats/previews.ts"
import { deleteUploadTally } from "../../db/chats/uploads.ts"
import { deleteWebhookCalls } from "../../db/chats/webhookCalls.ts"
import { previewHash } from "../../effects/snapshots.ts"
import { AppError } from "../../lib/errors.ts"
import { standInResultId } from "../../lib/ids.ts"
import { type Party, strangerParty, userParty } from "../../lib/party.ts"
import type { Chat } from "../chat.ts"
import { type Claimable, claimant, unshared } from "./claim.ts"
import { isAnswering } from "./conclude.ts"
import { claimOf, claimsOf } from "./liveStore.ts"
import type { SessionStore, TurnToStore } from "./sessionStore.ts"

/** The store of a preview under way; an id that no preview can have finds none. */
export function createPreviewStore(chat: Chat, id: string): SessionStore {
  const { db } = chat
  return {
    claims: claimsOf(chat, { sessionId: id }),
    keepsEnded: true,
    async find(key) {
      if (!/^[\w-]{1,64}$/.test(id)) return { claim: "none" }
      const { session: row, response } =
        key === undefined
          ? { session: await findPreviewSession(db, id) }
          : await findKeyedPreview(db, { id, key })
      if (!row) return { response, claim: "none" }
      const owner = {
        party: previewParty(row),
        workspaceId: row.workspaceId ?? undefined,
        previewerId: row.ownerUserId ?? undefined,
        botId: row.botId ?? "preview",
        sessionId: id,
      }
      const { state, revision } = row
      return { session: { state, revision, owner }, response, claim: claimOf(chat, row) }
    },
    save({ loaded, turn, state, revision, keyed }) {
      if (isAnswering(loaded, turn)) return saveAnsweredPreview(db, { id, revision, state, keyed })
      if (keyed) return saveKeyedPreview(db, { id, revision, state, keyed })
      return savePreviewSession(db, { id, revision, state })
    },
  }
}

export type NewPreview = {
  id: string
  /** Whether a caller named it, so that it replaces an earlier one of the same name. */
  isNamed: boolean
  /** Id of the keyed start; absent: no other request starts the same preview. */
  keyId?: string | undefined
  /** By whom previews are bounded. */
  owner: PreviewOwner
}

/**
 * The store of a preview that begins. Its row may belong to an earlier one of the same name, so a
 * keyed start claims the start itself before it runs.
 */
export function createNewPreviewStore(chat: Chat, preview: NewPreview): SessionStore {
  const { db } = chat
  const { id: sessionId, keyId, isNamed } = preview
  const start = keyId === undefined ? undefined : { sessionId, keyId, ...claimant(chat) }
  return {
    claims: start ? claimsOfStart(chat, start) : unshared,
    keepsEnded: true,
    async find() {
      // Before any block runs.
      if (isNamed && (await isForeignPreview(db, preview))) throw foreignPreview()
      if (!start) return { claim: "none" }
      const isOurs = await claimPreviewStart(db, start)
      // After the claim: it may have been taken from a process that has stored the answer.
      const response = await findPreviewStart(db, start)
      return { response, claim: isOurs ? "ours" : "others" }
    },
    async save(turn) {
      if (isNamed) await deleteEarlier(chat, sessionId)
      const opening = openingOf(preview, turn)
      if (start && turn.keyed) return insertKeyedPreview(db, opening, { ...turn.keyed, ...start })
      if ((await insertPreviewSession(db, opening)) !== undefined) return true
      throw foreignPreview()
    },
  }
}

/** Counted for the caller who began it. */
function previewParty({ ownerUserId, owner }: PreviewSessionRow): Party {
  return ownerUserId === null ? strangerParty(owner ?? "") : userParty(ownerUserId)
}

function foreignPreview(): AppError {
  const message = "This session id belongs to a preview of another caller: choose another id"
  return new AppError("PREVIEW_ID_TAKEN", message)
}

/** The claim of a keyed start, which `find` has taken. */
function claimsOfStart({ db }: Chat, start: StartClaim): Claimable {
  return {
    claim: async (revision) => revision,
    renew: () => renewPreviewStart(db, start),
    release: () => releasePreviewStart(db, start),
  }
}

/** Deletes calls, responses and upload tallies of an earlier preview under this id. */
async function deleteEarlier({ db }: Chat, sessionId: string): Promise<void> {
  await deleteWebhookCalls(db, { resultId: standInResultId(sessionId), sessionId })
  await deletePreviewResponses(db, sessionId)
  await deleteUploadTally(db, sessionId)
}

function openingOf({ id, owner }: NewPreview, { loaded, state }: TurnToStore) {
  const { workspaceId = null, previewerId = null, botId } = loaded.owner
  return {
    id,
    // An anonymous caller may name a bot that does not exist.
    botId: previewerId === null ? null : botId,
    workspaceId,
    ownerUserId: previewerId,
    flowHash: previewHash(loaded.root.version),
    state,
    owner,
  }
}
