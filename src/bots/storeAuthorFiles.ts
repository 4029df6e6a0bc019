/** Files that authors keep for a bot, or for all bots of a workspace: signed, deleted and settled. */

import {
  type AuthorFileRow,
  deleteAuthorFileRow,
  deleteFileRowsOfBot,
  type FilesOwner,
  findAuthorFile,
  insertAuthorFile,
  listToSettle,
  markDeleted,
  measureAuthorFiles,
  settleFile,
} from "../db/bots/authorFiles.ts"
import type { FileAmount } from "../db/chats/uploads.ts"
import type { Db } from "../db/connection/openDatabase.ts"
import type { FileStore, Upload } from "../effects/files/fileStore.ts"
import { extensionOfFile, servedAs } from "../effects/files/servedAs.ts"
import { drain } from "../lib/batches.ts"
import { AppError, fileTooLarge } from "../lib/errors.ts"
import { newId } from "../lib/ids.ts"

/** By then the address of an upload has expired, and an upload that began in time is over. */
const openMs = 15 * 60_000

const megabyte = 1024 * 1024

type AnnouncedFile = { fileName: string; fileType?: string | undefined; fileSize: number }

type SigningDeps = {
  db: Db
  files: Pick<FileStore, "newAuthorKey" | "signAuthorUpload">
  /** Of one file. */
  maxMegabytes: number
  /** Of all files of a workspace. */
  most: FileAmount
}

/** Lets an author upload one file. Refuses other types than media and documents. */
export async function signAuthorFile(
  { db, files, maxMegabytes, most }: SigningDeps,
  owner: FilesOwner,
  file: AnnouncedFile,
): Promise<{ row: AuthorFileRow; upload: Upload }> {
  const { fileName: name, fileSize: bytes } = file
  const extension = extensionOfFile(file)
  if (!isForAuthors(extension)) {
    const kinds =
      "Only pictures, audio, video, fonts, documents and ZIP archives are stored; SVG and HTML are not, " +
      "as they may hold scripts"
    throw new AppError("FILE_TYPE_REFUSED", kinds)
  }
  if (bytes > maxMegabytes * megabyte) throw fileTooLarge(maxMegabytes)
  const key = files.newAuthorKey(owner, extension)
  const openUntil = new Date(Date.now() + openMs)
  const row = await insertAuthorFile(
    db,
    { id: newId(), ...owner, key, name, bytes, openUntil },
    most,
  )
  if (row === undefined) throw filesFull(await measureAuthorFiles(db, owner.workspaceId), most)
  return { row, upload: files.signAuthorUpload(row) }
}

/** The 409 for files that their workspace has no room for. */
export function filesFull(used: FileAmount, most: FileAmount): AppError {
  const room = `${most.files} files and ${Math.floor(most.bytes / megabyte)} MB`
  const reason = `The files of a workspace and its bots are at most ${room} together`
  return new AppError(
    "FILES_FULL",
    `${reason}: delete some; those that were announced and never sent count for up to 20 minutes`,
    { data: { used: counted(used), limit: counted(most) } },
  )
}

function counted({ files: count, bytes }: FileAmount) {
  return { count, bytes }
}

/** Whether browsers show or play files with an extension, and never run them. */
export function isMedia(extension: string): boolean {
  return /^(?:image|audio|video|font)\//.test(servedAs(`.${extension}`).contentType)
}

/** What visitors may be offered: browsers show it or save it, and never run it. */
const documents = new Set(
  "csv doc docx ics json md odp ods odt pdf ppt pptx rtf tsv txt vcf xls xlsx zip".split(" "),
)

function isForAuthors(extension: string): boolean {
  return isMedia(extension) || documents.has(extension)
}

/**
 * Deletes a file. False: not found. It counts while its upload could still begin, so that deleting announced
 * files does not evade the limit.
 */
export async function deleteAuthorFile(
  { db, files }: { db: Db; files: Pick<FileStore, "deleteFile"> },
  place: FilesOwner & { fileId: string },
): Promise<boolean> {
  const row = await findAuthorFile(db, place)
  if (row === undefined) return false
  const { id, key } = row
  const at = new Date()
  if (!(await markDeleted(db, { id, at, openUntil: row.openUntil ?? at }))) return false
  await files.deleteFile(key)
  if (row.openUntil === null) await deleteAuthorFileRow(db, id)
  return true
}

/** Removes all files of a bot, those of its visitors among them. */
export async function deleteFilesOfBot(
  { db, files }: { db: Db; files: Pick<FileStore, "deleteBotFiles"> },
  botId: string,
): Promise<void> {
  await deleteFileRowsOfBot(db, { botId, at: new Date() })
  await files.deleteBotFiles(botId)
}

type SettlingDeps = {
  db: Db
  files: Pick<FileStore, "deleteFile" | "measureFile">
  now(): number
}

/** Removes files that were never uploaded or were deleted, and counts the others by their real size. */
export async function settleFiles(
  { db, files, now }: SettlingDeps,
  signal: AbortSignal,
): Promise<{ files: number }> {
  const before = new Date(now())
  const settled = await drain(signal, async () => {
    const rows = await listToSettle(db, before)
    for (const row of rows) await settle({ db, files }, row)
    return rows.length
  })
  return { files: settled }
}

async function settle(
  { db, files }: Omit<SettlingDeps, "now">,
  { id, key, deletedAt }: AuthorFileRow,
): Promise<void> {
  if (deletedAt !== null) {
    await files.deleteFile(key)
    await deleteAuthorFileRow(db, id)
    return
  }
  const bytes = await files.measureFile(key)
  if (bytes === undefined) await deleteAuthorFileRow(db, id)
  else await settleFile(db, { id, bytes })
}
