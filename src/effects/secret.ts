/** The secrets of this installation: where they come from, and the keys that are made of them. */
import { hkdfSync, randomBytes } from "node:crypto"
import { chmod, link, mkdir, readFile, unlink, writeFile } from "node:fs/promises"
import { join } from "node:path"

const shortestSecret = 32
const keyBytes = 32

/**
 * The secrets to work with, newest first: what the operator configured (several are separated by
 * commas: the first encrypts, all decrypt), or else the one in the file `secret` of the data folder,
 * which is made on the first run and readable by its owner alone.
 */
export async function loadSecrets(
  dataFolder: string,
  configured?: string | undefined,
): Promise<string[]> {
  if (configured === undefined) return [await loadSecretFile(dataFolder)]
  const secrets = configured
    .split(",")
    .map((secret) => secret.trim())
    .filter((secret) => secret !== "")
  if (secrets.length === 0 || secrets.some((secret) => secret.length < shortestSecret)) {
    throw new Error(`Each secret must have at least ${shortestSecret} characters.`)
  }
  return secrets
}

async function loadSecretFile(dataFolder: string): Promise<string> {
  const path = join(dataFolder, "secret")
  const known = await readSecretFile(path)
  if (known !== undefined) return known
  await mkdir(dataFolder, { recursive: true })
  const draft = `${path}.${randomBytes(6).toString("hex")}`
  await writeFile(draft, `${randomBytes(48).toString("base64url")}\n`, { mode: 0o600, flag: "wx" })
  // A link appears whole or not at all, and never replaces what another process made first.
  await link(draft, path).catch(ignoreExisting)
  await unlink(draft)
  const made = await readSecretFile(path)
  if (made === undefined) throw new Error(`The secret in ${path} disappeared while it was made.`)
  return made
}

async function readSecretFile(path: string): Promise<string | undefined> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined
    throw error
  })
  if (text === undefined) return undefined
  const secret = text.trim()
  if (secret.length < shortestSecret) {
    throw new Error(`The file ${path} holds less than ${shortestSecret} characters.`)
  }
  await chmod(path, 0o600)
  return secret
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== "EEXIST") throw error
}

/** A key of 32 bytes for one purpose (HKDF-SHA256, RFC 5869): keys of two purposes tell nothing of each other. */
export function deriveKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "parley", purpose, keyBytes))
}
