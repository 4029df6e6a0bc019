/**
 * Encrypts what only this service may read, stored credentials and cursors: AES-256-GCM, bound to what
 * it belongs to, with keys that can be rotated.
 */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto"
import { deriveKey } from "./secret.ts"

/** Something encrypted, as the columns hold it. */
type Sealed = {
  /** Ciphertext, then 16 bytes of tag. */
  data: Buffer
  /** 12 random bytes. */
  nonce: Buffer
  /** The key that it was encrypted with: 0 to 32767. */
  keyId: number
}

/** Encrypts and decrypts with the keys of this installation. */
export type Cipher = {
  seal(id: string, plain: unknown): Sealed
  /** Returns undefined when the key is gone, or when it was not stored under this id. */
  open(id: string, sealed: Sealed): unknown
  /** Whether it was encrypted with an older key than the current one. */
  isOutdated(sealed: Pick<Sealed, "keyId">): boolean
}

type Key = { id: number; bytes: Buffer }

const algorithm = "aes-256-gcm"
const tagBytes = 16

/**
 * A cipher over secrets, newest first: the first encrypts, all decrypt. What was encrypted for one
 * purpose is not read for another one.
 */
export function openCipher(
  secrets: readonly string[],
  purpose: "credentials" | "cursors" = "credentials",
): Cipher {
  const keys = secrets.map((secret) => ({ id: keyIdOf(secret), bytes: deriveKey(secret, purpose) }))
  const [newest] = keys
  if (!newest) throw new Error("There is no secret to encrypt with.")
  return {
    seal(id, plain) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv(algorithm, newest.bytes, nonce, { authTagLength: tagBytes })
      cipher.setAAD(Buffer.from(id))
      const text = cipher.update(JSON.stringify(plain), "utf8")
      const data = Buffer.concat([text, cipher.final(), cipher.getAuthTag()])
      return { data, nonce, keyId: newest.id }
    },
    open(id, sealed) {
      for (const key of keys) {
        const plain = key.id === sealed.keyId ? decrypt(key, id, sealed) : undefined
        if (plain !== undefined) return JSON.parse(plain)
      }
      return undefined
    },
    isOutdated: ({ keyId }) => keyId !== newest.id,
  }
}

/** Names the key of a secret; derived, so that it does not depend on the secret's place in the list. */
export function keyIdOf(secret: string): number {
  return deriveKey(secret, "credentials key id").readUInt16BE(0) & 0x7fff
}

function decrypt(key: Key, id: string, { data, nonce }: Sealed): string | undefined {
  const end = data.length - tagBytes
  if (end < 0) return undefined
  const decipher = createDecipheriv(algorithm, key.bytes, nonce, { authTagLength: tagBytes })
  decipher.setAAD(Buffer.from(id))
  decipher.setAuthTag(data.subarray(end))
  try {
    return Buffer.concat([decipher.update(data.subarray(0, end)), decipher.final()]).toString()
  } catch {
    // The tag does not match: another key, another row, or tampered bytes.
    return undefined
  }
}
