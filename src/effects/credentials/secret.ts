/** Loads the secrets of this installation, and derives keys from them. */
import { hkdfSync, randomBytes } from "node:crypto"
import { chmod, mkdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import type { SecretUse } from "../../db/people/secrets.ts"
import { createLocalStorage } from "../files/localStorage.ts"

const fileName = "secret"
const minSecretLength = 32
const keyBytes = 32

type SecretSource = {
  dataFolder: string
  /** The setting of the operator. */
  configured?: string | undefined
  /** Finds data that a new secret could not decrypt. */
  findUse(): Promise<SecretUse>
}

/**
 * The secrets, newest first: those that the operator has configured (separated by commas: the first encrypts,
 * all decrypt), or the one in the file `secret` of the data folder, which is created on the first run and
 * readable only by its owner. It is never created later: data encrypted with the old one would silently be
 * lost.
 */
export async function loadSecrets(source: SecretSource): Promise<string[]> {
  const { configured } = source
  if (configured === undefined) return [await loadSecretFile(source)]
  const secrets = configured
    .split(",")
    .map((secret) => secret.trim())
    .filter((secret) => secret !== "")
  if (secrets.length === 0 || secrets.some((secret) => secret.length < minSecretLength)) {
    throw new Error(`Each secret must have at least ${minSecretLength} characters.`)
  }
  return secrets
}

/** Creates the file `secret` in a data folder and returns its path. Throws if it exists. */
export async function createSecretFile(dataFolder: string): Promise<string> {
  const path = join(dataFolder, fileName)
  if ((await readSecretFile(path)) !== undefined) {
    throw new Error(`There is a secret in ${path} already: it stays as it is.`)
  }
  await makeSecretFile(dataFolder)
  return path
}

async function loadSecretFile({ dataFolder, findUse }: SecretSource): Promise<string> {
  const path = join(dataFolder, fileName)
  const known = await readSecretFile(path)
  if (known !== undefined) return known
  const use = await findUse()
  const isFirstRun = use.credentials === 0 && !use.hasBots
  if (isFirstRun) await makeSecretFile(dataFolder)
  // Another process may have created it in the meantime.
  const made = await readSecretFile(path)
  if (made !== undefined) return made
  throw new Error(
    isFirstRun ? `The secret in ${path} disappeared while it was made.` : lost(path, use),
  )
}

function lost(path: string, { credentials }: SecretUse): string {
  const stored = credentials === 1 ? "1 stored credential" : `${credentials} stored credentials`
  const unread = credentials === 0 ? "" : `${stored} cannot be decrypted, and `
  return (
    `The secret of this installation is missing: there is no file ${path}, but its database has been in use. ` +
    `Without it ${unread}links to uploaded files stop working. ` +
    "Put the file back from where you keep it, or set PARLEY_SECRET to what it held. " +
    "If it is lost for good, `npx parley secret create` makes a new one and gives these up."
  )
}

/** Makes the file, unless another process has made it first. */
async function makeSecretFile(dataFolder: string): Promise<void> {
  await mkdir(dataFolder, { recursive: true })
  const secret = `${randomBytes(48).toString("base64url")}\n`
  await createLocalStorage(dataFolder).write(fileName, Buffer.from(secret))
}

async function readSecretFile(path: string): Promise<string | undefined> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined
    throw error
  })
  if (text === undefined) return undefined
  const secret = text.trim()
  if (secret.length < minSecretLength) {
    throw new Error(`The file ${path} holds less than ${minSecretLength} characters.`)
  }
  await chmod(path, 0o600)
  return secret
}

/** Derives a key of 32 bytes (HKDF-SHA256, RFC 5869); keys for different purposes are independent. */
export function deriveKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "parley", purpose, keyBytes))
}
