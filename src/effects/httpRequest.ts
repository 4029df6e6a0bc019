/** Makes the request that goes out of the one that a flow asks for. */
import { FormData, Headers } from "undici"
import { type Failure, type HttpAsk, type HttpBody, isFailure } from "../engine/calls.ts"
import type { CredentialData } from "./credentials/credentialTypes.ts"
import { fill, isSecret } from "./credentials/template.ts"
import type { ReadFile } from "./files/readFile.ts"
import type { OutboundInit } from "./network/outbound.ts"
import type { RequestBody } from "./network/redirect.ts"
import type { CallContext } from "./perform.ts"
import { upstreamKey } from "./upstreamKey.ts"

/** What a request is made with. */
export type RequestParts = { readFile: ReadFile; data: CredentialData; context: CallContext }

/** A request ready to go out. */
export type ReadyRequest = { url: string; init: OutboundInit }

/** The largest file that is sent on. */
const maxFileBytes = 25_000_000

/**
 * The request, secrets in place. Throws a MissingSecretError, and a TypeError for a header that
 * cannot be sent.
 */
export async function readyRequest(
  ask: HttpAsk,
  parts: RequestParts,
): Promise<ReadyRequest | Failure> {
  const { request } = ask
  const { data } = parts
  const headers = headersOf(ask, parts)
  const hasBody = request.method !== "GET" && request.method !== "HEAD"
  const body = hasBody && request.body ? await bodyOf(request.body, parts) : null
  if (isFailed(body)) return body
  setContentType(headers, request.body)
  const secretHeaders = (request.headers ?? []).filter(([, value]) => isSecret(value))
  return {
    url: withQuery(fill(request.url, data), request.query ?? []),
    init: {
      method: request.method,
      headers,
      body,
      privateHeaders: secretHeaders.map(([name]) => name),
      staysOnOrigin: request.body !== undefined && isSecretBody(request.body),
    },
  }
}

function headersOf({ request, sendsIdempotencyKey }: HttpAsk, parts: RequestParts): Headers {
  const { data, context } = parts
  const headers = new Headers()
  if (sendsIdempotencyKey) headers.set("idempotency-key", upstreamKey(context.idempotencyKey))
  if (request.basicAuth) {
    const { user, password } = request.basicAuth
    const login = Buffer.from(`${fill(user, data)}:${fill(password, data)}`).toString("base64")
    headers.set("authorization", `Basic ${login}`)
  }
  for (const [name, value] of request.headers ?? []) headers.append(name, fill(value, data))
  return headers
}

async function bodyOf(body: HttpBody, parts: RequestParts): Promise<RequestBody | Failure> {
  if ("text" in body) return fill(body.text, parts.data)
  if ("form" in body) return new URLSearchParams(body.form)
  const file = await parts.readFile(body.file.url, parts.context, { maxBytes: maxFileBytes })
  if (isFailure(file)) return file
  const form = new FormData()
  for (const [name, value] of body.multipart) form.append(name, value)
  form.append(body.file.name, new Blob([file.bytes], { type: file.contentType }), file.name)
  return form
}

function isSecretBody(body: HttpBody): boolean {
  return "text" in body && isSecret(body.text)
}

function isFailed(body: RequestBody | Failure): body is Failure {
  return typeof body === "object" && body !== null && isFailure(body)
}

function setContentType(headers: Headers, body: HttpBody | undefined): void {
  if (!body) return
  // Only whoever writes a multipart body knows its boundary.
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

// By way of UTF-8, because an unpaired surrogate cannot be percent-encoded.
const encode = (text: string) => encodeURIComponent(Buffer.from(text).toString())
