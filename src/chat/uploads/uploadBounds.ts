/** Bounds uploads: of each chat, and of each address that calls without a token. */
import { isRecorded } from "../../db/bots/authorFiles.ts"
import {
  chatScopeOf,
  countUploadIn,
  type FileAmount,
  giveBackUpload,
  isCounted,
  lowerUploads,
  scopeOf,
  type UploadScope,
  type UploadToCount,
} from "../../db/chats/uploads.ts"
import type { Db } from "../../db/connection/openDatabase.ts"
import { type AppError, tooManyRequests } from "../../lib/errors.ts"
import { networkOf } from "../../lib/party.ts"

export type UploadBounds = {
  /** In one chat, as long as it lives. */
  perChat: FileAmount
  /** By one address without a token, in an hour. */
  perAddress: FileAmount
}

type UploadRequest = {
  sessionId: string
  /** IP address of the caller; absent: it has a token. */
  address?: string | undefined
  /** Max bytes. */
  bytes: number
  /** Measures what the file store holds of this chat; absent: it cannot be measured. */
  measure?: (() => Promise<FileAmount>) | undefined
}

const hourMs = 3_600_000
const minuteMs = 60_000
const megabyte = 1024 * 1024

// Longer than a chat that is still in use is likely to go without uploads.
const keptMs = 30 * 24 * hourMs

/** By then the address of an upload has expired, and an upload that began in time is over. */
const openMs = 15 * minuteMs

/** Counts a file before its upload is permitted. Refuses with 429; returns where it was counted. */
export async function countUpload(
  db: Db,
  bounds: UploadBounds,
  asked: UploadRequest,
): Promise<string[]> {
  const { bytes } = asked
  const chat = {
    scope: chatScopeOf(asked.sessionId),
    most: bounds.perChat,
    expiresAt: inMs(keptMs),
  }
  const address = addressScopeOf(asked, bounds.perAddress)
  const file = { bytes, chat, address }
  let count = await countUploadIn(db, file)
  if (count.full === "chat" && (await lowerToStored(db, { ...file, ...count }, asked))) {
    count = await countUploadIn(db, file)
  }
  if (count.full === "chat") throw chatIsFull(bounds.perChat, count.signedAt)
  if (count.full === undefined) return address ? [chat.scope, address.scope] : [chat.scope]
  await giveBackUpload(db, { scope: chat.scope, files: 1, bytes })
  const words = inWords(bounds.perAddress)
  const reason = `Your address may upload ${words} an hour`
  throw tooManyRequests("uploadsOfAddress", reason, secondsUntil((hourNow() + 1) * hourMs))
}

/** Gives back the bytes that were counted for an upload and not needed. */
export async function giveBackUnused(
  db: Db,
  { countedIn, bytes }: { countedIn: readonly string[]; bytes: number },
): Promise<void> {
  for (const scope of countedIn) await giveBackUpload(db, { scope, files: 0, bytes })
}

/**
 * Whether an uploaded file may stay: not if its result was deleted after the upload was permitted, which
 * closes the tally of the chat, nor if the workspace of its author is gone: it would be neither counted
 * nor ever deleted.
 */
export async function maySendFile(db: Db, [counted]: readonly string[]): Promise<boolean> {
  if (counted === undefined) return true
  return (await isCounted(db, counted)) || (await isRecorded(db, counted))
}

/**
 * Recounts a chat whose uploads are over by the stored files, because some may never have arrived, or may
 * be smaller than announced. False: nothing has changed.
 */
async function lowerToStored(
  db: Db,
  { chat, signedAt }: UploadToCount & { signedAt: Date | undefined },
  { measure }: UploadRequest,
): Promise<boolean> {
  const before = inMs(-openMs)
  if (!measure || !signedAt || signedAt >= before) return false
  await lowerUploads(db, { scope: chat.scope, before, ...(await measure()) })
  return true
}

function chatIsFull(most: FileAmount, signedAt = new Date()): AppError {
  const words = `This chat may upload ${inWords(most)} together`
  const reason = `${words}; files that were prepared and not sent count for a while`
  return tooManyRequests("uploadsOfChat", reason, secondsUntil(signedAt.getTime() + openMs))
}

function secondsUntil(ms: number): number {
  return (ms - Date.now()) / 1_000
}

function inWords({ files, bytes }: FileAmount): string {
  return `at most ${files} files and ${bytes / megabyte} MB`
}

/** Where the uploads of an address are counted this hour; undefined: the caller has a token. */
function addressScopeOf({ address }: UploadRequest, most: FileAmount): UploadScope | undefined {
  if (address === undefined) return undefined
  const scope = scopeOf("address", `${networkOf(address)} ${hourNow()}`)
  return { scope, most, expiresAt: inMs(2 * hourMs) }
}

function hourNow(): number {
  return Math.floor(Date.now() / hourMs)
}

function inMs(ms: number): Date {
  return new Date(Date.now() + ms)
}
