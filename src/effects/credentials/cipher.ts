/**
 * Encrypts stored credentials and cursors, which only this service may read: AES-256-GCM, bound to the id
 * that the data belongs to, with keys that can be rotated.
 */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto"
import { deriveKey } from "./secret.ts"

/** Encrypted data, as the columns store it. */
type Sealed = {
  /** The ciphertext, followed by the tag of 16 bytes. */
  data: Buffer
  /** 12 random bytes. */
  nonce: Buffer
  /** Id of the key, 0 to 32767. */
  keyId: number
}

/** Encrypts and decrypts with the keys of this installation. */
export type Cipher = ReturnType<typeof createCipher>

type Key = { id: number; bytes: Buffer }

const algorithm = "aes-256-gcm"
const tagBytes = 16

/**
 * Creates a cipher with secrets, newest first: the first encrypts, all decrypt. Data that was encrypted for
 * one purpose cannot be decrypted for another.
 */
export function createCipher(
  secrets: readonly string[],
  purpose: "credentials" | "cursors" = "credentials",
) {
  const keys = secrets.map((secret) => ({ id: keyIdOf(secret), bytes: deriveKey(secret, purpose) }))
  const [newest] = keys
  if (!newest) throw new Error("There is no secret to encrypt with.")
  return {
    seal(id: string, plain: unknown): Sealed {
      const nonce = randomBytes(12)
      const cipher = createCipheriv(algorithm, newest.bytes, nonce, { authTagLength: tagBytes })
      cipher.setAAD(Buffer.from(id))
      const text = cipher.update(JSON.stringify(plain), "utf8")
      const data = Buffer.concat([text, cipher.final(), cipher.getAuthTag()])
      return { data, nonce, keyId: newest.id }
    },
    /** Returns undefined if the key is gone, or the data was not sealed for this id. */
    open(id: string, sealed: Sealed): unknown {
      for (const key of keys) {
        const plain = key.id === sealed.keyId ? decrypt(key, id, sealed) : undefined
        if (plain !== undefined) return JSON.parse(plain)
      }
      return undefined
    },
    /** Whether the data was encrypted with another key than the current one. */
    isOutdated: ({ keyId }: Pick<Sealed, "keyId">) => keyId !== newest.id,
  }
}

/** The id of a secret's key. It is derived, so that it does not depend on the order of the secrets. */
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
