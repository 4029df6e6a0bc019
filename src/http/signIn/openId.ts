/** Signs people in at a provider of OpenID Connect: authorization code with PKCE, state and nonce. */
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from "openid-client"
import { readBytes } from "../../effects/network/guardedFetch.ts"
import { badRequest, forbidden, unavailable } from "../../lib/errors.ts"
import { once } from "../../lib/once.ts"
import { emailSchema } from "../../people/mailAddress.ts"
import type { Proven } from "../../people/signIn.ts"
import type { Log } from "../../telemetry/log.ts"

/** The provider, and who may sign in there. */
export type Provider = {
  issuer: string
  clientId: string
  clientSecret: string
  /** Domains whose addresses get an account at first sign-in; absent: only invited people and existing accounts. */
  domains?: readonly string[] | undefined
}

/** Signs people in at a provider. */
export type OpenId = ReturnType<typeof createOpenId>

/** The page to return to, from the cookie of the browser. */
export function nextIn(kept: string | undefined): string | undefined {
  const [, , , next] = kept?.split(".") ?? []
  return next && Buffer.from(next, "base64url").toString()
}

type OpenIdDeps = { provider: Provider; publicUrl: string; log: Log }

const timeoutSeconds = 10
const maxAnswer = 1024 * 1024

/** Creates the client of a provider, which is contacted at the first sign-in: starts do not depend on it. */
export function createOpenId({ provider, publicUrl, log }: OpenIdDeps) {
  const callback = `${publicUrl}/signIn/openId/callback`
  const configuration = once(() =>
    discover(provider).catch((error: unknown) => {
      log.error({ err: error, issuer: provider.issuer }, "The OpenID provider cannot be used")
      throw unavailable("The provider with which people sign in does not answer", 30, error)
    }),
  )
  return {
    /** The address for the browser, and the value that it must keep until it returns. */
    async begin(next: string) {
      const config = await configuration()
      const [state, nonce, verifier] = [randomState(), randomNonce(), randomPKCECodeVerifier()]
      const address = buildAuthorizationUrl(config, {
        redirect_uri: callback,
        scope: "openid email profile",
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
        state,
        nonce,
      })
      const kept = [state, nonce, verifier, Buffer.from(next).toString("base64url")].join(".")
      return { address: address.href, kept }
    },
    /** The person of this query. Throws a 400 unless it matches the cookie of the browser. */
    async complete(search: string, kept: string | undefined): Promise<Proven> {
      const { state, nonce, verifier } = requireBegun(search, kept)
      const config = await configuration()
      const claims = await claimsOf(config, new URL(`${callback}?${search}`), {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
      }).catch((error: unknown) => {
        log.warn({ err: error }, "A sign-in with the OpenID provider failed")
        throw badRequest("The provider did not sign this browser in: start again")
      })
      return personOf(claims, provider)
    },
    /** Where the provider signs people out; undefined when it cannot, or does not answer. */
    async endAddress() {
      const config = await configuration().catch(() => undefined)
      if (!config?.serverMetadata().end_session_endpoint) return undefined
      const back = { post_logout_redirect_uri: `${publicUrl}/signIn` }
      return buildEndSessionUrl(config, back).href
    },
  }
}

const notBegun =
  "This sign-in was not begun in this browser, or took longer than ten minutes: start again"

/** The cookie of the sign-in that this query answers. Throws a 400 if there is none. */
export function requireBegun(search: string, kept: string | undefined) {
  const [state, nonce, verifier] = kept?.split(".") ?? []
  const isAnswer = new URLSearchParams(search).get("state") === state
  if (!state || !nonce || !verifier || !isAnswer) throw badRequest(notBegun)
  return { state, nonce, verifier }
}

/** The operator has named the provider, which may be on this machine: no network guard, but bounds. */
async function discover({ issuer, clientId, clientSecret }: Provider): Promise<Configuration> {
  const isPlain = issuer.startsWith("http:")
  return await discovery(new URL(issuer), clientId, clientSecret, undefined, {
    timeout: timeoutSeconds,
    [customFetch]: boundedFetch,
    ...(isPlain && { execute: [allowInsecureRequests] }),
  })
}

async function boundedFetch(url: string, options: object): Promise<Response> {
  const response = await fetch(url, { ...options, redirect: "manual" })
  const { status, statusText, headers } = response
  const bytes = await readBytes(response, maxAnswer)
  if (!bytes) throw new Error("The answer of the OpenID provider is too large")
  return new Response(bytes.length === 0 ? null : bytes, { status, statusText, headers })
}

type Claims = Readonly<Record<string, unknown>>

/** The claims of the provider: in the token, or from its user info. */
async function claimsOf(
  config: Configuration,
  address: URL,
  checks: Parameters<typeof authorizationCodeGrant>[2],
): Promise<Claims> {
  const tokens = await authorizationCodeGrant(config, address, checks)
  const claims = tokens.claims()
  if (claims === undefined) return {}
  const { xms_edov, ...others } = claims
  const isWhole = claims.email !== undefined && (claims.email_verified ?? xms_edov) !== undefined
  if (isWhole || !config.serverMetadata().userinfo_endpoint) return claims
  // Entra's claim is about the address in the token, not that of the user info.
  return { ...others, ...(await fetchUserInfo(config, tokens.access_token, claims.sub)) }
}

/**
 * Whether the provider knows that the address is the person's. Microsoft Entra never sends
 * `email_verified`, but can send `xms_edov`: it is set where the owner of the domain is known to Entra.
 */
function isVerified({ email_verified: said, xms_edov: saidByEntra }: Claims): boolean {
  // A text at Amazon Cognito, sometimes a number at Entra.
  if (said !== undefined) return said === true || said === "true"
  return [true, "true", 1, "1"].some((yes) => yes === saidByEntra)
}

function personOf(claims: Claims, { domains }: Provider): Proven {
  if (!isVerified(claims)) throw forbidden("The provider has not verified your e-mail address")
  const { email: sent, name } = claims
  const { success, data: email } = emailSchema.safeParse(sent)
  if (!success) throw forbidden("The provider has named no e-mail address that this service takes")
  const domain = email.slice(email.lastIndexOf("@") + 1)
  if (domains !== undefined && !domains.includes(domain)) {
    throw forbidden(`People with an address at ${domain} may not sign in here`)
  }
  const named = typeof name === "string" ? name.replaceAll("\0", "").slice(0, 255) : undefined
  return { email, name: named, mayRegister: domains !== undefined }
}
