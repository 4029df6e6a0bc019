/** Requests with an Idempotency-Key: what makes two of them the same, and how one is replayed. */
import { createHash, type Hash } from "node:crypto"
import type { ChatIds } from "../db/chats/sessions.ts"
import { insertStartKey } from "../db/chats/startKeys.ts"
import { AppError, badRequest } from "../lib/errors.ts"
import { uuidOf } from "../lib/ids.ts"
import type { Chat } from "./chat.ts"

export type Keyed = {
  key: string
  /** SHA-256 of the request. */
  bodyHash: Buffer
}

/** A response of a chat call, and whether it was stored by an earlier call. */
export type ChatAnswer<T extends object> = { step: T; isReplayed: boolean }

const maxKeyLength = 255

/** Reads the header. Throws a 400 when it is empty or too long. */
export function readKey(header: string, request: object): Keyed {
  if (header.length === 0 || header.length > maxKeyLength) {
    throw badRequest(`Idempotency-Key must have 1 to ${maxKeyLength} characters`)
  }
  return { key: header, bodyHash: hashOf(request).digest() }
}

/** Replays a stored response. Throws a 422 when the key was used for another request. */
export function replayed<T extends object>(
  keyed: Keyed,
  stored: { bodyHash: Buffer; body: string },
): ChatAnswer<T> {
  requireSameBody(keyed, stored.bodyHash)
  return { step: JSON.parse(stored.body) as T, isReplayed: true }
}

/** Throws a 422 when a key comes again with another request. */
export function requireSameBody(keyed: Keyed, bodyHash: Buffer): void {
  if (bodyHash.equals(keyed.bodyHash)) return
  throw new AppError(
    "IDEMPOTENCY_KEY_REUSED",
    "This Idempotency-Key was used for another request. Use a new key for a new request.",
  )
}

/** The key of a call to the outside world, made from everything that distinguishes it from others. */
export function callKey(parts: readonly unknown[]): string {
  return hashOf(parts).digest("base64url")
}

/** Hashes the parts of a key into an id: of a start, a message or a conversation. */
export function idOf(parts: readonly string[]): string {
  return uuidOf(hashOf(parts).digest("hex"))
}

function hashOf(value: unknown): Hash {
  return createHash("sha256").update(JSON.stringify(value))
}

/**
 * Registers a keyed start. Returns the ids of the first request with its key in a scope, which says
 * whose start it is. Throws a 422 when that request had another body.
 */
export async function registerStart(
  { db }: Chat,
  keyed: Keyed,
  { scope, ...ids }: ChatIds & { scope: readonly string[] },
): Promise<ChatIds & { keyId: string; isFirst: boolean }> {
  const { key, bodyHash } = keyed
  const keyId = idOf([...scope, key])
  const row = await insertStartKey(db, { ...ids, keyId, bodyHash })
  requireSameBody(keyed, row.bodyHash)
  const { resultId, sessionId } = row
  return { resultId, sessionId, keyId, isFirst: sessionId === ids.sessionId }
}
