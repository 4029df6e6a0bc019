/** Performs calls of the kind `script`: in the sandbox, with requests through the network guard. */
import type { Response } from "undici"
import { isFailure } from "../engine/calls.ts"
import { failed, networkFailure } from "./failures.ts"
import { upstreamKey } from "./httpRequest.ts"
import { type Outbound, TooLargeError } from "./network/outbound.ts"
import type { CallContext, Performer } from "./perform.ts"
import type { RunOptions, Sandbox, ScriptFetch, ScriptRequest } from "./sandbox/sandbox.ts"
import { mapTexts, type UsedSecrets } from "./variables/turnVariables.ts"

type ScriptDeps = {
  sandbox: Pick<Sandbox, "run">
  outbound: Pick<Outbound, "fetch">
  /** Whether scripts of anonymous previews may make requests. */
  allowsRestricted: boolean
}

/** Limits on the requests that the scripts of one call make, all together but for the time. */
const maxRequests = 20
const maxBytes = 5_000_000
const timeoutMs = 30_000

/** Milliseconds that scripts of anonymous previews may compute. */
const restrictedRunMs = 1_000

export function createScripts(deps: ScriptDeps): Performer<"script"> {
  return async ({ scripts }, context) => {
    const secrets = context.secrets?.usedIn(scripts)
    if (secrets && isFailure(secrets)) return { results: scripts.map(() => secrets) }
    const results = await deps.sandbox.run(scripts, runOptions(deps, context, secrets))
    return { results: secrets ? secrets.redact(results) : results }
  }
}

function runOptions(
  { outbound, allowsRestricted }: ScriptDeps,
  context: CallContext,
  secrets: UsedSecrets | undefined,
): RunOptions {
  const { isRestricted, party, signal } = context
  const fetch = fetchFor(outbound, context, secrets)
  if (!isRestricted) return { party, signal, fetch }
  const limited = { party, signal, runMs: restrictedRunMs }
  return allowsRestricted ? { ...limited, fetch } : limited
}

function fetchFor(
  outbound: Pick<Outbound, "fetch">,
  context: CallContext,
  secrets: UsedSecrets | undefined,
): ScriptFetch {
  let requests = 0
  let leftBytes = maxBytes
  const keyed = keysFor(context.idempotencyKey)
  const { signal } = context
  return async (written) => {
    const request = secrets ? mapTexts(written, secrets.reveal) : written
    const { url, method = "GET", body } = request
    const headers = keyed(request)
    const rules = secrets && redirectRules(written, secrets)
    if (++requests > maxRequests) return tooMany
    if (leftBytes <= 0) return tooLarge
    let ownBytes = 0
    /** Counted as they come: others may be under way. */
    const count = (bytes: number) => {
      ownBytes += bytes
      leftBytes -= bytes
      if (leftBytes < 0) throw new TooLargeError("The responses are too large")
    }
    try {
      const init = { method, headers, body, timeoutMs, maxBytes, signal, ...rules }
      const text = await textOf(await outbound.fetch(url, init), count)
      return secrets ? secrets.redact(text) : text
    } catch (error) {
      leftBytes += ownBytes
      if (error instanceof TooLargeError) return tooLarge
      // Errors of the network have a cause.
      const isRefused = error instanceof TypeError && error.cause === undefined
      return isRefused ? unsendable : networkFailure(error, "The server")
    }
  }
}

/** No redirect takes secrets to another origin. */
function redirectRules({ headers, body = "" }: ScriptRequest, { areIn }: UsedSecrets) {
  const privateHeaders = headers.filter(([, value]) => areIn(value)).map(([name]) => name)
  return { privateHeaders, staysOnOrigin: areIn(body) }
}

async function textOf({ body }: Response, count: (bytes: number) => void): Promise<string> {
  const chunks: Uint8Array[] = []
  // Exceptions of `count` cancel the rest.
  for await (const chunk of body ?? []) {
    count(chunk.byteLength)
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}

/**
 * Adds an idempotency key to requests that may change something, which is the same when the call is repeated.
 * The order of a script's requests may depend on the network, so the key is derived from the request itself;
 * only identical requests are distinguished by their order.
 */
function keysFor(idempotencyKey: string): (request: ScriptRequest) => ScriptRequest["headers"] {
  const seen = new Map<string, number>()
  return ({ url, method = "GET", headers, body = "" }) => {
    const isSafe = ["GET", "HEAD"].includes(method.toUpperCase())
    if (isSafe || headers.some(([name]) => name.toLowerCase() === keyHeader)) return headers
    const asked = upstreamKey(method.toUpperCase(), url, body)
    const ordinal = (seen.get(asked) ?? 0) + 1
    seen.set(asked, ordinal)
    return [...headers, [keyHeader, upstreamKey(idempotencyKey, asked, String(ordinal))]]
  }
}

const keyHeader = "idempotency-key"

const tooMany = failed(`Scripts may make ${maxRequests} requests at most`, { reason: "limit" })
const tooLarge = failed("The responses are too large")
/** Never log the request: its headers may contain a secret. */
const unsendable = failed(
  "The request cannot be sent: HTTP does not allow its method, a header or a body",
)
