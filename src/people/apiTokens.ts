/** API tokens and session secrets: how they are generated, recognised without a database, and hashed. */
import { createHash } from "node:crypto"
import { crc32 } from "node:zlib"
import { base62, randomText } from "../lib/ids.ts"

const prefix = "parley_pat_"
const sessionPrefix = "parley_ses_"
const secretLength = 40
const checksumLength = 6
const pattern = new RegExp(`^[0-9A-Za-z]{${secretLength + checksumLength}}$`)

/** A new token: a prefix for secret scanners, 238 random bits and a checksum. */
export function newToken(): string {
  return newSecret(prefix)
}

/** The secret of a new session, of the same form under another prefix. */
export function newSessionSecret(): string {
  return newSecret(sessionPrefix)
}

function newSecret(prefix: string): string {
  const text = prefix + randomText(secretLength)
  return text + checksumOf(text)
}

/** Whether a text has the form and the checksum of a token. */
export function isToken(text: string): boolean {
  return isSecret(text, prefix)
}

/** The same for the secret of a session. */
export function isSessionSecret(text: string): boolean {
  return isSecret(text, sessionPrefix)
}

function isSecret(text: string, prefix: string): boolean {
  if (!text.startsWith(prefix) || !pattern.test(text.slice(prefix.length))) return false
  return checksumOf(text.slice(0, -checksumLength)) === text.slice(-checksumLength)
}

/** SHA-256 of the whole token. It has full entropy, so that no slow hash is needed. */
export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest()
}

/** The last four characters, by which people recognize their tokens. */
export function hintOf(token: string): string {
  return token.slice(-4)
}

// Six digits of base 62 hold every CRC-32, since 62^6 > 2^32.
function checksumOf(text: string): string {
  let rest = crc32(text)
  let digits = ""
  for (let place = 0; place < checksumLength; place++) {
    digits = base62.charAt(rest % 62) + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}
