/** Answers calls of the kind `script`: runs them in the sandbox, their requests through the guard. */
import type { Failure } from "../engine/calls.ts"
import { networkFailure } from "./network/networkFailure.ts"
import { type Outbound, TooLargeError } from "./network/outbound.ts"
import type { CallContext, Performer } from "./perform.ts"
import {
  callsOut,
  type RunHow,
  type Sandbox,
  type ScriptFetch,
  type ScriptRequest,
} from "./sandbox/sandbox.ts"
import { upstreamKey } from "./upstreamKey.ts"

/** What scripts are run with. */
export type ScriptParts = {
  sandbox: Pick<Sandbox, "run">
  outbound: Pick<Outbound, "fetch">
  /** Whether scripts of previews by callers we do not know may make requests. */
  allowsRestricted: boolean
}

/** What the scripts of one call may ask of other servers. */
const maxRequests = 20
const maxBytes = 5_000_000
const timeoutMs = 30_000

/** Milliseconds that scripts of callers we do not know may compute. */
const restrictedRunMs = 1_000

/** Opens the way to the sandbox. */
export function openScripts(parts: ScriptParts): Performer<"script"> {
  return {
    isOutside: ({ scripts }) => scripts.some(callsOut),
    perform: async ({ scripts }, context) => ({
      results: await parts.sandbox.run(scripts, howOf(parts, context)),
    }),
  }
}

function howOf({ outbound, allowsRestricted }: ScriptParts, context: CallContext): RunHow {
  const { isRestricted, workspaceId, botId, signal } = context
  const fetch = fetchFor(outbound, context)
  if (!isRestricted) return { owner: workspaceId ?? botId, signal, fetch }
  const owner = "restricted"
  return { owner, signal, runMs: restrictedRunMs, ...(allowsRestricted ? { fetch } : {}) }
}

function fetchFor(outbound: Pick<Outbound, "fetch">, context: CallContext): ScriptFetch {
  let requests = 0
  let leftBytes = maxBytes
  const keyed = keysFor(context.idempotencyKey)
  return async (request) => {
    const { url, method = "GET", body } = request
    const headers = keyed(request)
    if (++requests > maxRequests) return tooMany
    if (leftBytes <= 0) return tooLarge
    try {
      const response = await outbound.fetch(url, {
        method,
        headers,
        ...(body === undefined ? {} : { body }),
        maxBytes: leftBytes,
        timeoutMs,
        signal: context.signal,
      })
      const text = await response.text()
      leftBytes -= Buffer.byteLength(text)
      return text
    } catch (error) {
      return error instanceof TooLargeError ? tooLarge : networkFailure(error, "The server")
    }
  }
}

/**
 * Adds a key to requests that may change something, the same in every repetition of the call. Which
 * of a script's requests comes first can depend on the network, so what is asked for is part of the
 * key, and two requests never share one by chance; only equal ones are told apart by their order.
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

const tooMany: Failure = {
  failed: true,
  description: `Scripts may make ${maxRequests} requests at most`,
  reason: "limit",
}

const tooLarge: Failure = { failed: true, description: "The responses are too large" }
