/** Google's own clients, all of whose requests go one way. Large: whoever needs them imports them then. */
import { sheets, type sheets_v4 } from "@googleapis/sheets"
import { gaxios, JWT, OAuth2Client } from "google-auth-library"

/** The tokens of an account; any member may be missing, for nobody checked them. */
export type Tokens = { access_token?: unknown; expiry_date?: unknown }

/** The address at which the clients believe tokens to be. */
export const googleTokenUrl = "https://oauth2.googleapis.com/token"

/** Asks for tokens as a registered client (RFC 6749). Throws what `refusalOf` reads, and others. */
export async function renewTokens(
  door: typeof fetch,
  { refreshToken, client }: { refreshToken: string; client: { id: string; secret: string } },
): Promise<Tokens> {
  const account = new OAuth2Client({
    ...closed(door),
    clientId: client.id,
    clientSecret: client.secret,
  })
  account.setCredentials({ refresh_token: refreshToken })
  return (await account.refreshAccessToken()).credentials
}

/** Asks for tokens as a service account (RFC 7523). Throws what `refusalOf` reads, and others. */
export async function signIn(
  door: typeof fetch,
  { email, key, scope }: { email: string; key: string; scope: string },
): Promise<Tokens> {
  return new JWT({ ...closed(door), email, key, scopes: [scope] }).authorize()
}

/** The answer that an error of `renewTokens` or `signIn` tells of; undefined: there was none. */
export function refusalOf(error: unknown): { status: number; data: unknown } | undefined {
  const response = error instanceof gaxios.GaxiosError ? error.response : undefined
  return response && { status: response.status, data: response.data }
}

/**
 * The values of spreadsheets, for whoever has the token. Whatever is answered comes back as text,
 * refusals too; `rootUrl` stands for Google's scheme, host and port, the path is always Google's own.
 */
export function openValues(
  door: typeof fetch,
  { accessToken, rootUrl }: { accessToken: string; rootUrl?: string | undefined },
): sheets_v4.Resource$Spreadsheets$Values {
  const auth = new OAuth2Client(closed(door))
  // Without a refresh token the client has nothing to ask again with.
  auth.setCredentials({ access_token: accessToken })
  const api = sheets({
    version: "v4",
    auth,
    ...(rootUrl === undefined ? {} : { rootUrl }),
    // Else a variable of the environment decides to which domain the token goes.
    universe_domain: "googleapis.com",
    responseType: "text",
    validateStatus: () => true,
  })
  return api.spreadsheets.values
}

/** What every client gets, so that nothing but what it is given decides where it goes and how often. */
function closed(door: typeof fetch) {
  const transporter = new gaxios.Gaxios({
    fetchImplementation: door,
    responseType: "json",
    // Proxies of the environment; the door would ignore them, but they would be loaded.
    noProxy: [/^/],
  })
  transporter.interceptors.request.add({ resolved: once })
  // Its own interceptors write headers and answers to a log that the environment can switch on.
  return { transporter, useAuthRequestParameters: false, universeDomain: "googleapis.com" }
}

/** The request without repetitions, which clients ask for call by call, and without what Node it is. */
async function once(config: gaxios.GaxiosOptionsPrepared): Promise<gaxios.GaxiosOptionsPrepared> {
  const { retryConfig: _, ...asked } = config
  asked.headers.delete("x-goog-api-client")
  return { ...asked, retry: false }
}
