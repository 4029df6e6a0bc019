/** Renews access tokens of Google accounts: by refresh token (RFC 6749) or service account (RFC 7523). */
import { createPrivateKey } from "node:crypto"
import { LRUCache } from "lru-cache"
import { type Failure, isFailure } from "../../engine/calls.ts"
import { pick, pickText } from "../../lib/foreignJson.ts"
import type { CredentialData } from "../credentials/credentialTypes.ts"
import { failed } from "../failures.ts"
import { type GuardedFetch, libraryFetch } from "../network/guardedFetch.ts"
import type { Tokens } from "./googleClients.ts"

/** A credential whose access token may have expired. */
export type Renewable = { id: string; type: string; data: CredentialData }

/** Data with a valid access token; `stored`: what must be stored if it was renewed. */
type Renewed = { data: CredentialData; stored?: CredentialData }

/** Renews the access token of a credential that has one; others are returned unchanged. */
export type RefreshTokens = (credential: Renewable) => Promise<Renewed | Failure>

type GoogleAuthDeps = {
  fetch: GuardedFetch
  /** The client of this service, for credentials that do not name one. */
  client?: GoogleClient | undefined
  /** Absent: Google's. */
  tokenUrl?: string | undefined
}

/** An OAuth client, registered with Google. */
export type GoogleClient = { id: string; secret: string }

type Token = { accessToken: string; expiryDate: number }

type MemberNames = { access: string; refresh: string; expiry: string }

const namesByType: Readonly<Record<string, MemberNames>> = {
  "google sheets": { access: "access_token", refresh: "refresh_token", expiry: "expiry_date" },
  gmail: { access: "accessToken", refresh: "refreshToken", expiry: "expiryDate" },
}

const sheetsScope = "https://www.googleapis.com/auth/spreadsheets"
const timeoutMs = 10_000

/** The lifetime of a token if the answer does not state one. */
const defaultLifeMs = 3_600_000

/** How long before they expire tokens are renewed. */
const marginMs = 60_000

/** Creates the renewal. Concurrent calls share one; tokens of service accounts are cached. */
export function createGoogleAuth(deps: GoogleAuthDeps): RefreshTokens {
  const running = new Map<string, Promise<Renewed | Failure>>()
  const accounts = new LRUCache<string, Token>({ max: 1_000 })
  return async ({ id, type, data }) => {
    const names = namesByType[type]
    if (names === undefined) return { data }
    const begin = () => renew(deps, { data, names, accounts }).finally(() => running.delete(id))
    const renewal = running.get(id) ?? begin()
    running.set(id, renewal)
    return renewal
  }
}

type Renewal = { data: CredentialData; names: MemberNames; accounts: LRUCache<string, Token> }

async function renew(deps: GoogleAuthDeps, renewal: Renewal): Promise<Renewed | Failure> {
  const { data, names, accounts } = renewal
  if (typeof data.private_key === "string") {
    const key = `${String(data.client_email)} ${data.private_key}`
    const known = accounts.get(key)
    const token =
      known && isFresh(known.expiryDate) ? known : await requestAsServiceAccount(deps, data)
    if (isFailure(token)) return token
    accounts.set(key, token)
    return { data: { ...data, [names.access]: token.accessToken } }
  }
  if (typeof data[names.access] === "string" && isFresh(data[names.expiry])) return { data }
  const token = await requestWithRefreshToken(deps, data, names)
  if (isFailure(token)) return token
  const { accessToken, expiryDate } = token
  const stored = { ...data, [names.access]: accessToken, [names.expiry]: expiryDate }
  return { data: stored, stored }
}

function isFresh(expiryDate: unknown): boolean {
  return typeof expiryDate === "number" && expiryDate - Date.now() > marginMs
}

async function requestAsServiceAccount(deps: GoogleAuthDeps, data: CredentialData) {
  const key = String(data.private_key)
  if (!isRsaKey(key)) return failed("The private key of the service account cannot be used")
  const email = String(data.client_email)
  return requestToken(deps, ({ signIn }, fetch) =>
    signIn(fetch, { email, key, scope: sheetsScope }),
  )
}

function isRsaKey(text: string): boolean {
  try {
    return createPrivateKey(text).asymmetricKeyType === "rsa"
  } catch {
    return false
  }
}

async function requestWithRefreshToken(
  deps: GoogleAuthDeps,
  data: CredentialData,
  names: MemberNames,
): Promise<Token | Failure> {
  const client = clientOf(data) ?? deps.client
  if (!client) return failed("The account names no client, and this service has none")
  const refreshToken = pickText(data, names.refresh)
  if (!refreshToken) return failed("The account has no token to renew the access with")
  return requestToken(deps, ({ renewTokens }, fetch) =>
    renewTokens(fetch, { refreshToken, client }),
  )
}

function clientOf({ client, client_id, client_secret }: CredentialData): GoogleClient | undefined {
  if (typeof client_id === "string" && typeof client_secret === "string") {
    return { id: client_id, secret: client_secret }
  }
  // The only writer of `client` is the schema of the credential.
  return client as GoogleClient | undefined
}

type Clients = typeof import("./googleClients.ts")

async function requestToken(
  { fetch, tokenUrl }: GoogleAuthDeps,
  ask: (clients: Clients, fetch: typeof globalThis.fetch) => Promise<Tokens>,
): Promise<Token | Failure> {
  const clients = await import("./googleClients.ts")
  const guarded = libraryFetch(fetch, AbortSignal.timeout(timeoutMs))
  // Ignores the address: the client of service accounts cannot be configured with another.
  const toTokenUrl: typeof guarded = (_, init) => guarded(tokenUrl ?? clients.googleTokenUrl, init)
  try {
    const { access_token: accessToken, expiry_date: expiry } = await ask(clients, toTokenUrl)
    if (typeof accessToken !== "string" || accessToken === "") return refused({ status: 200 })
    const isKnown = typeof expiry === "number" && expiry > Date.now()
    return { accessToken, expiryDate: isKnown ? expiry : Date.now() + defaultLifeMs }
  } catch (error) {
    const refusal = clients.refusalOf(error)
    return refusal ? refused(refusal) : failed("Google could not be reached to renew the access")
  }
}

/** Describes a refusal by its code: Google's messages may repeat the token. */
function refused({ status, data }: { status: number; data?: unknown }): Failure {
  const error = pick(data, "error")
  const code = typeof error === "string" && /^\w{1,50}$/.test(error) ? error : status
  return failed(`Google did not renew the access: ${code}`, { status })
}
