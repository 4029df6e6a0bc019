/** Fetches access tokens of clients (RFC 6749, section 4.4), and keeps them in memory until they expire. */
import { LRUCache } from "lru-cache"
import { z } from "zod"
import type { Failure } from "../../engine/calls.ts"
import { pick, readJson } from "../../lib/foreignJson.ts"
import { failed, networkFailure } from "../failures.ts"
import type { GuardedFetch } from "../network/guardedFetch.ts"
import { type ClientCredentials, loginOf } from "./httpAuth.ts"

/**
 * The token for a version of a credential, perhaps one of before; `refused`: a token that a server no longer
 * takes. Concurrent calls share a request.
 */
export type OauthTokens = (
  version: string,
  auth: ClientCredentials,
  refused?: string,
) => Promise<string | Failure>

const maxTokens = 1_000
const timeoutMs = 10_000
const maxBytes = 100_000
/** The lifetime of a token if the answer does not state one. */
const defaultSeconds = 600
const maxSeconds = 86_400
/** How long before they expire tokens are fetched again, at most half of their life. */
const marginSeconds = 60

export function createOauthTokens({ fetch }: { fetch: GuardedFetch }): OauthTokens {
  const known = new LRUCache<string, string>({ max: maxTokens })
  const running = new Map<string, Promise<string | Failure>>()
  const renew = async (version: string, auth: ClientCredentials) => {
    const answer = await requestToken(fetch, auth)
    if ("failed" in answer) return answer
    known.set(version, answer.token, { ttl: answer.seconds * 1_000 })
    return answer.token
  }
  return async (version, auth, refused) => {
    const token = known.get(version)
    if (token !== undefined && token !== refused) return token
    const begin = () => renew(version, auth).finally(() => running.delete(version))
    const request = running.get(version) ?? begin()
    running.set(version, request)
    return request
  }
}

type Answer = { token: string; seconds: number } | Failure

async function requestToken(fetch: GuardedFetch, auth: ClientCredentials): Promise<Answer> {
  const basic = await ask(fetch, auth, "header")
  // Not every server takes the client in the header, as the standard demands.
  return "isClientUnknown" in basic ? await ask(fetch, auth, "body") : basic
}

async function ask(
  fetch: GuardedFetch,
  { tokenUrl, clientId, clientSecret, scope }: ClientCredentials,
  place: "header" | "body",
): Promise<Answer & { isClientUnknown?: true }> {
  const login = loginOf(encodeURIComponent(clientId), encodeURIComponent(clientSecret))
  const body = new URLSearchParams({
    grant_type: "client_credentials",
    ...(scope !== undefined && { scope }),
    ...(place === "body" && { client_id: clientId, client_secret: clientSecret }),
  })
  const headers = {
    accept: "application/json",
    ...(place === "header" && { authorization: `Basic ${login}` }),
  }
  try {
    const response = await fetch(tokenUrl, {
      ...{ method: "POST", headers, body, timeoutMs, maxBytes },
      // A redirect would take the secret elsewhere.
      redirect: "manual",
    })
    const data = readJson(await response.text())
    const read = answerSchema.safeParse(data)
    if (response.ok && read.success) {
      const life = Math.min(read.data.expires_in ?? defaultSeconds, maxSeconds)
      return { token: read.data.access_token, seconds: life - Math.min(marginSeconds, life / 2) }
    }
    const { status } = response
    const isClientUnknown =
      status === 401 || (status === 400 && pick(data, "error") === "invalid_client")
    return { ...refused(status, data), ...(isClientUnknown && { isClientUnknown }) }
  } catch (error) {
    const { description, details } = networkFailure(error, "The server of tokens")
    return { ...tokenFailure(details === undefined ? description : `${description}: ${details}`) }
  }
}

const answerSchema = z.object({
  access_token: z
    .string()
    .max(8192)
    .regex(/^[\x21-\x7e]+$/),
  expires_in: z.coerce.number().positive().optional().catch(undefined),
})

/** Describes a refusal by its code: messages of servers may repeat the secret. */
function refused(status: number, data: unknown): Failure {
  const error = pick(data, "error")
  const code =
    typeof error === "string" && /^[a-z_]{1,50}$/.test(error) ? error : `status ${status}`
  return tokenFailure(`The server of tokens gave none: ${code}`)
}

function tokenFailure(details: string): Failure {
  const more = { details, reason: "credentials", isInternal: true } as const
  return failed("The token of the credential could not be fetched", more)
}
