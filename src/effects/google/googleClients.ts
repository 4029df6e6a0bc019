/** Wraps Google's own clients, so that all requests use a given `fetch`. Large, so imported on first use. */
import { sheets, type sheets_v4 } from "@googleapis/sheets"
import { gaxios, JWT, OAuth2Client } from "google-auth-library"

/** The tokens of an account, not validated. */
export type Tokens = { access_token?: unknown; expiry_date?: unknown }

/** The token endpoint that the clients use. */
export const googleTokenUrl = "https://oauth2.googleapis.com/token"

/** Requests tokens as a registered client (RFC 6749). */
export async function renewTokens(
  fetch: typeof globalThis.fetch,
  { refreshToken, client }: { refreshToken: string; client: { id: string; secret: string } },
): Promise<Tokens> {
  const account = new OAuth2Client({
    ...isolatedOptions(fetch),
    clientId: client.id,
    clientSecret: client.secret,
  })
  account.setCredentials({ refresh_token: refreshToken })
  return (await account.refreshAccessToken()).credentials
}

/** Requests tokens as a service account (RFC 7523). */
export async function signIn(
  fetch: typeof globalThis.fetch,
  { email, key, scope }: { email: string; key: string; scope: string },
): Promise<Tokens> {
  return new JWT({ ...isolatedOptions(fetch), email, key, scopes: [scope] }).authorize()
}

/** The answer that caused an error of `renewTokens` or `signIn`. Returns undefined if there was none. */
export function refusalOf(error: unknown): { status: number; data: unknown } | undefined {
  const response = error instanceof gaxios.GaxiosError ? error.response : undefined
  return response && { status: response.status, data: response.data }
}

/**
 * Creates the API for the values of spreadsheets. All answers are text, refusals included. `rootUrl` replaces
 * Google's scheme, host and port; the path stays Google's.
 */
export function createValues(
  fetch: typeof globalThis.fetch,
  { accessToken, rootUrl }: { accessToken: string; rootUrl?: string | undefined },
): sheets_v4.Resource$Spreadsheets$Values {
  const auth = new OAuth2Client(isolatedOptions(fetch))
  // Without a refresh token the client cannot retry.
  auth.setCredentials({ access_token: accessToken })
  const api = sheets({
    version: "v4",
    auth,
    ...(rootUrl === undefined ? {} : { rootUrl }),
    // Otherwise an environment variable would decide which domain gets the token.
    universe_domain: "googleapis.com",
    responseType: "text",
    validateStatus: () => true,
  })
  return api.spreadsheets.values
}

/** Options with which a client sends only to the given `fetch`, once, and without proxies. */
function isolatedOptions(fetch: typeof globalThis.fetch) {
  const transporter = new gaxios.Gaxios({
    fetchImplementation: fetch,
    responseType: "json",
    // Otherwise the proxies of the environment would be loaded, though not used.
    noProxy: [/^/],
  })
  transporter.interceptors.request.add({ resolved: withoutRetries })
  // The interceptors of the client could log headers and answers, depending on the environment.
  return { transporter, useAuthRequestParameters: false, universeDomain: "googleapis.com" }
}

/** Removes the retries that clients request per call, and the header with the version of Node. */
async function withoutRetries(config: gaxios.GaxiosOptionsPrepared) {
  const { retryConfig: _, ...asked } = config
  asked.headers.delete("x-goog-api-client")
  return { ...asked, retry: false }
}
