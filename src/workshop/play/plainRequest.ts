/** A request of a flow in plain form, for stubs, expectations and reports. */
import type { ScriptRequest } from "../../effects/sandbox/sandbox.ts"
import type { HttpAsk, Template } from "../../engine/calls.ts"
import { encodeBasic } from "../../engine/variables/encodeBasic.ts"

/** A request as sent; `<name>` replaces members of credentials. */
export type PlainRequest = {
  method: string
  url: string
  headers: Record<string, string>
  /** The body, when it is JSON. */
  json?: unknown
  /** The body as text; form data as a query. */
  body?: string
}

/** The request of a block. */
export function plainRequest({ request }: HttpAsk): PlainRequest {
  const { method, query = [], headers = [], basicAuth, body } = request
  const search = new URLSearchParams(query).toString()
  const url = written(request.url)
  const named = headers.map(([name, value]) => [
    name.toLowerCase(),
    encodeBasic(name, written(value)),
  ])
  const basic = basicAuth && `Basic ${written(basicAuth.user)}:${written(basicAuth.password)}`
  return withBody(
    {
      method,
      url: search === "" ? url : `${url}${url.includes("?") ? "&" : "?"}${search}`,
      headers: { ...(basic && { authorization: basic }), ...Object.fromEntries(named) },
    },
    body && textOfBody(body),
  )
}

export function scriptRequest({ url, method = "GET", headers, body }: ScriptRequest): PlainRequest {
  const named = headers.map(([name, value]) => [name.toLowerCase(), value])
  const capitals = method.toUpperCase()
  return withBody({ method: capitals, url, headers: Object.fromEntries(named) }, body)
}

function withBody(request: PlainRequest, body: string | undefined): PlainRequest {
  if (body === undefined) return request
  try {
    return { ...request, body, json: JSON.parse(body) }
  } catch {
    return { ...request, body }
  }
}

function textOfBody(body: NonNullable<HttpAsk["request"]["body"]>): string {
  if ("text" in body) return written(body.text)
  return new URLSearchParams("form" in body ? body.form : body.multipart).toString()
}

function written(template: Template): string {
  if (typeof template === "string") return template
  return template
    .map((part) => (typeof part === "string" ? part : (part.fallback ?? `<${part.secret}>`)))
    .join("")
}
