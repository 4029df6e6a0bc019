/** Lets the end user of a chat upload a file for the input that waits. */
import { lockSession } from "../../db/chats/sessions.ts"
import type { FileStore, Upload } from "../../effects/files/fileStore.ts"
import { extensionOfFile, servedAs } from "../../effects/files/servedAs.ts"
import type { UploadRules } from "../../engine/blocks/block.ts"
import { typeOf } from "../../engine/blocks/registry.ts"
import { currentOf } from "../../engine/session.ts"
import { AppError, fileTooLarge, forbidden, sessionNotFound } from "../../lib/errors.ts"
import { networkOf } from "../../lib/party.ts"
import type { Chat } from "../chat.ts"
import { fileOwnersOf, type Origin, requireSession } from "../sessions/loadSession.ts"
import type { LoadedSession } from "../sessions/sessionStore.ts"
import { countUpload, type UploadBounds } from "./uploadBounds.ts"

type SignUploadRequest = Origin & {
  sessionId: string
  /** Absent: the block that waits. */
  blockId?: string | undefined
  fileName: string
  /** MIME type; absent or unknown: that of the name's ending. */
  fileType?: string | undefined
  /** Bytes; absent: not known yet. */
  fileSize?: number | undefined
  /** IP address of the caller; absent: it has a token. */
  address?: string | undefined
  /** Whether the caller has disconnected. Absent: it is still there. */
  hasLeft?: (() => boolean) | undefined
}

type SignedUpload = Upload & {
  /** MIME type under which the file is kept. */
  fileType: string
  /** Megabytes. */
  maxFileSize: number
}

const megabyte = 1024 * 1024

type UploadDeps = {
  chat: Chat
  files: FileStore
  maxMegabytes: number
  bounds: UploadBounds
}

/**
 * Permits an upload. 404 without a session, 400 when the chat waits for no such file, 403 in anonymous
 * previews, 429 when the chat or the address has uploaded too much.
 */
export async function signUpload(
  deps: UploadDeps,
  request: SignUploadRequest,
): Promise<SignedUpload> {
  const { sessionId, address, hasLeft } = request
  // The requests of an address change one row of the database: side by side, each would hold up a
  // connection while it waits for the others.
  const key = `uploads ${address === undefined ? sessionId : networkOf(address)}`
  return deps.chat.queue.run(key, () => sign(deps, request), hasLeft)
}

async function sign({ chat, files, maxMegabytes, bounds }: UploadDeps, request: SignUploadRequest) {
  const loaded = await requireSession(chat, request.sessionId, request)
  const extension = extensionOfFile(request)
  const rules = rulesFor(loaded, { blockId: request.blockId, extension })
  const owners = fileOwnersOf(loaded, loaded.session)
  const maxFileSize = Math.min(rules.maxMegabytes ?? maxMegabytes, maxMegabytes)
  const most = Math.floor(maxFileSize * megabyte)
  const { fileSize = most, sessionId, address } = request
  if (fileSize > most) throw fileTooLarge(maxFileSize)
  // The announced size is counted, so no more is accepted.
  const maxBytes = Math.max(1, Math.ceil(fileSize))
  const measure = loaded.session.isPreview ? undefined : () => files.measureResults(owners)
  const upload = { sessionId, address, bytes: maxBytes, measure }
  const countedIn = await countUpload(chat.db, bounds, upload)
  // After the count, which the deletion of a result closes with the session.
  const { resultId } = loaded.owner
  if (resultId !== undefined && !(await lockSession(chat.db, { resultId, sessionId })))
    throw sessionNotFound()
  const { isPrivate } = rules
  const file = { ...owners[0], isPrivate, extension, maxBytes, countedIn }
  const fileType = servedAs(`.${extension}`).contentType
  return { ...files.signUpload(file), fileType, maxFileSize }
}

/** The upload rules of the waiting input for an extension. */
function rulesFor(
  { session, bots }: LoadedSession,
  { blockId = session.at, extension }: { blockId?: string | undefined; extension: string },
): UploadRules {
  if (session.isRestricted) throw forbidden("Files cannot be uploaded in an anonymous preview")
  const position = bots.get(currentOf(session).version)?.positions.get(blockId ?? "")
  const block = position?.group.blocks[position.index]
  const type = block && typeOf(block)
  if (!block || session.at !== block.id || type?.kind !== "input" || !type.uploads) {
    throw new AppError("CHAT_NOT_WAITING", "This chat does not wait for a file at this block")
  }
  const rules = type.uploads(block, extension)
  if (!rules) throw new AppError("FILE_TYPE_REFUSED", "Files of this kind are not accepted here")
  return rules
}
