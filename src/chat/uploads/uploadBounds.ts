/** Bounds what people may upload: each chat, and each address that calls without a token. */
import { createHash } from "node:crypto"
import {
  type FileAmount,
  findLastSigning,
  giveBackUpload,
  lowerUploads,
  reserveUpload,
} from "../../db/chats/uploads.ts"
import type { Db } from "../../db/connection/open.ts"
import { AppError } from "../../shared/errors.ts"
import { networkOf } from "../../shared/network.ts"

/** How much may be uploaded. */
export type UploadBounds = {
  /** In one chat, as long as it lives. */
  perChat: FileAmount
  /** By one address without a token, in an hour. */
  perAddress: FileAmount
}

/** One file that is to be uploaded. */
export type AskedUpload = {
  sessionId: string
  /** Where the caller is; absent: a caller with a token. */
  address?: string | undefined
  /** Most bytes that the file may have. */
  bytes: number
  /** What lies in the store for this chat; absent: nobody knows. */
  measure?: (() => Promise<FileAmount>) | undefined
}

const hourMs = 3_600_000
const minuteMs = 60_000
const megabyte = 1024 * 1024

// Longer than chats that somebody goes on with are likely to be silent about files.
const keptMs = 30 * 24 * hourMs

/** After this an address for an upload has expired, and an upload that began in time is over. */
const openMs = 15 * minuteMs

/** Counts a file before leave to upload it is given. Refuses with 429; returns where it was counted. */
export async function countUpload(
  db: Db,
  bounds: UploadBounds,
  asked: AskedUpload,
): Promise<string[]> {
  const { bytes, address } = asked
  const chat = chatScopeOf(asked.sessionId)
  const inChat = { scope: chat, bytes, most: bounds.perChat, expiresAt: inMs(keptMs) }
  const isCounted = (await reserveUpload(db, inChat)) || (await countAgain(db, inChat, asked))
  if (!isCounted) throw await chatIsFull(db, chat, bounds.perChat)
  if (address === undefined) return [chat]
  const hour = Math.floor(Date.now() / hourMs)
  const scope = scopeOf("address", `${networkOf(address)} ${hour}`)
  const most = bounds.perAddress
  if (await reserveUpload(db, { scope, bytes, most, expiresAt: inMs(2 * hourMs) })) {
    return [chat, scope]
  }
  await giveBackUpload(db, { scope: chat, files: 1, bytes })
  throw tooMany(`Your address may upload ${inWords(most)} an hour`, (hour + 1) * hourMs)
}

/** Gives back what was counted of an upload and turned out not to be needed. */
export async function giveBackUnused(
  db: Db,
  { countedIn, bytes }: { countedIn: readonly string[]; bytes: number },
): Promise<void> {
  for (const scope of countedIn) await giveBackUpload(db, { scope, files: 0, bytes })
}

/**
 * Files that never came, or came smaller than they might have, take no room for ever: once no address
 * is open any more, what lies in the store counts.
 */
async function countAgain(
  db: Db,
  reservation: Parameters<typeof reserveUpload>[1],
  { measure }: AskedUpload,
): Promise<boolean> {
  const { scope } = reservation
  const before = inMs(-openMs)
  const signedAt = measure && (await findLastSigning(db, scope))
  if (!measure || !signedAt || signedAt >= before) return false
  await lowerUploads(db, { scope, before, ...(await measure()) })
  return reserveUpload(db, reservation)
}

async function chatIsFull(db: Db, scope: string, most: FileAmount): Promise<AppError> {
  const signedAt = await findLastSigning(db, scope)
  const openUntil = (signedAt?.getTime() ?? Date.now()) + openMs
  const words = `This chat may upload ${inWords(most)} together`
  return tooMany(`${words}; files that were prepared and not sent count for a while`, openUntil)
}

function tooMany(message: string, untilMs: number): AppError {
  const retryAfterSeconds = Math.max(1, Math.ceil((untilMs - Date.now()) / 1_000))
  return new AppError("TOO_MANY_REQUESTS", message, { retryAfterSeconds })
}

function inWords({ files, bytes }: FileAmount): string {
  return `at most ${files} files and ${bytes / megabyte} MB`
}

/** Where the uploads of a chat are counted. */
export function chatScopeOf(sessionId: string): string {
  return scopeOf("chat", sessionId)
}

/** Scopes stand in addresses for uploads: they tell nothing. */
function scopeOf(kind: "chat" | "address", name: string): string {
  return createHash("sha256").update(`${kind} ${name}`).digest("hex").slice(0, 40)
}

function inMs(ms: number): Date {
  return new Date(Date.now() + ms)
}
