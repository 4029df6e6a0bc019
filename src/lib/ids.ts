/** Makes every kind of id, and parses session ids. */
import { createHash, createHmac, randomBytes } from "node:crypto"
import { createId } from "@paralleldrive/cuid2"
import { uuidv7 } from "uuidv7"

/** The digits of base 62, in order. */
export const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const secretLength = 22
const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const sessionIdPattern = /^([0-9a-f]{32})([0-9A-Za-z]{22})$/

/** 24 lower-case alphanumerics (cuid2): for users, workspaces, bots and the parts of flows. */
export function newId(): string {
  return createId()
}

/** A UUIDv7 (RFC 9562), ordered by creation time: for results, logs, versions of bots. */
export function newUuid(): string {
  return uuidv7()
}

/** The same, later than another one even if the clock of this machine is behind. Absent: any. */
export function newUuidAfter(last: string | undefined): string {
  const id = newUuid()
  if (last === undefined || id > last) return id
  return firstUuidAt(timeOfUuid(last) + 1).slice(0, timeDigits) + id.slice(timeDigits)
}

/** The first characters of a UUIDv7: its time. */
const timeDigits = 13

/** Whether a text is a UUID in canonical form; nothing else may reach the database. */
export function isUuid(text: string): boolean {
  return uuidPattern.test(text)
}

/** The smallest UUIDv7 of a time in milliseconds since 1970: a bound for lists. */
export function firstUuidAt(timeMs: number): string {
  const time = Math.max(0, Math.floor(timeMs)).toString(16).padStart(12, "0")
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`
}

/** When a UUIDv7 was created, in milliseconds since 1970 (RFC 9562, 5.7). */
export function timeOfUuid(uuid: string): number {
  return Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16)
}

/** A live session id: the 32 hex digits of its result id, then 130 random bits in base 62. */
export function newSessionId(resultId: string): string {
  return resultId.replaceAll("-", "") + randomText(secretLength)
}

/** The result id in a live session id. Returns undefined for any other text. */
export function resultIdOfSession(sessionId: string): string | undefined {
  const hex = sessionIdPattern.exec(sessionId)?.[1]
  return hex === undefined ? undefined : uuidOf(hex)
}

/** A UUID derived from the session id, for sessions without a result. */
export function standInResultId(sessionId: string): string {
  return uuidOf(createHash("sha256").update(sessionId).digest("hex"))
}

/** The id under which webhook calls to a session are kept: its result id, or the stand-in. */
export function callsId(sessionId: string): string {
  return resultIdOfSession(sessionId) ?? standInResultId(sessionId)
}

/** A preview session id: `p` and 28 random characters. */
export function newPreviewSessionId(): string {
  return `p${randomText(28)}`
}

/** The preview session id for a name that a caller chose: 160 bits that only the key gives. */
export function namedPreviewSessionId(key: Buffer, name: readonly string[]): string {
  const hmac = createHmac("sha256", key).update(JSON.stringify(["preview", ...name]))
  return `p${hmac.digest("hex").slice(0, 40)}`
}

/** Random characters of `[0-9A-Za-z]`, without modulo bias. */
export function randomText(length: number): string {
  let text = ""
  while (text.length < length) {
    for (const byte of randomBytes(length * 2)) {
      if (byte < 248 && text.length < length) text += base62.charAt(byte % 62)
    }
  }
  return text
}

/** The first 32 of some hex digits, as a UUID. */
export function uuidOf(hex: string): string {
  const [time, low, version] = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16)]
  return `${time}-${low}-${version}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`
}
