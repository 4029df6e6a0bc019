/** The secrets of this installation: where they come from, and the keys derived from them. */
import { hkdfSync, randomBytes } from "node:crypto"
import { chmod, link, mkdir, readFile, unlink, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import type { SecretUse } from "../../db/people/secrets.ts"

const shortestSecret = 32
const keyBytes = 32

/** Where secrets come from. */
type SecretSource = {
  dataFolder: string
  /** What the operator has configured. */
  configured?: string | undefined
  /** What is stored that a new secret could not read. */
  findUse(): Promise<SecretUse>
}

/**
 * The secrets, newest first: what the operator configured (separated by commas: the first encrypts,
 * all decrypt), or the one in the file `secret` of the data folder, which is created on the first run
 * and readable by its owner alone. It is never created later: a new one would silently lose what was
 * stored with the old one.
 */
export async function loadSecrets(source: SecretSource): Promise<string[]> {
  const { configured } = source
  if (configured === undefined) return [await loadSecretFile(source)]
  const secrets = configured
    .split(",")
    .map((secret) => secret.trim())
    .filter((secret) => secret !== "")
  if (secrets.length === 0 || secrets.some((secret) => secret.length < shortestSecret)) {
    throw new Error(`Each secret must have at least ${shortestSecret} characters.`)
  }
  return secrets
}

/** Creates the file `secret` of a data folder, and returns its path. Refuses when it exists. */
export async function createSecretFile(dataFolder: string): Promise<string> {
  const path = secretPath(dataFolder)
  if ((await readSecretFile(path)) !== undefined) {
    throw new Error(`There is a secret in ${path} already: it stays as it is.`)
  }
  await makeSecretFile(path)
  return path
}

async function loadSecretFile({ dataFolder, findUse }: SecretSource): Promise<string> {
  const path = secretPath(dataFolder)
  const known = await readSecretFile(path)
  if (known !== undefined) return known
  const use = await findUse()
  const isFirstRun = use.credentials === 0 && !use.hasBots
  if (isFirstRun) await makeSecretFile(path)
  // Another process may have created it meanwhile.
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

async function makeSecretFile(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const draft = `${path}.${randomBytes(6).toString("hex")}`
  await writeFile(draft, `${randomBytes(48).toString("base64url")}\n`, { mode: 0o600, flag: "wx" })
  // A link is atomic, and never replaces what another process created first.
  await link(draft, path).catch(ignoreExisting)
  await unlink(draft)
}

function secretPath(dataFolder: string): string {
  return join(dataFolder, "secret")
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

/** A key of 32 bytes for one purpose (HKDF-SHA256, RFC 5869); keys of different purposes are independent. */
export function deriveKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "parley", purpose, keyBytes))
}
