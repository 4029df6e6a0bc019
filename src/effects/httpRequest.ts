/** Builds the HTTP request of a flow, with secrets and files filled in. */
import { createHash } from "node:crypto"
import { FormData, Headers } from "undici"
import {
  type Failure,
  type HttpAsk,
  type HttpBody,
  isFailure,
  type Secret,
  type Template,
} from "../engine/calls.ts"
import { encodeBasic } from "../engine/variables/encodeBasic.ts"
import type { CredentialData } from "./credentials/credentialTypes.ts"
import { failed } from "./failures.ts"
import type { ReadFile } from "./files/readFile.ts"
import type { OutboundInit } from "./network/outbound.ts"
import type { RequestBody } from "./network/redirect.ts"
import type { CallContext } from "./perform.ts"
import type { UsedSecrets } from "./variables/turnVariables.ts"

type RequestDeps = {
  readFile: ReadFile
  data: CredentialData
  context: CallContext
  /** Those of the workspace; absent: the request has none. */
  secrets?: UsedSecrets | undefined
}

/** A request ready to be sent. */
export type ReadyRequest = { url: string; init: OutboundInit }

const maxFileBytes = 25_000_000

/** Builds the request. Throws a MissingSecretError. */
export async function readyRequest(
  ask: HttpAsk,
  deps: RequestDeps,
): Promise<ReadyRequest | Failure> {
  const { request } = ask
  const headers = headersOf(ask, deps)
  if (isFailed(headers)) return headers
  const hasBody = request.method !== "GET" && request.method !== "HEAD"
  const body = hasBody && request.body ? await bodyOf(request.body, deps) : null
  if (isFailed(body)) return body
  setContentType(headers, request.body)
  const secretHeaders = (request.headers ?? []).filter(([, value]) => isSecret(value, deps))
  return {
    url: withQuery(fill(request.url, deps), request.query ?? []),
    init: {
      method: request.method,
      headers,
      body,
      privateHeaders: secretHeaders.map(([name]) => name),
      staysOnOrigin: request.body !== undefined && isSecretBody(request.body, deps),
    },
  }
}

function headersOf({ request, sendsIdempotencyKey }: HttpAsk, deps: RequestDeps) {
  const { context } = deps
  const headers = new Headers()
  if (sendsIdempotencyKey) headers.set("idempotency-key", upstreamKey(context.idempotencyKey))
  if (request.basicAuth) {
    const { user, password } = request.basicAuth
    const login = Buffer.from(`${fill(user, deps)}:${fill(password, deps)}`).toString("base64")
    headers.set("authorization", `Basic ${login}`)
  }
  for (const [name, template] of request.headers ?? []) {
    const value = fill(template, deps)
    try {
      headers.append(name, isSecret(template, deps) ? encodeBasic(name, value) : value)
    } catch {
      return unsendable
    }
  }
  return headers
}

/** Never log the header: even its name may contain a secret. */
const unsendable = failed("A header of the request cannot be sent", {
  details: "HTTP does not allow some character in its name or its value",
})

async function bodyOf(body: HttpBody, deps: RequestDeps): Promise<RequestBody | Failure> {
  if ("text" in body) return fill(body.text, deps)
  if ("form" in body) {
    return new URLSearchParams(
      body.form.map(([name, value]): [string, string] => [name, fill(value, deps)]),
    )
  }
  const file = await deps.readFile(body.file.url, deps.context, { maxBytes: maxFileBytes })
  if (isFailure(file)) return file
  const form = new FormData()
  for (const [name, value] of body.multipart) form.append(name, value)
  form.append(body.file.name, new Blob([file.bytes], { type: file.contentType }), file.name)
  return form
}

function isSecretBody(body: HttpBody, deps: RequestDeps): boolean {
  if ("text" in body) return isSecret(body.text, deps)
  return "form" in body && body.form.some(([, value]) => isSecret(value, deps))
}

function isFailed(part: Headers | RequestBody | Failure): part is Failure {
  return typeof part === "object" && part !== null && isFailure(part)
}

function setContentType(headers: Headers, body: HttpBody | undefined): void {
  if (!body) return
  // Only the writer of a multipart body knows its boundary.
  if ("multipart" in body) headers.delete("content-type")
  if ("text" in body && body.contentType !== undefined && !headers.has("content-type")) {
    headers.set("content-type", body.contentType)
  }
}

function withQuery(address: string, query: readonly [name: string, value: string][]): string {
  if (query.length === 0) return address
  const [path = "", ...fragment] = address.split("#")
  const pairs = query.map(([name, value]) => `${encode(name)}=${encode(value)}`).join("&")
  return [`${path}${path.includes("?") ? "&" : "?"}${pairs}`, ...fragment].join("#")
}

// Converted to UTF-8 first, because an unpaired surrogate cannot be percent-encoded.
const encode = (text: string) => encodeURIComponent(Buffer.from(text).toString())

/** The credential lacks a member that a template needs. */
export class MissingSecretError extends Error {
  override name = "MissingSecretError"
}

/** Fills in the secrets of a template; throws a MissingSecretError. */
function fill(template: Template, { data, secrets }: RequestDeps): string {
  const parts = typeof template === "string" ? [template] : template
  return parts
    .map((part) => {
      if (typeof part !== "string") return secretValue(part, data)
      return secrets ? secrets.reveal(part) : part
    })
    .join("")
}

/** Whether a template contains a secret. */
function isSecret(template: Template, { secrets }: RequestDeps): boolean {
  const parts = typeof template === "string" ? [template] : template
  return parts.some((part) => typeof part !== "string" || secrets?.areIn(part) === true)
}

function secretValue({ secret, fallback, as }: Secret, data: CredentialData): string {
  const member = Object.hasOwn(data, secret) ? data[secret] : undefined
  const isAbsent = member === undefined || member === null || member === ""
  const value = isAbsent ? fallback : member
  if (value === undefined) throw new MissingSecretError(`The account has no "${secret}"`)
  if (as === "json") return JSON.stringify(value)
  const text = typeof value === "string" ? value : JSON.stringify(value)
  if (as === "base") return text.replace(/\/+$/, "")
  return as === "origin" && URL.canParse(text) ? new URL(text).origin : text
}

/** Prefix of the keys that flows add to their requests. */
export const flowKeyPrefix = "parley-"

/**
 * The `Idempotency-Key` for another server, 50 characters. It is hashed, because the key of a call contains
 * the session id, which suffices to continue the chat.
 */
export function upstreamKey(...parts: readonly string[]): string {
  const [first = "", ...rest] = parts
  const text = rest.length === 0 ? first : JSON.stringify(parts)
  return flowKeyPrefix + createHash("sha256").update(text).digest("base64url")
}
